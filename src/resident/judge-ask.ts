import { decisionForOutcome, type GateReply } from "../gate/index.ts";
import { limits, type Outcome, type PermissionOption, type ToolCall } from "../protocol/index.ts";
import { fitAsk, readAsk } from "./ask.ts";
import type { IncomingAsk } from "./incoming-ask.ts";
import { isRecord } from "./json-record.ts";
import type { AskedThing } from "./parked-ask.ts";
import type { PolicyAnswer, PolicyKey, PolicyPort } from "./policy-port.ts";
import type { EndReason } from "./reasons.ts";
import { CANCELLED } from "./settled-answer.ts";
import type { ToolCallMemory } from "./tool-calls.ts";
import type { Turns } from "./turns.ts";

export interface JudgeParts {
  /** `own`: only sessions that were opened here, each in its turn. `any`: the agent is another client's. */
  accepts: "own" | "any";
  sessions: ReadonlySet<string>;
  turns: Pick<Turns, "get">;
  toolCalls: Pick<ToolCallMemory, "merge">;
  policy: PolicyPort;
  /** Shapes what people are to read: the policy has seen the call before. */
  shape(toolCall: ToolCall): unknown;
}

/** What an ask is: something to hold, or something that is answered at once. */
export type JudgedAsk =
  | { kind: "held"; asked: AskedThing }
  | {
      kind: "automatic";
      asked: AskedThing;
      outcome: Outcome;
      reason: EndReason;
      by: PolicyKey;
      diagnostic: string | undefined;
    }
  | { kind: "refused"; reason: EndReason; diagnostic: string | undefined };

/** Judges one ask: what it belongs to, whether it can be read, what the operator's policy says, whether it fits into a Room. */
export function judgeAsk(incoming: IncomingAsk, openAsks: number, parts: JudgeParts): JudgedAsk {
  const { params, flaw, signal } = incoming;
  if (!isRecord(params) || typeof params["sessionId"] !== "string") {
    return refuse("unreadable", "A permission request names no session.");
  }
  if (flaw !== undefined)
    return refuse("unreadable", `A permission request was not asked: ${flaw}.`);
  const { sessionId } = params;
  const isOwn = parts.accepts === "own";
  if (isOwn && !parts.sessions.has(sessionId)) {
    const text = "A permission request names a session that this resident did not open.";
    return refuse("unreadable", text);
  }
  if (signal.aborted) return refuse("request_cancelled");
  const turn = parts.turns.get(sessionId);
  // Nobody waits for the end of what is asked between turns.
  if (isOwn && turn === undefined) return refuse("turn_ended");
  if (turn?.cancelling === true) return refuse("turn_cancelled");
  if (openAsks >= limits.RESUME_IDS) {
    return refuse("over_limit", `Not asked: ${limits.RESUME_IDS} requests are open already.`);
  }
  const merged = parts.toolCalls.merge(sessionId, params["toolCall"]);
  if (merged.flaw !== undefined) {
    return refuse("unreadable", `A permission request was not asked: ${merged.flaw}.`);
  }
  const read = readAsk(merged.toolCall, params["options"]);
  if (read.kind !== "read") return refuseUnusable(read);
  const { toolCall, toolKind, options } = read;
  const asked = { sessionId, turnId: turn?.turnId, toolCall, toolKind, options };
  const automatic = parts.policy(toolCall, options);
  if (automatic.kind !== "ask") return answerAutomatically(asked, automatic);
  const fitting = fitAsk(parts.shape(toolCall), options);
  if (fitting.kind !== "fits") return refuseUnusable(fitting);
  return { kind: "held", asked: { ...asked, toolCall: fitting.toolCall } };
}

function answerAutomatically(
  asked: AskedThing,
  answer: Exclude<PolicyAnswer, { kind: "ask" }>,
): JudgedAsk {
  const { optionId, by } = answer;
  // A policy that names what was not offered has answered nothing.
  const isOffered = asked.options.some((option) => option.optionId === optionId);
  const outcome: Outcome =
    optionId !== undefined && isOffered ? { outcome: "selected", optionId } : CANCELLED;
  const reason = reasonOfPolicy(decisionForOutcome(outcome, asked.options));
  const isSurprise =
    answer.kind === "allow" && outcome.outcome === "selected" && reason !== "policy_allowed";
  const diagnostic = isSurprise ? NOTHING_ALLOWS : undefined;
  return { kind: "automatic", asked, outcome, reason, by, diagnostic };
}

const NOTHING_ALLOWS =
  "The policy allows it, but the option that it chose is of no kind that is known to allow. The agent has it; what it does with it shows in its own report.";

/** Why an ask ended that a policy answered, by what the agent was told and not by what the policy meant. */
function reasonOfPolicy({ kind }: GateReply): EndReason {
  switch (kind) {
    case "approve":
      return "policy_allowed";
    case "reject":
    case "teardown":
      return "policy_denied";
    case "unreadable":
      return "unreadable";
  }
}

function refuseUnusable({ kind, detail }: { kind: EndReason; detail: string }): JudgedAsk {
  return refuse(kind, `A permission request was not asked: ${detail}.`);
}

function refuse(reason: EndReason, diagnostic?: string): JudgedAsk {
  return { kind: "refused", reason, diagnostic };
}

/** What was offered, as it may be logged: ids and kinds, never a name. */
export function offeredOf(
  options: readonly PermissionOption[],
): { optionId: string; kind?: string }[] {
  return options.map(({ optionId, kind }) =>
    kind === undefined ? { optionId } : { optionId, kind },
  );
}
