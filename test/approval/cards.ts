import {
  catchUp,
  isSettled,
  type SettledCard,
  settle,
  type StoredCard,
} from "../../src/approval/index.ts";
import type {
  Decider,
  DeliveryState,
  PermissionOption,
  Settlement,
} from "../../src/protocol/index.ts";

/** When the cards of these tests are opened, and how long people have. */
export const OPENED = 1_000_000;
export const TTL = 300_000;
export const DEADLINE = OPENED + TTL;

export const ALLOW: PermissionOption = {
  optionId: "allow-1",
  name: "Allow once",
  kind: "allow_once",
};
export const REJECT: PermissionOption = { optionId: "no-2", name: "Reject", kind: "reject_once" };

export const ANA: Decider = { participantId: "p-ana", name: "Ana", role: "human" };
export const BEN: Decider = { participantId: "p-ben", name: "Ben", role: "human" };

export function pendingCard(more: Partial<StoredCard> = {}): StoredCard {
  return {
    requestId: "request-1",
    resident: { participantId: "p-claude", name: "claude" },
    seq: 1,
    contentHash: "hash-1",
    options: [ALLOW, REJECT],
    openedAt: OPENED,
    expiresAt: DEADLINE,
    expiresInMs: TTL,
    delivery: { state: "none", at: OPENED },
    ...more,
  };
}

/** How a card can end, each a second after it was opened (or at its deadline). */
export const ENDS: Record<Settlement["state"], Settlement> = {
  decided: { state: "decided", at: OPENED + 1_000, by: ANA, option: ALLOW },
  dismissed: { state: "dismissed", at: OPENED + 1_000, by: ANA },
  expired: { state: "expired", at: DEADLINE },
  withdrawn: { state: "withdrawn", at: OPENED + 1_000, reason: "turn_ended" },
};

export function settledCard(
  state: Settlement["state"],
  delivery?: DeliveryState,
  more: Partial<StoredCard> = {},
): SettledCard {
  const card = settle(pendingCard(more), ENDS[state]);
  return delivery === undefined
    ? card
    : { ...card, delivery: { state: delivery, at: card.delivery.at } };
}

/** The card as it is at `now`, which must be settled by then. */
export function settledAt(card: StoredCard, now: number): SettledCard {
  const current = catchUp(card, now);
  if (!isSettled(current)) throw new Error("still pending");
  return current;
}
