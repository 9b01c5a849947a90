import type { GateReply } from "../gate/index.ts";
import type { Outcome } from "../protocol/index.ts";
import { oneLine } from "./one-line.ts";
import type { PolicyKey } from "./policy-port.ts";
import type { NotRun } from "./prompt-queue.ts";
import { describeEnd, describeThing, type EndReason } from "./reasons.ts";

/** Who answered an ask: a person who pressed an offered option or dismiss, an operator's policy, or nobody. */
export type AnsweredBy =
  | { who: "human"; participantId: string; name: string }
  | ({ who: "policy" } & PolicyKey)
  | { who: "nobody" };

/** One ask and its end: exactly one for every ask. */
export interface SettledEvent {
  type: "settled";
  requestId: string;
  toolKind: string;
  offered: { optionId: string; kind?: string }[];
  answeredBy: AnsweredBy;
  /** What the agent was told. */
  outcome: Outcome;
  /** What that means to whoever runs the tool. */
  reading: GateReply["kind"];
  reason: EndReason;
}

/** What happened at a resident: ids, kinds, codes and reasons, never what the agent wanted to do nor an option's name. */
export type ResidentEvent =
  | { type: "asked"; requestId: string; toolKind: string; humansPresent: number }
  | SettledEvent
  | {
      /** The tool's own end, as the agent reports it: another fact than the decision. */
      type: "tool_finished";
      requestId: string;
      toolKind: string;
      status: "completed" | "failed";
    }
  /** What was wrong, where a reason alone does not say it. */
  | { type: "diagnostic"; requestId?: string; reason?: EndReason; text: string }
  /** `by`: who in the Room addressed it to the agent. */
  | { type: "turn_started"; by?: string }
  | { type: "turn_ended"; end: TurnEnd }
  /** The session is now in a mode that is not known to ask. */
  | { type: "may_not_ask" }
  | { type: "room_unreachable"; status: number | undefined }
  | { type: "room_reached" }
  | { type: "room_lost"; reason: EndReason };

/** How one turn ended. A stop reason is the agent's: `cancelled` does not say that anybody cancelled. */
export type TurnEnd =
  /** `leftOutBytes`: what the answer had more than `text`. */
  | { kind: "answered"; stopReason: string; text: string; leftOutBytes: number }
  | { kind: "failed"; message: string }
  | NotRun;

export type Emit = (event: ResidentEvent) => void;

/** A diagnostic may name a place in what the agent sent. */
const DIAGNOSTIC_CHARACTERS = 1_000;
/** An agent's own words on why its turn failed. */
export const MESSAGE_CHARACTERS = 500;

/** An event as one line for people, or undefined where they need none. */
export function describeEvent(event: ResidentEvent): string | undefined {
  switch (event.type) {
    case "asked":
      return `${describeThing(event.toolKind)}: asking the Room (${event.humansPresent} present).`;
    case "settled":
      return describeEnd(
        event.toolKind,
        event.reason,
        describeAnswerer(event.answeredBy),
        event.outcome.outcome,
      );
    case "tool_finished":
      return `${describeThing(event.toolKind)}: the agent reports it as ${event.status}.`;
    case "diagnostic":
      return oneLine(event.text, DIAGNOSTIC_CHARACTERS);
    case "turn_started":
      return event.by === undefined
        ? undefined
        : `A turn begins: ${oneLine(event.by)} wrote to the agent.`;
    case "turn_ended":
      return describeTurn(event.end);
    case "may_not_ask":
      return "This agent may now act without asking: its session changed to a mode that is not known to ask.";
    case "room_unreachable":
      return `Room unreachable (${event.status ?? "no answer"}). Trying again.`;
    case "room_reached":
      return "Room reached again.";
    case "room_lost":
      return `${LOST[event.reason] ?? "The Room cannot be used any more."} Nothing will be asked.`;
  }
}

function describeTurn(end: TurnEnd): string {
  switch (end.kind) {
    case "answered":
      return `The agent ended its turn: ${oneLine(end.stopReason)}.`;
    case "failed":
      return `The turn failed: ${oneLine(end.message, MESSAGE_CHARACTERS)}`;
    case "not_run":
      return end.reason === "queue_full"
        ? "A prompt was not taken: too many wait already."
        : "A prompt did not run: this resident is ending.";
  }
}

function describeAnswerer(by: AnsweredBy): string | undefined {
  switch (by.who) {
    case "human":
      return oneLine(by.name);
    case "policy":
      return by.key === undefined ? "by no key" : `key ${JSON.stringify(by.key)}`;
    case "nobody":
      return undefined;
  }
}

const LOST: Partial<Record<EndReason, string>> = {
  room_closed: "The Room has ended.",
  resident_replaced: "Another connection of this resident took its place in the Room.",
  resident_removed: "This resident may no longer use the Room.",
};
