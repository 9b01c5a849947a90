import type { Decider, Outcome } from "../protocol/index.ts";
import { describeEnd, describeThing, type EndReason } from "./reasons.ts";

/** What happened at a resident: ids, kinds, codes and reasons, never what the agent wanted to do nor an option's name. */
export type ResidentEvent =
  | { type: "asked"; requestId: string; toolKind: string; humansPresent: number }
  | {
      type: "settled";
      requestId: string;
      toolKind: string;
      offered: { optionId: string; kind?: string }[];
      /** What the agent was told. */
      outcome: Outcome;
      reason: EndReason;
      /** Only where that person pressed that option or dismiss. */
      by?: Decider;
    }
  | {
      /** The tool's own end, as the agent reports it: another fact than the decision. */
      type: "tool_finished";
      requestId: string;
      toolKind: string;
      status: "completed" | "failed";
    }
  /** What was wrong, where a reason alone does not say it. */
  | { type: "diagnostic"; requestId?: string; reason: EndReason; text: string }
  | { type: "room_unreachable"; status: number | undefined }
  | { type: "room_reached" }
  | { type: "room_lost"; reason: EndReason };

export type Emit = (event: ResidentEvent) => void;

/** An event as one line for people, or undefined where they need none. */
export function describeEvent(event: ResidentEvent): string | undefined {
  switch (event.type) {
    case "asked":
      return `${describeThing(event.toolKind)}: asking the Room (${event.humansPresent} present).`;
    case "settled":
      return describeEnd(event.toolKind, event.reason, event.by?.name);
    case "tool_finished":
      return `${describeThing(event.toolKind)}: the agent reports it as ${event.status}.`;
    case "diagnostic":
      return event.text;
    case "room_unreachable":
      return `Room unreachable (${event.status ?? "no answer"}). Trying again.`;
    case "room_reached":
      return "Room reached again.";
    case "room_lost":
      return `${LOST[event.reason] ?? "The Room cannot be used any more."} Nothing will be asked.`;
  }
}

const LOST: Partial<Record<EndReason, string>> = {
  room_closed: "The Room has ended.",
  resident_replaced: "Another connection of this resident took its place in the Room.",
  resident_removed: "This resident may no longer use the Room.",
};
