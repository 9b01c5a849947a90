import type { Card, DeliveryState, Settlement, WithdrawReason } from "../../protocol/index.ts";
import { inLine } from "../safe-text.ts";
import { optionName } from "./option-words.ts";

const WITHDRAWN: Readonly<Record<WithdrawReason, string>> = {
  turn_ended: "the agent's turn ended",
  turn_cancelled: "the turn was cancelled",
  request_cancelled: "the agent took it back",
  tool_settled: "the tool had already finished",
  answered_elsewhere: "it was answered outside this Room",
  agent_ended: "the agent ended",
  resident_stopped: "whoever runs the agent stopped it",
  resident_deadline: "the agent waited no longer",
  resident_restarted: "the agent restarted",
  resident_left: "the agent left the Room",
  resident_removed: "the agent was removed from the Room",
  room_closed: "the Room was closed",
  no_human: "nobody was here",
};

/** Who ended a card, how and when. `youId`: the participant that this terminal is. */
export function settledWords(settlement: Settlement, youId: string | undefined): string {
  const at = clockTime(settlement.at);
  switch (settlement.state) {
    case "decided":
      return `decided by ${decider(settlement.by, youId)}: “${optionName(settlement.option)}”, ${at}`;
    case "dismissed":
      return `dismissed by ${decider(settlement.by, youId)}, ${at}; none of its options was chosen`;
    case "expired":
      return `expired, ${at}; nobody answered`;
    case "withdrawn":
      return `withdrawn, ${at}: ${WITHDRAWN[settlement.reason]}`;
  }
}

function decider(by: { participantId: string; name: string }, youId: string | undefined): string {
  return by.participantId === youId ? "you" : inLine(by.name);
}

const DELIVERY: Readonly<Record<DeliveryState, string | undefined>> = {
  none: undefined,
  waiting: "not with the agent yet",
  sent: "sent to the agent, not confirmed",
  applied: "applied",
  not_applied: "not applied: the agent had already moved on",
};

/** How far a settlement has come, where there is something to say. */
export function deliveryWords(state: DeliveryState): string | undefined {
  return DELIVERY[state];
}

/** Hours, minutes and seconds here. `at`: epoch milliseconds. */
export function clockTime(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** The resident's name, with the end of its id: no name can imitate that. */
export function residentName({ resident }: Pick<Card, "resident">): string {
  return nameWithId(resident);
}

export function nameWithId({ name, participantId }: Card["resident"]): string {
  return `${inLine(name)} (${inLine(idEnd(participantId))})`;
}

/** What tells participants apart whose names are equal. */
export function idEnd(participantId: string): string {
  return participantId.slice(-6);
}
