import { describe, expect, test } from "vitest";
import {
  DEFAULT_TIMES,
  open,
  type OpenCommand,
  type OpenContext,
} from "../../src/approval/index.ts";
import { limits } from "../../src/protocol/index.ts";
import { ALLOW, DEADLINE, ENDS, OPENED, pendingCard, REJECT, settledCard } from "./cards.ts";

const COMMAND: OpenCommand = {
  requestId: "request-1",
  resident: { participantId: "p-claude", name: "claude" },
  contentHash: "hash-1",
  options: [ALLOW, REJECT],
};

function context(more: Partial<OpenContext> = {}): OpenContext {
  return {
    existing: undefined,
    tombstone: undefined,
    nextSeq: 7,
    humans: { present: 1, mayReturn: true },
    times: DEFAULT_TIMES,
    pendingOfResident: () => 0,
    pendingInRoom: () => 0,
    ...more,
  };
}

const FULL = { pendingOfResident: () => 1_000, pendingInRoom: () => 10_000 };

describe("a new id", () => {
  test("opens a card with exactly what was offered", () => {
    const answer = open({ ...COMMAND, turnId: "turn-1" }, context(), OPENED);
    expect(answer).toEqual({
      code: "opened",
      card: pendingCard({ seq: 7, turnId: "turn-1", maxExpiresAt: undefined }),
    });
    expect(answer.code === "opened" && answer.card.options).toBe(COMMAND.options);
  });

  test.each([
    [undefined, undefined, limits.EXPIRES_IN_DEFAULT_MS, undefined],
    [0, undefined, 1_000, undefined],
    [999, undefined, 1_000, undefined],
    [1_001, undefined, 1_001, undefined],
    [86_400_001, undefined, 86_400_000, undefined],
    [60_000, 30_000, 60_000, 60_000],
    [60_000, 90_000, 60_000, 90_000],
    [undefined, 0, 300_000, 300_000],
    [60_000, 2 ** 50, 60_000, 86_400_000],
  ])("with %j ms, at most %j, gets %j, at most %j", (expiresInMs, maxExpiresInMs, taken, most) => {
    const answer = open({ ...COMMAND, expiresInMs, maxExpiresInMs }, context(), OPENED);
    expect(answer).toMatchObject({
      card: {
        openedAt: OPENED,
        expiresInMs: taken,
        expiresAt: OPENED + taken,
        maxExpiresAt: most === undefined ? undefined : OPENED + most,
      },
    });
  });
});

describe("an id that was used", () => {
  test("by the same resident for the same is a repeat, and the deadline is not moved", () => {
    const existing = pendingCard();
    const answer = open({ ...COMMAND, expiresInMs: 900_000 }, context({ existing }), OPENED + 5);
    expect(answer).toEqual({ code: "repeated", existing, card: existing });
  });

  test.each(["decided", "dismissed", "expired", "withdrawn"] as const)(
    "and is %s is a repeat with that end",
    (state) => {
      const existing = settledCard(state, state === "withdrawn" ? "none" : "sent");
      const answer = open(COMMAND, context({ existing }), DEADLINE + 1);
      expect(answer).toEqual({ code: "repeated", existing, card: existing });
    },
  );

  test("and is due is a repeat of an expired card", () => {
    const existing = pendingCard();
    const answer = open(COMMAND, context({ existing }), DEADLINE);
    expect(answer).toMatchObject({ code: "repeated", card: { settlement: ENDS.expired } });
  });

  test.each<[string, Partial<OpenCommand>]>([
    ["for something else", { contentHash: "hash-2" }],
    ["by another resident", { resident: { participantId: "p-other", name: "claude" } }],
    [
      "by another for something else",
      { resident: { participantId: "p-other", name: "x" }, contentHash: "hash-2" },
    ],
  ])("%s is a conflict that says nothing more", (_, more) => {
    for (const existing of [pendingCard(), settledCard("decided")]) {
      expect(open({ ...COMMAND, ...more }, context({ existing }), OPENED)).toEqual({
        code: "request_conflict",
      });
    }
  });

  test("is recognised before the Room's caps are looked at", () => {
    const existing = pendingCard();
    expect(open(COMMAND, context({ ...FULL, existing }), OPENED).code).toBe("repeated");
    const other = { ...COMMAND, contentHash: "hash-2" };
    expect(open(other, context({ ...FULL, existing }), OPENED).code).toBe("request_conflict");
  });

  test("for a withdrawal that came first is that withdrawal, to its own resident alone", () => {
    const tombstone = {
      requestId: "request-1",
      residentId: "p-claude",
      reason: "turn_ended",
      at: OPENED,
    } as const;
    for (const caps of [{}, FULL]) {
      expect(open(COMMAND, context({ ...caps, tombstone }), OPENED)).toEqual({
        code: "withdrawn_before",
        tombstone,
      });
      const foreign = { ...tombstone, residentId: "p-other" };
      expect(open(COMMAND, context({ ...caps, tombstone: foreign }), OPENED)).toEqual({
        code: "request_conflict",
      });
    }
  });
});

describe("the caps", () => {
  test.each([
    [0, 0, true],
    [63, 63, true],
    [64, 64, false],
    [65, 65, false],
    [63, 255, true],
    [63, 256, false],
    [4, 255, true],
    [4, 256, false],
    [4, 10_000, false],
    [3, 256, true],
    [0, 256, true],
    [3, 10_000, true],
  ])("with %i own and %i in the Room one more: %j", (own, all, mayOpen) => {
    const caps = { pendingOfResident: () => own, pendingInRoom: () => all };
    expect(open(COMMAND, context(caps), OPENED).code).toBe(mayOpen ? "opened" : "too_many_pending");
  });
});
