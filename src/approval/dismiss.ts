import type { Decider } from "../protocol/index.ts";
import type { AlreadySettled, Ruling } from "./decide.ts";
import { catchUp } from "./delivery.ts";
import { isSettled, settle, type StoredCard } from "./stored-card.ts";

export type DismissAnswer = { code: "dismissed" } | { code: "repeated" } | AlreadySettled;

/** A human refuses without selecting an option: never an agent's own "no". Its own repeat is a success. */
export function dismiss(card: StoredCard, by: Decider, now: number): Ruling<DismissAnswer> {
  const current = catchUp(card, now);
  if (!isSettled(current)) {
    return {
      card: settle(current, { state: "dismissed", at: now, by }),
      answer: { code: "dismissed" },
    };
  }
  const { settlement } = current;
  const isOwnRepeat =
    settlement.state === "dismissed" && settlement.by.participantId === by.participantId;
  return {
    card: current,
    answer: isOwnRepeat ? { code: "repeated" } : { code: "already_settled", settlement },
  };
}
