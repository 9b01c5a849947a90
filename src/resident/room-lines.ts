import { describeEvent, type Emit, type ResidentEvent } from "./events.ts";
import type { RoomPort } from "./room-port.ts";

/** Tells the Room what it is to hear of, besides whoever `emit` tells. */
export function alsoInRoom(emit: Emit, room: () => Pick<RoomPort, "say"> | undefined): Emit {
  return (event) => {
    emit(event);
    const line = lineForRoom(event);
    if (line !== undefined) room()?.say(line);
  };
}

/** What the Room hears of an event: every end other than allow, and that the agent may act without asking. */
export function lineForRoom(event: ResidentEvent): string | undefined {
  switch (event.type) {
    case "settled":
      return event.reading === "approve" ? undefined : describeEvent(event);
    case "may_not_ask":
      // No mode, policy or path: that is the operator's.
      return "This agent may now act without asking.";
    default:
      return undefined;
  }
}
