import { decisionForOutcome, type GateReply } from "../gate/index.ts";
import type { Decider, Outcome, PermissionOption, Settlement } from "../protocol/index.ts";
import { type EndReason, reasonOfSettlement } from "./reasons.ts";

export const CANCELLED: Outcome = { outcome: "cancelled" };

/** What an agent is told, and what the Room is told of that. */
export interface SettledAnswer {
  outcome: Outcome;
  reason: EndReason;
  by?: Decider;
  /** `when_given`: that the agent has it is the acknowledgement. `not_applied`: the agent is told something else. */
  acknowledge: "when_given" | "not_applied" | "no";
  diagnostic?: string;
}

/**
 * What a settlement of the Room means to the agent that offered these options. Only a decision of one of them selects anything;
 * outcome and settlement must name the same one. `onExpiry: "reject"` is the operator's: it selects the only offered `reject_once`.
 */
export function answerOf(
  options: readonly PermissionOption[],
  outcome: Outcome,
  settlement: Settlement,
  onExpiry: "cancel" | "reject" = "cancel",
): SettledAnswer {
  switch (settlement.state) {
    case "withdrawn":
      return {
        outcome: CANCELLED,
        reason: reasonOfSettlement(settlement),
        acknowledge: "no",
      };
    case "dismissed":
      return {
        outcome: CANCELLED,
        reason: "human_dismissed",
        by: settlement.by,
        acknowledge: "when_given",
      };
    case "expired":
      return {
        outcome: onExpiry === "reject" ? onlyRefusal(options) : CANCELLED,
        reason: "expired",
        acknowledge: "when_given",
      };
    case "decided":
      return answerOfDecision(options, outcome, settlement);
  }
}

function answerOfDecision(
  options: readonly PermissionOption[],
  outcome: Outcome,
  settlement: Extract<Settlement, { state: "decided" }>,
): SettledAnswer {
  if (outcome.outcome === "cancelled") {
    return { outcome: CANCELLED, reason: "too_late", acknowledge: "not_applied" };
  }
  const option = options.find(({ optionId }) => optionId === outcome.optionId);
  const pressed = settlement.option.optionId;
  if (option === undefined || pressed !== option.optionId) {
    const decided = `The Room decided ${inAscii(outcome.optionId)}`;
    const offered = options.map(({ optionId }) => inAscii(optionId)).join(", ");
    const diagnostic =
      option === undefined
        ? `${decided}, but offered were ${offered}.`
        : `${decided}, but says that ${inAscii(pressed)} was pressed.`;
    return { outcome: CANCELLED, reason: "unreadable", acknowledge: "not_applied", diagnostic };
  }
  const selected: Outcome = { outcome: "selected", optionId: option.optionId };
  const reading = decisionForOutcome(selected, options);
  return {
    outcome: selected,
    reason: reasonOfReading(reading),
    by: settlement.by,
    acknowledge: "when_given",
    ...(reading.kind === "unreadable" ? { diagnostic: UNKNOWN_KIND } : {}),
  };
}

const UNKNOWN_KIND =
  "The option that was pressed is of a kind that is not known here. The agent has it; what it does with it shows in its own report.";

/** Why an ask ended that a person decided, by what the pressed option means. */
function reasonOfReading(reading: GateReply): EndReason {
  switch (reading.kind) {
    case "approve":
      return "human_allowed";
    case "reject":
      return "human_refused";
    case "teardown":
    case "unreadable":
      return "unreadable";
  }
}

/** The only `reject_once` that was offered; between two nobody here chooses. */
function onlyRefusal(options: readonly PermissionOption[]): Outcome {
  const [refusal, ...others] = options.filter(({ kind }) => kind === "reject_once");
  if (refusal === undefined || others.length > 0) return CANCELLED;
  return { outcome: "selected", optionId: refusal.optionId };
}

/** An opaque id for a terminal: no character of it can act there. */
function inAscii(text: string): string {
  return JSON.stringify(text).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
