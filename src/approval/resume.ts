import { acknowledge } from "./acknowledge.ts";
import { catchUp, giveUp, markSent } from "./delivery.ts";
import { isSettled, type SettledCard, type StoredCard } from "./stored-card.ts";
import { withdraw } from "./withdraw.ts";

/** What a resident's process knows when its socket is back. */
export interface ResumeCommand {
  /** Requests that it still holds. */
  readonly parked: ReadonlySet<string>;
  /** What it did, by requestId, as far as nobody confirmed that. */
  readonly answered: ReadonlyMap<string, boolean>;
  /** The newest card that was open when this socket was accepted: a later one may not have reached `parked` yet. */
  readonly lastSeqBefore: number;
}

export interface Resumed {
  readonly before: StoredCard;
  readonly card: StoredCard;
  /** The resident still holds this request and must be told its outcome. */
  readonly isOwed: boolean;
}

/** Brings one of the resident's cards into line with what its process still holds. */
export function resume(card: StoredCard, command: ResumeCommand, now: number): Resumed {
  const { requestId } = card;
  const applied = command.answered.get(requestId);
  const current = applied === undefined ? catchUp(card, now) : acknowledge(card, applied, now).card;
  const isHeld = command.parked.has(requestId);
  if (isSettled(current)) {
    const settled: SettledCard = isHeld ? markSent(current, now) : giveUp(current, now);
    return { before: card, card: settled, isOwed: isHeld };
  }
  if (isHeld || current.seq > command.lastSeqBefore) {
    return { before: card, card: current, isOwed: false };
  }
  return {
    before: card,
    card: withdraw(current, "resident_restarted", now).card,
    isOwed: false,
  };
}
