import { expect, test } from "vitest";
import { withdraw } from "../../src/approval/index.ts";
import { DEADLINE, ENDS, OPENED, pendingCard, settledCard } from "./cards.ts";

const NOW = OPENED + 1_000;

test("a pending card is withdrawn, which needs no delivery", () => {
  const { card, answer } = withdraw(pendingCard(), "tool_settled", NOW);
  expect(answer).toEqual({ code: "withdrawn" });
  expect(card.settlement).toEqual({ state: "withdrawn", at: NOW, reason: "tool_settled" });
  expect(card.delivery).toEqual({ state: "none", at: NOW });
});

test.each([
  [DEADLINE - 1, "withdrawn"],
  [DEADLINE, "expired"],
])("at %i it ends as %s", (now, state) => {
  const { card, answer } = withdraw(pendingCard(), "turn_ended", now);
  expect(card.settlement?.state).toBe(state);
  expect(answer.code).toBe(state === "withdrawn" ? "withdrawn" : "already_settled");
});

test("the same withdrawal again is a success that changes nothing", () => {
  const before = settledCard("withdrawn");
  expect(withdraw(before, "turn_ended", NOW + 5)).toEqual({
    card: before,
    answer: { code: "repeated" },
  });
});

test("for another reason it is told the first", () => {
  const before = settledCard("withdrawn");
  expect(withdraw(before, "agent_ended", NOW)).toEqual({
    card: before,
    answer: { code: "already_settled", settlement: ENDS.withdrawn },
  });
});

test.each(["decided", "dismissed", "expired"] as const)(
  "a card that is %s stays so, and the asker is told",
  (state) => {
    const before = settledCard(state, "sent");
    expect(withdraw(before, "turn_ended", NOW)).toEqual({
      card: before,
      answer: { code: "already_settled", settlement: ENDS[state] },
    });
  },
);
