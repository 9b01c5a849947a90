import type { DeliveryState } from "../protocol/index.ts";
import { deliverBy, isSettled, type SettledCard, settle, type StoredCard } from "./stored-card.ts";

function move(card: SettledCard, state: DeliveryState, at: number): SettledCard {
  return { ...card, delivery: { state, at } };
}

/**
 * What time alone has done to a card by `now`: a deadline that passed settles it as expired, and a settlement that nobody
 * fetched until its `deliverBy` is not applied any more. Every rule starts from the card as it is after this.
 */
export function catchUp(card: StoredCard, now: number): StoredCard {
  const current =
    !isSettled(card) && card.expiresAt <= now
      ? settle(card, { state: "expired", at: card.expiresAt })
      : card;
  if (isSettled(current) && current.delivery.state === "waiting" && deliverBy(current) <= now) {
    return move(current, "not_applied", deliverBy(current));
  }
  return current;
}

/** The resident's socket or an HTTP reply to it has taken the settlement. */
export function markSent(card: SettledCard, now: number): SettledCard {
  return card.delivery.state === "waiting" ? move(card, "sent", now) : card;
}

/** The send threw: nothing was taken after all. */
export function restoreWaiting(card: SettledCard): SettledCard {
  return card.delivery.state === "sent" ? move(card, "waiting", card.settlement.at) : card;
}

/** What the resident said it did with the settlement. Only a sent one can still move; time never moves it. */
export function confirm(card: SettledCard, applied: boolean, now: number): SettledCard {
  return card.delivery.state === "sent"
    ? move(card, applied ? "applied" : "not_applied", now)
    : card;
}

/** The process that could have applied a waiting settlement is gone. */
export function giveUp(card: SettledCard, now: number): SettledCard {
  return card.delivery.state === "waiting" ? move(card, "not_applied", now) : card;
}
