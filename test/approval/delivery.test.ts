import { describe, expect, test } from "vitest";
import {
  acknowledge,
  catchUp,
  confirm,
  deliverBy,
  giveUp,
  markSent,
  restoreWaiting,
  type SettledCard,
} from "../../src/approval/index.ts";
import { DELIVERY_STATES, limits } from "../../src/protocol/index.ts";
import { DEADLINE, ENDS, OPENED, pendingCard, settledCard } from "./cards.ts";

const GRACE = limits.DELIVERY_GRACE_MS;
const NOW = OPENED + 2_000;

describe("time alone", () => {
  test.each([[OPENED], [DEADLINE - 1]])("at %i has not touched a pending card", (now) => {
    const before = pendingCard();
    expect(catchUp(before, now)).toBe(before);
  });

  // Dated by when it was due, not by when somebody looked.
  test.each([
    [DEADLINE, "waiting", DEADLINE],
    [DEADLINE + GRACE - 1, "waiting", DEADLINE],
    [DEADLINE + GRACE, "not_applied", DEADLINE + GRACE],
    [DEADLINE * 9, "not_applied", DEADLINE + GRACE],
  ])("at %i has ended it as expired, and %s since %i", (now, state, at) => {
    const { settlement, delivery } = catchUp(pendingCard(), now);
    expect(settlement).toEqual(ENDS.expired);
    expect(delivery).toEqual({ state, at });
  });

  test.each(["decided", "dismissed"] as const)(
    "gives up a waiting %s card, then, not before",
    (state) => {
      const before = settledCard(state);
      expect(catchUp(before, deliverBy(before) - 1)).toBe(before);
      expect(catchUp(before, deliverBy(before))).toEqual({
        ...before,
        delivery: { state: "not_applied", at: deliverBy(before) },
      });
    },
  );

  test.each(["none", "sent", "applied", "not_applied"] as const)(
    "never moves a delivery that is %s",
    (delivery) => {
      const before = settledCard(delivery === "none" ? "withdrawn" : "decided", delivery);
      expect(catchUp(before, DEADLINE * 9)).toBe(before);
    },
  );

  test("keeps a settlement for its resident until the deadline, and for a minute at least", () => {
    expect(deliverBy(settledCard("decided"))).toBe(DEADLINE);
    const late = settledCard("decided", "waiting", { expiresAt: OPENED + 1_001 });
    expect(deliverBy(late)).toBe(OPENED + 1_000 + GRACE);
    expect(deliverBy(settledCard("expired"))).toBe(DEADLINE + GRACE);
  });
});

describe("a delivery makes only its legal moves", () => {
  const MOVES: Record<
    string,
    [move: (card: SettledCard) => SettledCard, from: string, to: string]
  > = {
    markSent: [(card) => markSent(card, NOW), "waiting", "sent"],
    "confirm applied": [(card) => confirm(card, true, NOW), "sent", "applied"],
    "confirm not applied": [(card) => confirm(card, false, NOW), "sent", "not_applied"],
    giveUp: [(card) => giveUp(card, NOW), "waiting", "not_applied"],
  };

  test.each(Object.entries(MOVES))("%s", (_, [move, from, to]) => {
    for (const state of DELIVERY_STATES) {
      const before = settledCard(state === "none" ? "withdrawn" : "decided", state);
      const delivery = state === from ? { state: to, at: NOW } : before.delivery;
      expect(move(before)).toEqual({ ...before, delivery });
    }
  });

  test("a send that throws puts back exactly what was", () => {
    for (const state of ["decided", "dismissed", "expired"] as const) {
      const before = settledCard(state);
      expect(restoreWaiting(markSent(before, NOW))).toEqual(before);
    }
    for (const state of ["none", "waiting", "applied", "not_applied"] as const) {
      const before = settledCard(state === "none" ? "withdrawn" : "decided", state);
      expect(restoreWaiting(before)).toBe(before);
    }
  });
});

describe("an acknowledgement", () => {
  test("of a pending card is too early", () => {
    const before = pendingCard();
    expect(acknowledge(before, true, NOW)).toEqual({
      card: before,
      answer: { code: "not_settled" },
    });
  });

  test.each([true, false])("(%j) of a sent one is taken, and not taken back", (applied) => {
    const before = settledCard("decided", "sent");
    const { card, answer } = acknowledge(before, applied, NOW);
    expect(answer).toEqual({ code: "taken" });
    expect(card.delivery).toEqual({ state: applied ? "applied" : "not_applied", at: NOW });
    for (const again of [true, false]) {
      expect(acknowledge(card, again, NOW + 1)).toEqual({ card, answer: { code: "taken" } });
    }
  });

  test.each(["waiting", "none"] as const)("of one that is %s changes nothing", (delivery) => {
    const before = settledCard(delivery === "none" ? "withdrawn" : "decided", delivery);
    expect(acknowledge(before, true, NOW)).toEqual({ card: before, answer: { code: "taken" } });
  });

  test("of a card that is due meets its end, which it cannot have had", () => {
    const { card, answer } = acknowledge(pendingCard(), true, DEADLINE);
    expect(answer).toEqual({ code: "taken" });
    expect(card).toMatchObject({ settlement: ENDS.expired, delivery: { state: "waiting" } });
  });

  test("that comes after the delivery was given up leaves it so", () => {
    const { card } = acknowledge(settledCard("decided"), true, DEADLINE);
    expect(card.delivery.state).toBe("not_applied");
  });
});
