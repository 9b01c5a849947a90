import type { AlreadySettled, Ruling } from "./decide.ts";
import { catchUp } from "./delivery.ts";
import { isSettled, type StoredCard } from "./stored-card.ts";

export type ExtendAnswer =
  | { code: "extended" }
  | { code: "unchanged" }
  | { code: "not_extendable" }
  | AlreadySettled;

/**
 * A human gives everybody more time: the request's own time once more, up to the resident's maximum. `seen` is the deadline
 * that the human saw: where it has moved since, two people meant the same extension, and it is not made twice.
 */
export function extend(card: StoredCard, seen: number, now: number): Ruling<ExtendAnswer> {
  const current = catchUp(card, now);
  if (isSettled(current)) {
    return {
      card: current,
      answer: { code: "already_settled", settlement: current.settlement },
    };
  }
  const { expiresAt, maxExpiresAt, expiresInMs } = current;
  if (maxExpiresAt === undefined) return { card: current, answer: { code: "not_extendable" } };
  if (seen !== expiresAt) return { card: current, answer: { code: "unchanged" } };
  if (expiresAt >= maxExpiresAt) return { card: current, answer: { code: "not_extendable" } };
  return {
    card: { ...current, expiresAt: Math.min(maxExpiresAt, expiresAt + expiresInMs) },
    answer: { code: "extended" },
  };
}
