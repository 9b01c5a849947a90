import { isSettled, type ResumeCommand, resume } from "../../src/approval/index.ts";
import type { Handled } from "./permissions.ts";
import { ok } from "./reply.ts";
import type { RoomParts } from "./room-parts.ts";

/** Brings the Room into line with what a resident's process still holds, once per socket, all of it or nothing. */
export function resumeResident(
  parts: RoomParts,
  residentId: string,
  held: ResumeCommand,
  now: number,
): Handled {
  const { cards, settling } = parts;
  const named = [...held.parked, ...held.answered.keys()];
  const changes = parts.transaction(() =>
    cards.ofResume(residentId, named).map((card) => {
      const { card: ruled, isOwed } = resume(card, held, now);
      return { ...settling.store(card, ruled, now), isOwed };
    }),
  );
  const announce = (): void => {
    for (const { isOwed, ...change } of changes) {
      const { after } = change;
      if (isOwed && isSettled(after)) {
        settling.tellHumans({ ...change, after: settling.sendDecision(after, now) }, now);
      } else {
        settling.announce(change, now);
      }
    }
  };
  return { reply: ok({}), announce };
}
