import type { RequestStatus } from "../protocol/index.ts";
import { isSettled, outcomeOf, stateOf, type StoredCard } from "./stored-card.ts";
import type { Tombstone } from "./withdraw.ts";

/** How a request stands, for whoever may see it. */
export function statusOf(
  card: StoredCard,
  now: number,
  humansPresent: number,
  isDuplicate = false,
): RequestStatus {
  return {
    requestId: card.requestId,
    state: stateOf(card),
    openedAt: card.openedAt,
    expiresAt: card.expiresAt,
    ...(card.maxExpiresAt === undefined ? {} : { maxExpiresAt: card.maxExpiresAt }),
    serverTime: now,
    humansPresent,
    ...(isDuplicate ? { duplicate: true } : {}),
    ...(isSettled(card) ? { outcome: outcomeOf(card), settlement: card.settlement } : {}),
    delivery: card.delivery,
  };
}

/** How a request stands that was withdrawn before it came. */
export function statusOfTombstone(
  tombstone: Tombstone,
  now: number,
  humansPresent: number,
): RequestStatus {
  const { requestId, reason, at } = tombstone;
  return {
    requestId,
    state: "withdrawn",
    openedAt: at,
    expiresAt: at,
    serverTime: now,
    humansPresent,
    outcome: { outcome: "cancelled" },
    settlement: { state: "withdrawn", at, reason },
    delivery: { state: "none", at },
  };
}
