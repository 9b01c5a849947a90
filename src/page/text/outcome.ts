import type { WithdrawReason } from "../../protocol/index.ts";
import type { Said } from "./said.ts";

export const outcome = {
  youChose: <T>(option: T): Said<T> => ["You chose “", option, "”"],
  decidedBy: <T>(who: T, option: T): Said<T> => ["Decided by ", who, ": “", option, "”"],
  youDismissed: "Dismissed by you",
  dismissedBy: <T>(who: T): Said<T> => ["Dismissed by ", who],
  noneChosen: "None of the offered options was chosen.",
  agentDecidesScope: "The agent decides what this covers and how long it lasts.",
  expired: "Expired. Nobody answered.",
  expiredAt: (time: string) =>
    `Its time ran out at ${time}. Nothing was allowed; the agent may ask again.`,
  steps: "Delivery",
  decided: (time: string) => `Decided ${time}`,
  dismissed: (time: string) => `Dismissed ${time}`,
  toldExpired: (time: string) => `Expired ${time}`,
  onItsWay: <T>(resident: T): Said<T> => ["On its way to ", resident],
  waitsFor: <T>(resident: T): Said<T> => ["Waits for ", resident, ", offline"],
  sent: <T>(resident: T): Said<T> => ["Sent to ", resident],
  unconfirmed: "Not confirmed",
  applied: "Applied",
  appliedAt: (time: string) => `Applied ${time}`,
  notApplied: "Not applied: the agent had already moved on",
} as const;

/** Delivery in a word or two, for a row of the timeline. */
export const deliveryWords = {
  onItsWay: "On its way",
  waits: "Waits for it, offline",
  sent: "Sent, not confirmed",
  applied: "Applied",
  notApplied: "Not applied: the agent had already moved on",
} as const;

export const WITHDRAWN: Readonly<Record<WithdrawReason, { text: string; more: string }>> = {
  turn_ended: { text: "Withdrawn: the turn ended", more: "The agent no longer needs an answer." },
  turn_cancelled: {
    text: "Withdrawn: the turn was cancelled",
    more: "It was cancelled before anybody answered.",
  },
  request_cancelled: {
    text: "Withdrawn: the agent took it back",
    more: "It cancelled its own request before anybody answered.",
  },
  tool_settled: {
    text: "Withdrawn: the tool already finished",
    more: "It ended before anybody answered.",
  },
  answered_elsewhere: {
    text: "Withdrawn: answered elsewhere",
    more: "The agent got its answer outside this Room.",
  },
  agent_ended: { text: "Withdrawn: the agent ended", more: "Its process is gone." },
  resident_stopped: {
    text: "Withdrawn: the resident was stopped",
    more: "Whoever runs the agent stopped it.",
  },
  resident_deadline: {
    text: "Withdrawn: the resident waited no longer",
    more: "Its own time limit was up before anybody answered.",
  },
  resident_restarted: {
    text: "Withdrawn: the agent restarted",
    more: "The new process no longer holds this request.",
  },
  resident_left: { text: "Withdrawn: the agent left", more: "It left this Room." },
  resident_removed: {
    text: "Withdrawn: the resident was removed",
    more: "Somebody removed it from this Room.",
  },
  room_closed: { text: "Withdrawn: the Room was closed", more: "Nothing was answered." },
  no_human: {
    text: "Withdrawn: nobody was here",
    more: "The agent asked to wait only if a person was connected.",
  },
};
