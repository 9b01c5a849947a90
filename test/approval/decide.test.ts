import { describe, expect, test } from "vitest";
import { decide } from "../../src/approval/index.ts";
import {
  ALLOW,
  ANA,
  BEN,
  DEADLINE,
  ENDS,
  OPENED,
  pendingCard,
  REJECT,
  settledCard,
} from "./cards.ts";

const NOW = OPENED + 1_000;

describe("a decision on a pending card", () => {
  test("settles it with the very option that was offered, and waits for the resident", () => {
    const option = { optionId: "é", name: "Sí", kind: "weird", _meta: { x: [1] } };
    const { card, answer } = decide(pendingCard({ options: [ALLOW, option] }), ANA, "é", NOW);
    expect(answer).toEqual({ code: "decided" });
    expect(card.settlement).toEqual({ state: "decided", at: NOW, by: ANA, option });
    expect(card.delivery).toEqual({ state: "waiting", at: NOW });
  });

  test.each([
    ["allow"],
    ["allow-1 "],
    [" allow-1"],
    ["Allow-1"],
    ["ALLOW-1"],
    ["allow-1\u0000"],
    ["allow\u20101"],
    ["Allow once"],
    ["allow_once"],
    ["0"],
    [""],
    ["__proto__"],
    ["constructor"],
  ])("for %j, which was not offered, leaves it as it is", (optionId) => {
    const before = pendingCard();
    expect(decide(before, ANA, optionId, NOW)).toEqual({
      card: before,
      answer: { code: "option_not_offered" },
    });
  });

  test("tells ids apart that look the same", () => {
    const composed = { optionId: "caf\u00e9", name: "1" };
    const decomposed = { optionId: "cafe\u0301", name: "2" };
    const card = pendingCard({ options: [composed, decomposed] });
    for (const option of [composed, decomposed]) {
      const { settlement } = decide(card, ANA, option.optionId, NOW).card;
      expect(settlement).toMatchObject({ option });
    }
  });

  test.each([
    [DEADLINE - 1, "decided", { code: "decided" }],
    [DEADLINE, "expired", { code: "already_settled", settlement: ENDS.expired }],
    [DEADLINE + 1, "expired", { code: "already_settled", settlement: ENDS.expired }],
  ])("at %i ends as %s", (now, state, expected) => {
    const { card, answer } = decide(pendingCard(), ANA, "allow-1", now);
    expect(card.settlement?.state).toBe(state);
    expect(answer).toEqual(expected);
  });

  test("late and for no offered option is late, not unknown", () => {
    const { answer } = decide(pendingCard(), ANA, "nope", DEADLINE);
    expect(answer).toEqual({ code: "already_settled", settlement: ENDS.expired });
  });
});

describe("a decision on a settled card", () => {
  test("is a repeat for the same human and option, however late, and changes nothing", () => {
    const before = settledCard("decided", "applied");
    expect(decide(before, ANA, "allow-1", DEADLINE * 2)).toEqual({
      card: before,
      answer: { code: "repeated" },
    });
  });

  test("is a repeat even under a name that changed since", () => {
    const renamed = { ...ANA, name: "Ana M." };
    const before = settledCard("decided", "sent");
    const { card, answer } = decide(before, renamed, "allow-1", NOW);
    expect(answer.code).toBe("repeated");
    expect(card.settlement).toEqual(ENDS.decided);
  });

  test.each([
    ["another human, same option", BEN, ALLOW.optionId],
    ["another human of the same name", { ...BEN, name: "Ana" }, ALLOW.optionId],
    ["another human, another option", BEN, REJECT.optionId],
    ["the same human, another option", ANA, REJECT.optionId],
    ["the same human, an option not offered", ANA, "nope"],
  ])("of %s is told the end", (_, by, optionId) => {
    const before = settledCard("decided", "sent");
    expect(decide(before, by, optionId, NOW)).toEqual({
      card: before,
      answer: { code: "already_settled", settlement: ENDS.decided },
    });
  });

  test.each(["dismissed", "expired", "withdrawn"] as const)("that is %s is told so", (state) => {
    const before = settledCard(state, state === "withdrawn" ? "none" : "sent");
    expect(decide(before, ANA, "allow-1", NOW)).toEqual({
      card: before,
      answer: { code: "already_settled", settlement: ENDS[state] },
    });
  });
});
