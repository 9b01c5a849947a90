import type { ResidentWithdrawReason, WithdrawReason } from "../protocol/index.ts";
import type { AlreadySettled, Ruling } from "./decide.ts";
import { catchUp } from "./delivery.ts";
import { isSettled, settle, type StoredCard } from "./stored-card.ts";

export type WithdrawAnswer = { code: "withdrawn" } | { code: "repeated" } | AlreadySettled;

/** The asker takes its question back, or the Room does because nobody is left to hear the answer. */
export function withdraw(
  card: StoredCard,
  reason: WithdrawReason,
  now: number,
): Ruling<WithdrawAnswer> {
  const current = catchUp(card, now);
  if (!isSettled(current)) {
    return {
      card: settle(current, { state: "withdrawn", at: now, reason }),
      answer: { code: "withdrawn" },
    };
  }
  const { settlement } = current;
  const isRepeat = settlement.state === "withdrawn" && settlement.reason === reason;
  return {
    card: current,
    answer: isRepeat ? { code: "repeated" } : { code: "already_settled", settlement },
  };
}

/** A withdrawal that came before its own request: it keeps the delayed request from becoming a card that nobody holds. */
export interface Tombstone {
  readonly requestId: string;
  readonly residentId: string;
  readonly reason: ResidentWithdrawReason;
  readonly at: number;
}
