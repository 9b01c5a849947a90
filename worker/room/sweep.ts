import { catchUp } from "../../src/approval/index.ts";
import type { Settlement } from "../../src/protocol/index.ts";
import { logFault } from "../log.ts";
import type { RoomParts } from "./room-parts.ts";

/**
 * Settles every card that is due, each by itself: one bad row or one dead socket must not keep the others waiting.
 * With `residentId` only that resident's.
 */
export function settleDue(parts: RoomParts, now: number, residentId?: string): void {
  for (const requestId of parts.cards.due(now, residentId)) {
    try {
      const card = parts.cards.find(requestId);
      if (card === undefined) continue;
      parts.settling.announce(parts.settling.store(card, catchUp(card, now), now), now);
    } catch (error) {
      logFault("card_unreadable", error, { requestId });
      settleUnreadable(parts, requestId, now);
    }
  }
}

/** A card that cannot be read ends as expired, which allows nothing. */
function settleUnreadable(parts: RoomParts, requestId: string, now: number): void {
  try {
    const settlement: Settlement = { state: "expired", at: now };
    parts.cards.settleUnreadable(requestId, settlement);
    parts.sockets.toHumans(
      JSON.stringify({
        type: "card_settled",
        requestId,
        settlement,
        outcome: { outcome: "cancelled" },
        delivery: { state: "not_applied", at: now },
        serverTime: now,
      }),
    );
  } catch (error) {
    logFault("card_not_settled", error, { requestId });
  }
}
