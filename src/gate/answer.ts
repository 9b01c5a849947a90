import type {
  PermissionOption,
  RequestStatus,
  Settlement,
  WithdrawReason,
} from "../protocol/index.ts";
import { decisionForOutcome, type GateReply } from "./decision-for-outcome.ts";

/** How a question ended. */
export type GateEnd =
  /** A person pressed an option: `reply` says what it means. */
  | "decided"
  | "dismissed"
  | "expired"
  | "withdrawn"
  | "no_human"
  /** By the caller's own signal. */
  | "aborted"
  /** The Room gave no answer until after the deadline. */
  | "unreachable"
  /** The Room, or this end in its place, would not take the question: `code` says why. */
  | "refused";

/** Anything but `reply.kind === "approve"` means: do not run it. */
export interface GateAnswer {
  reply: GateReply;
  end: GateEnd;
  /** As the Room told it last; absent where it never did, and where it told no more how a question ended that was open. */
  status?: RequestStatus;
  /** Of `refused`: an error code of the protocol. */
  code?: string;
  /** Of `withdrawn` without a status: why nothing could be heard of the question any more. */
  reason?: WithdrawReason;
}

/** What a settled request is answered with. `applied`: what the Room is told became of it; undefined where it wants to hear nothing. */
export interface SettledAnswer {
  answer: GateAnswer;
  applied: boolean | undefined;
}

/** Reads a settled status against the options that were offered. Only a decision can approve, and only where outcome and settlement name the same option. */
export function answerOf(
  status: RequestStatus,
  settlement: Settlement,
  offered: readonly PermissionOption[],
): SettledAnswer {
  const reply = replyOf(status, settlement, offered);
  const end = endOf(settlement);
  const answer: GateAnswer = { reply, end, status };
  if (settlement.state === "withdrawn") return { answer, applied: undefined };
  // A decision that reads as cancelled came too late: it was not acted on.
  const isTooLate = settlement.state === "decided" && reply.kind === "teardown";
  return { answer, applied: reply.kind !== "unreadable" && !isTooLate };
}

function replyOf(
  { outcome }: RequestStatus,
  settlement: Settlement,
  offered: readonly PermissionOption[],
): GateReply {
  const selected = outcome?.outcome === "selected" ? outcome.optionId : undefined;
  const pressed = settlement.state === "decided" ? settlement.option.optionId : undefined;
  if (selected !== undefined && selected !== pressed) {
    return { kind: "unreadable", message: "The Room's answer contradicts itself." };
  }
  return decisionForOutcome(outcome, offered);
}

function endOf(settlement: Settlement): GateEnd {
  if (settlement.state !== "withdrawn") return settlement.state;
  return settlement.reason === "no_human" ? "no_human" : "withdrawn";
}
