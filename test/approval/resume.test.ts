import { describe, expect, test } from "vitest";
import { resume, type ResumeCommand, type StoredCard } from "../../src/approval/index.ts";
import { limits } from "../../src/protocol/index.ts";
import { DEADLINE, ENDS, OPENED, pendingCard, settledCard } from "./cards.ts";

const NOW = OPENED + 2_000;
const ID = "request-1";

function command(more: {
  parked?: boolean;
  answered?: boolean;
  lastSeqBefore?: number;
}): ResumeCommand {
  return {
    parked: new Set(more.parked === true ? [ID] : []),
    answered: new Map(more.answered === undefined ? [] : [[ID, more.answered]]),
    lastSeqBefore: more.lastSeqBefore ?? 1,
  };
}

interface Row {
  title: string;
  card: StoredCard;
  held: Parameters<typeof command>[0];
  state: string;
  delivery: string;
  isOwed: boolean;
}

const ROWS: Row[] = [
  // Pending
  {
    title: "pending and held: waits on",
    card: pendingCard(),
    held: { parked: true },
    state: "pending",
    delivery: "none",
    isOwed: false,
  },
  {
    title: "pending, not held, older than the socket: withdrawn",
    card: pendingCard(),
    held: {},
    state: "withdrawn",
    delivery: "none",
    isOwed: false,
  },
  {
    title: "pending, not held, newer than the socket: waits on",
    card: pendingCard({ seq: 2 }),
    held: {},
    state: "pending",
    delivery: "none",
    isOwed: false,
  },
  {
    title: "pending, said to be answered: not held all the same",
    card: pendingCard(),
    held: { answered: true },
    state: "withdrawn",
    delivery: "none",
    isOwed: false,
  },
  // Waiting
  {
    title: "waiting and held: sent",
    card: settledCard("decided"),
    held: { parked: true },
    state: "decided",
    delivery: "sent",
    isOwed: true,
  },
  {
    title: "waiting, not held: not applied",
    card: settledCard("decided"),
    held: {},
    state: "decided",
    delivery: "not_applied",
    isOwed: false,
  },
  {
    title: "waiting, not held, newer than the socket: not applied",
    card: settledCard("decided", "waiting", { seq: 9 }),
    held: {},
    state: "decided",
    delivery: "not_applied",
    isOwed: false,
  },
  {
    title: "waiting, said to be applied, which it cannot be: not applied",
    card: settledCard("decided"),
    held: { answered: true },
    state: "decided",
    delivery: "not_applied",
    isOwed: false,
  },
  // Sent
  {
    title: "sent and held: told again",
    card: settledCard("decided", "sent"),
    held: { parked: true },
    state: "decided",
    delivery: "sent",
    isOwed: true,
  },
  {
    title: "sent, not held, nothing said: not confirmed",
    card: settledCard("decided", "sent"),
    held: {},
    state: "decided",
    delivery: "sent",
    isOwed: false,
  },
  {
    title: "sent and applied",
    card: settledCard("decided", "sent"),
    held: { answered: true },
    state: "decided",
    delivery: "applied",
    isOwed: false,
  },
  {
    title: "sent and not applied",
    card: settledCard("decided", "sent"),
    held: { answered: false },
    state: "decided",
    delivery: "not_applied",
    isOwed: false,
  },
  {
    title: "sent, applied and held: the acknowledgement first",
    card: settledCard("decided", "sent"),
    held: { parked: true, answered: true },
    state: "decided",
    delivery: "applied",
    isOwed: true,
  },
  // Over
  {
    title: "applied and held: told again, not moved",
    card: settledCard("decided", "applied"),
    held: { parked: true },
    state: "decided",
    delivery: "applied",
    isOwed: true,
  },
  {
    title: "applied: not taken back",
    card: settledCard("decided", "applied"),
    held: { answered: false },
    state: "decided",
    delivery: "applied",
    isOwed: false,
  },
  {
    title: "not applied and held: told that it is cancelled",
    card: settledCard("decided", "not_applied"),
    held: { parked: true },
    state: "decided",
    delivery: "not_applied",
    isOwed: true,
  },
  {
    title: "not applied: not taken back",
    card: settledCard("decided", "not_applied"),
    held: { answered: true },
    state: "decided",
    delivery: "not_applied",
    isOwed: false,
  },
  {
    title: "withdrawn and held: told",
    card: settledCard("withdrawn"),
    held: { parked: true },
    state: "withdrawn",
    delivery: "none",
    isOwed: true,
  },
  {
    title: "withdrawn: left",
    card: settledCard("withdrawn"),
    held: {},
    state: "withdrawn",
    delivery: "none",
    isOwed: false,
  },
];

test.each(ROWS)("$title", ({ card, held, state, delivery, isOwed }) => {
  const resumed = resume(card, command(held), NOW);
  expect(resumed.before).toBe(card);
  expect(resumed.card.settlement?.state ?? "pending").toBe(state);
  expect(resumed.card.delivery.state).toBe(delivery);
  expect(resumed.isOwed).toBe(isOwed);
});

describe("a resident that comes back", () => {
  test("withdraws as the Room, because its process was restarted", () => {
    expect(resume(pendingCard(), command({}), NOW).card.settlement).toEqual({
      state: "withdrawn",
      at: NOW,
      reason: "resident_restarted",
    });
  });

  test("after the deadline is told that it expired, and never that it was withdrawn", () => {
    const held = resume(pendingCard(), command({ parked: true }), DEADLINE);
    expect(held).toMatchObject({
      isOwed: true,
      card: { settlement: ENDS.expired, delivery: { state: "sent" } },
    });
    const gone = resume(pendingCard(), command({}), DEADLINE);
    expect(gone).toMatchObject({
      isOwed: false,
      card: { settlement: ENDS.expired, delivery: { state: "not_applied" } },
    });
  });

  test("after the last moment for delivery is told that it is cancelled", () => {
    const now = DEADLINE + limits.DELIVERY_GRACE_MS;
    const { card, isOwed } = resume(settledCard("decided"), command({ parked: true }), now);
    expect(isOwed).toBe(true);
    expect(card.delivery).toEqual({ state: "not_applied", at: DEADLINE });
  });

  test("twice with the same changes nothing the second time", () => {
    for (const { card, held } of ROWS) {
      const once = resume(card, command(held), NOW).card;
      expect(resume(once, command(held), NOW).card).toEqual(once);
    }
  });
});
