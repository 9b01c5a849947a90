import type { Ruling } from "./decide.ts";
import { catchUp, confirm } from "./delivery.ts";
import { isSettled, type StoredCard } from "./stored-card.ts";

export type AcknowledgeAnswer = { code: "taken" } | { code: "not_settled" };

/** The resident says whether its agent got the outcome. One that comes twice, or too early, or too late changes nothing. */
export function acknowledge(
  card: StoredCard,
  applied: boolean,
  now: number,
): Ruling<AcknowledgeAnswer> {
  const current = catchUp(card, now);
  if (!isSettled(current)) return { card: current, answer: { code: "not_settled" } };
  return { card: confirm(current, applied, now), answer: { code: "taken" } };
}
