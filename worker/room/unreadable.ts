import type { FrameOf, Settlement } from "../../src/protocol/index.ts";
import { logFault } from "../log.ts";
import type { RoomParts } from "./room-parts.ts";

/**
 * Ends a card whose row cannot be read, without reading it: pending it ends as expired, which allows nothing; settled it stays
 * what it is, and is not applied. @returns what tells people.
 */
export function endUnreadable(
  parts: RoomParts,
  requestId: string,
  now: number,
  error: unknown,
): () => void {
  logFault("card_unreadable", error, { requestId });
  const { dueCards, longPolls, sockets } = parts;
  const delivery = { state: "not_applied", at: now } as const;
  const settlement: Settlement = { state: "expired", at: now };
  if (!dueCards.expireUnreadable(requestId, settlement)) {
    dueCards.giveUpUnreadable(requestId, now);
    const frame: FrameOf<"card_delivery"> = { type: "card_delivery", requestId, delivery };
    return () => sockets.toHumans(JSON.stringify(frame));
  }
  const frame: FrameOf<"card_settled"> = {
    type: "card_settled",
    requestId,
    settlement,
    outcome: { outcome: "cancelled" },
    delivery,
    serverTime: now,
  };
  return () => {
    longPolls.wake(requestId);
    sockets.toHumans(JSON.stringify(frame));
  };
}
