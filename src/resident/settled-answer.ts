import type { Decider, Outcome, PermissionOption, Settlement } from "../protocol/index.ts";
import { type EndReason, reasonOfKind, reasonOfSettlement } from "./reasons.ts";

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
 * outcome and settlement must name the same one.
 */
export function answerOf(
  options: readonly PermissionOption[],
  outcome: Outcome,
  settlement: Settlement,
): SettledAnswer {
  if (settlement.state === "withdrawn") {
    const reason = reasonOfSettlement(settlement);
    return { outcome: CANCELLED, reason, acknowledge: "no" };
  }
  if (settlement.state !== "decided") {
    const reason = reasonOfSettlement(settlement);
    const by = settlement.state === "dismissed" ? { by: settlement.by } : {};
    return { outcome: CANCELLED, reason, ...by, acknowledge: "when_given" };
  }
  if (outcome.outcome === "cancelled") {
    return { outcome: CANCELLED, reason: "too_late", acknowledge: "not_applied" };
  }
  const option = options.find(({ optionId }) => optionId === outcome.optionId);
  if (option === undefined || settlement.option.optionId !== option.optionId) {
    const offered = options.map(({ optionId }) => inAscii(optionId)).join(", ");
    const diagnostic = `The Room decided ${inAscii(outcome.optionId)}, but offered were ${offered}.`;
    return { outcome: CANCELLED, reason: "unreadable", acknowledge: "not_applied", diagnostic };
  }
  return {
    outcome: { outcome: "selected", optionId: option.optionId },
    reason: reasonOfKind(option.kind),
    by: settlement.by,
    acknowledge: "when_given",
  };
}

/** An opaque id for a terminal: no character of it can act there. */
function inAscii(text: string): string {
  return JSON.stringify(text).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
