import type { GateAnswer } from "../../gate/index.ts";
import type { Settlement, WithdrawReason } from "../../protocol/index.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { refusalWords } from "../failure.ts";
import { inLine } from "../safe-text.ts";

export interface AskEnd {
  exitCode: ExitCode;
  /** For people: what happened, and what to do next. */
  text: string;
}

/** What a question came to. Only an approval of the gate's is exit code 0. */
export function describeAnswer(answer: GateAnswer): AskEnd {
  const { reply, end, status } = answer;
  const settlement = status?.settlement;
  if (reply.kind === "approve") {
    return { exitCode: EXIT.ok, text: `Allowed by ${pressed(settlement)}` };
  }
  if (reply.kind === "reject") {
    return { exitCode: EXIT.refused, text: `Refused by ${pressed(settlement)}` };
  }
  if (reply.kind === "unreadable") {
    return { exitCode: EXIT.failed, text: `Answered, but not understood: ${reply.message}` };
  }
  switch (end) {
    case "dismissed":
      return {
        exitCode: EXIT.refused,
        text: `Dismissed by ${decider(settlement)}: no option was chosen.`,
      };
    case "expired":
      return unanswered("Expired: nobody answered in time. Ask again for a new card.");
    case "no_human":
      return unanswered("Not asked: nobody is in the Room. Open its link, then ask again.");
    case "withdrawn":
      return unanswered(`Withdrawn: ${withdrawnWords(answer)}. Nobody answered.`);
    case "aborted":
      return unanswered("Withdrawn: it was stopped here. Nobody's answer counts any more.");
    case "unreachable":
      return failed(
        "The Room gave no answer until after the deadline. Take it as not allowed; check the connection, then ask again.",
      );
    case "refused":
      return failed(refusalWords(answer.code ?? "unknown", keptWords(answer)));
    case "decided":
      return failed(
        "Somebody answered, but too late to be used. Take it as not allowed, and ask again.",
      );
  }
}

function unanswered(text: string): AskEnd {
  return { exitCode: EXIT.unanswered, text };
}

function failed(text: string): AskEnd {
  return { exitCode: EXIT.failed, text };
}

function pressed(settlement: Settlement | undefined): string {
  if (settlement?.state !== "decided") return "somebody";
  return `${inLine(settlement.by.name)}: ${inLine(settlement.option.name)}`;
}

function decider(settlement: Settlement | undefined): string {
  return settlement?.state === "dismissed" ? inLine(settlement.by.name) : "somebody";
}

const WITHDRAWN: Partial<Record<WithdrawReason, string>> = {
  room_closed: "the Room has ended",
  resident_removed: "whoever asks was removed from the Room",
  resident_left: "whoever asks has left the Room",
};

/** A status means that people had the question before them. */
function keptWords({ status }: GateAnswer): string {
  return status === undefined
    ? "Nothing was asked."
    : "It was asked, but its answer cannot be heard here. Take it as not allowed.";
}

function withdrawnWords(answer: GateAnswer): string {
  const settlement = answer.status?.settlement;
  const reason = settlement?.state === "withdrawn" ? settlement.reason : answer.reason;
  return (reason === undefined ? undefined : WITHDRAWN[reason]) ?? "the question was taken back";
}
