import type { Decider, Settlement } from "../protocol/index.ts";
import { catchUp } from "./delivery.ts";
import { isSettled, settle, type StoredCard } from "./stored-card.ts";

/** What a rule leads to: the card as it is from now on, and the answer to whoever asked. */
export interface Ruling<A> {
  readonly card: StoredCard;
  readonly answer: A;
}

export type AlreadySettled = { code: "already_settled"; settlement: Settlement };
export type DecideAnswer =
  | { code: "decided" }
  | { code: "repeated" }
  | { code: "option_not_offered" }
  | AlreadySettled;

/**
 * A human selects one offered option. The first valid decision in time wins; its own repeat is a success. The option is
 * compared as it is, byte for byte: ids that differ only in white space or normalisation are different options.
 */
export function decide(
  card: StoredCard,
  by: Decider,
  optionId: string,
  now: number,
): Ruling<DecideAnswer> {
  const current = catchUp(card, now);
  if (isSettled(current)) {
    const { settlement } = current;
    const isOwnRepeat =
      settlement.state === "decided" &&
      settlement.by.participantId === by.participantId &&
      settlement.option.optionId === optionId;
    return {
      card: current,
      answer: isOwnRepeat ? { code: "repeated" } : { code: "already_settled", settlement },
    };
  }
  const option = current.options.find((offered) => offered.optionId === optionId);
  if (option === undefined) return { card: current, answer: { code: "option_not_offered" } };
  return {
    card: settle(current, { state: "decided", at: now, by, option }),
    answer: { code: "decided" },
  };
}
