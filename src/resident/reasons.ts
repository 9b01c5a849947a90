import type { Outcome, Settlement, WithdrawReason } from "../protocol/index.ts";

/** Why an ask ended: the closed set that is logged. */
export type EndReason =
  | "human_allowed"
  | "human_refused"
  | "human_dismissed"
  | "policy_allowed"
  | "policy_denied"
  | "expired"
  | "no_human"
  | "turn_ended"
  | "turn_cancelled"
  | "request_cancelled"
  | "tool_settled"
  | "agent_ended"
  | "resident_stopped"
  | "resident_deadline"
  | "resident_replaced"
  | "resident_removed"
  | "too_late"
  | "room_closed"
  | "room_unreachable"
  | "over_limit"
  | "unreadable";

interface ReasonText {
  /** Completes "A command: …". */
  what: string;
  next: string;
}

/** One text per reason: what became of it and why, then what to do next. Never what the agent wanted to do. */
const TEXTS: Record<EndReason, ReasonText> = {
  human_allowed: { what: "allowed", next: "The agent goes on." },
  human_refused: { what: "not run, a person refused it", next: "The agent was told so." },
  human_dismissed: {
    what: "not run, a person dismissed the request",
    next: "Prompt again if it is still wanted.",
  },
  policy_allowed: { what: "allowed by the operator's policy", next: "The agent goes on." },
  policy_denied: {
    what: "not run, refused by the operator's policy",
    next: "Change the policy file if it is wanted.",
  },
  expired: {
    what: "expired, not run, nobody answered in time",
    next: "Ask again for a new card.",
  },
  no_human: {
    what: "not run, nobody was in the Room",
    next: "Open the Room's link, then prompt again.",
  },
  turn_ended: {
    what: "not run, the agent's turn was over before anybody answered",
    next: "Prompt again if it is still wanted.",
  },
  turn_cancelled: {
    what: "not run, the turn was cancelled",
    next: "Prompt again if it is still wanted.",
  },
  request_cancelled: { what: "not run, the agent took its request back", next: "Nothing to do." },
  tool_settled: {
    what: "closed, the agent settled it without the Room",
    next: "What became of it shows in the agent's own report.",
  },
  agent_ended: {
    what: "closed, the agent's process ended before anybody answered",
    next: "Start the agent again.",
  },
  resident_stopped: { what: "not run, this resident was stopped", next: "Start it again." },
  resident_deadline: {
    what: "not run, the Room fell silent until after the deadline",
    next: "Check the connection to the Room, then prompt again.",
  },
  resident_replaced: {
    what: "not run, another connection of this resident took its place",
    next: "Let only one process use this resident's place in the Room.",
  },
  resident_removed: {
    what: "not run, this resident may no longer use the Room",
    next: "Join again with an invite that is valid.",
  },
  too_late: {
    what: "not run, the decision arrived too late",
    next: "Prompt again if it is still wanted.",
  },
  room_closed: { what: "not run, the Room has ended", next: "Create a new Room." },
  room_unreachable: {
    what: "not run, the Room could not be reached or did not take it",
    next: "Check the Room's server and the connection to it, then prompt again.",
  },
  over_limit: {
    what: "not asked, it is larger than the Room takes, or too many wait at once",
    next: "Answer what waits, or have the agent do it in smaller steps.",
  },
  unreadable: {
    what: "not allowed, the request or the answer to it was not in order",
    next: "The output of this resident says what was wrong.",
  },
};

/** An option of a kind that is not known: the agent has it, and nobody here can say that it was not allowed. */
const UNKNOWN_KIND: ReasonText = {
  what: "answered, but with an option whose kind is not known here",
  next: "Whether the agent runs it is its own matter: look at its report.",
};

const THINGS: ReadonlyMap<string, string> = new Map([
  ["execute", "A command"],
  ["edit", "An edit"],
  ["delete", "A deletion"],
  ["move", "A move"],
  ["read", "A read"],
  ["search", "A search"],
  ["fetch", "A fetch"],
  ["think", "A thought"],
  ["switch_mode", "A change of mode"],
]);

/** The kind of a tool call as ACP names it, or "other": safe to print, unlike whatever else an agent may have sent. */
export function toolKindOf(kind: unknown): string {
  return typeof kind === "string" && THINGS.has(kind) ? kind : "other";
}

/** What kind of thing it is, in words. */
export function describeThing(toolKind: string): string {
  return THINGS.get(toolKind) ?? "A tool call";
}

/** One line for people: what kind of thing, what became of it and why, what to do next. `told`: what the agent was told. */
export function describeEnd(
  toolKind: string,
  reason: EndReason,
  by?: string,
  told?: Outcome["outcome"],
): string {
  const isUnknownKind = reason === "unreadable" && told === "selected";
  const { what, next } = isUnknownKind ? UNKNOWN_KIND : TEXTS[reason];
  const who = by === undefined ? "" : ` (${by})`;
  return `${describeThing(toolKind)}: ${what}${who}. ${next}`;
}

const ROOM_WITHDREW: Partial<Record<WithdrawReason, EndReason>> = {
  no_human: "no_human",
  room_closed: "room_closed",
  resident_removed: "resident_removed",
  resident_left: "resident_stopped",
  // The Room took this process for a successor of itself, which holds the card no more.
  resident_restarted: "resident_replaced",
};

/** Why an ask ended that the Room settled without a decision. */
export function reasonOfSettlement(
  settlement: Exclude<Settlement, { state: "decided" }>,
): EndReason {
  switch (settlement.state) {
    case "dismissed":
      return "human_dismissed";
    case "expired":
      return "expired";
    case "withdrawn": {
      // A resident's own reasons come back where its withdrawal overtook its request: they are named alike.
      const { reason } = settlement;
      return ROOM_WITHDREW[reason] ?? (reason in TEXTS ? (reason as EndReason) : "too_late");
    }
  }
}
