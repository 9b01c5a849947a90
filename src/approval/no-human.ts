import { limits } from "../protocol/index.ts";
import { catchUp } from "./delivery.ts";
import { isSettled, settle, type StoredCard } from "./stored-card.ts";
import { withdraw } from "./withdraw.ts";

/** Who could answer, as far as the Room knows. */
export interface HumanPresence {
  /** Participants present now. */
  readonly present: number;
  /** A human's socket was cut without an event, as a deploy cuts every socket: they may be back in a moment. */
  readonly mayReturn: boolean;
}

/** What becomes of a new card whose resident does not want to wait in an empty Room. */
export function withoutHumans(card: StoredCard, humans: HumanPresence, now: number): StoredCard {
  if (humans.present > 0) return card;
  return humans.mayReturn
    ? { ...card, noHumanAt: now + limits.NO_HUMAN_GRACE_MS }
    : settle(card, { state: "withdrawn", at: now, reason: "no_human" });
}

/** The grace is over: with nobody back the card is withdrawn, otherwise it is a card like any other. */
export function endNoHumanGrace(card: StoredCard, humansPresent: number, now: number): StoredCard {
  const current = catchUp(card, now);
  if (isSettled(current) || current.noHumanAt === undefined || current.noHumanAt > now) {
    return current;
  }
  return humansPresent > 0
    ? { ...current, noHumanAt: undefined }
    : withdraw(current, "no_human", now).card;
}
