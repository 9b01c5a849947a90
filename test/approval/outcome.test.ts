import { describe, expect, test } from "vitest";
import { outcomeOf, stateOf, statusOf, statusOfTombstone } from "../../src/approval/index.ts";
import { requestStatus } from "../../src/protocol/index.ts";
import { DEADLINE, ENDS, OPENED, pendingCard, settledCard } from "./cards.ts";

const CANCELLED = { outcome: "cancelled" };
const SELECTED = { outcome: "selected", optionId: "allow-1" };

test.each([
  ["decided", "waiting", SELECTED],
  ["decided", "sent", SELECTED],
  ["decided", "applied", SELECTED],
  ["decided", "not_applied", CANCELLED],
  ["dismissed", "waiting", CANCELLED],
  ["dismissed", "sent", CANCELLED],
  ["dismissed", "applied", CANCELLED],
  ["dismissed", "not_applied", CANCELLED],
  ["expired", "waiting", CANCELLED],
  ["expired", "sent", CANCELLED],
  ["expired", "applied", CANCELLED],
  ["expired", "not_applied", CANCELLED],
  ["withdrawn", "none", CANCELLED],
] as const)("%s and %s: the agent is told %j", (state, delivery, outcome) => {
  expect(outcomeOf(settledCard(state, delivery))).toEqual(outcome);
});

describe("a request's status", () => {
  test("while pending has no outcome and no settlement", () => {
    const status = statusOf(pendingCard(), OPENED + 5, 2);
    expect(status).toEqual({
      requestId: "request-1",
      state: "pending",
      openedAt: OPENED,
      expiresAt: DEADLINE,
      serverTime: OPENED + 5,
      humansPresent: 2,
      delivery: { state: "none", at: OPENED },
    });
  });

  test("says of a repeat that it is one, and how far the deadline can go", () => {
    const card = pendingCard({ maxExpiresAt: DEADLINE + 1 });
    expect(statusOf(card, OPENED, 0, true)).toMatchObject({
      duplicate: true,
      maxExpiresAt: DEADLINE + 1,
    });
  });

  test.each(["decided", "dismissed", "expired", "withdrawn"] as const)("of one %s", (state) => {
    const card = settledCard(state);
    const status = statusOf(card, DEADLINE, 0);
    expect(stateOf(card)).toBe(state);
    expect(status).toMatchObject({ state, settlement: ENDS[state], outcome: outcomeOf(card) });
    expect(requestStatus.parse({ ...status, requestId: "request-01" })).toBeTruthy();
  });

  test("of one withdrawn before it came", () => {
    const tombstone = {
      requestId: "request-01",
      residentId: "p-claude",
      reason: "turn_ended",
      at: OPENED,
    } as const;
    const status = statusOfTombstone(tombstone, OPENED + 5, 1);
    expect(requestStatus.parse(status)).toEqual(status);
    expect(status).toMatchObject({
      state: "withdrawn",
      openedAt: OPENED,
      expiresAt: OPENED,
      serverTime: OPENED + 5,
      outcome: CANCELLED,
      settlement: { state: "withdrawn", at: OPENED, reason: "turn_ended" },
      delivery: { state: "none", at: OPENED },
    });
  });
});
