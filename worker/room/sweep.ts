import { endNoHumanGrace } from "../../src/approval/index.ts";
import { logFault } from "../log.ts";
import type { RoomParts } from "./room-parts.ts";
import { endUnreadable } from "./unreadable.ts";

/**
 * Settles every card that is due, each by itself: one bad row or one dead socket must not keep the others waiting.
 * With `residentId` only that resident's.
 */
export function settleDue(parts: RoomParts, now: number, residentId?: string): void {
  for (const requestId of parts.dueCards.ids(now, residentId)) {
    try {
      settleOne(parts, requestId, now);
    } catch (error) {
      // Not even the fallback could be stored: the next alarm tries again.
      logFault("card_not_settled", error, { requestId });
    }
  }
}

function settleOne(parts: RoomParts, requestId: string, now: number): void {
  const { cards, presence, settling } = parts;
  try {
    const card = cards.find(requestId);
    if (card === undefined) return;
    const ruled = endNoHumanGrace(card, presence.humans(now), now);
    settling.announce(settling.store(card, ruled, now), now);
  } catch (error) {
    endUnreadable(parts, requestId, now, error)();
  }
}
