import { endsAt, giveUp, isSettled, withdraw } from "../../src/approval/index.ts";
import { CLOSE } from "../../src/protocol/index.ts";
import { log } from "../log.ts";
import type { RoomParts } from "./room-parts.ts";
import { endUnreadable } from "./unreadable.ts";

/** How soon an ending that was cut short is taken up again. */
const FINISH_MS = 1000;

/**
 * Ends the Room: its end, every settlement and every final delivery in one write; then everyone is told and sent away. What is
 * left is `deleteAll`, which whoever finds `closedAt` finishes.
 */
export function endRoom(parts: RoomParts, now: number): void {
  const { dueCards, deadlines, room, sockets, longPolls, transaction } = parts;
  const announcements = transaction(() => {
    room.setClosed(now);
    return dueCards.unfinished().map((requestId) => endCard(parts, requestId, now));
  });
  deadlines.armBy(now + FINISH_MS, now);
  longPolls.wakeAll();
  for (const announce of announcements) announce();
  for (const socket of sockets.all()) {
    sockets.dismiss(socket, CLOSE.roomClosed, "the Room has ended");
  }
  log("room_ended");
}

/** @returns what tells everybody. */
function endCard(parts: RoomParts, requestId: string, now: number): () => void {
  const { cards, settling } = parts;
  try {
    const card = cards.find(requestId);
    if (card === undefined) return () => {};
    const { card: ended } = withdraw(card, "room_closed", now);
    const change = settling.store(card, isSettled(ended) ? giveUp(ended, now) : ended, now);
    return () => settling.announce(change, now);
  } catch (error) {
    return endUnreadable(parts, requestId, now, error);
  }
}

/** Notes whether the Room is idle, and says when it ends if nothing else happens. */
export function roomEndsAt(parts: RoomParts, now: number): number {
  const { dueCards, presence, room, settings } = parts;
  const { createdAt, joinedAt, idleSince } = room.get();
  const isIdle = presence.now(now).size === 0 && dueCards.unfinished().length === 0;
  const since = isIdle ? (idleSince ?? now) : undefined;
  if (since !== idleSince) room.setIdleSince(since);
  const life = { createdAt, isJoined: joinedAt !== undefined, idleSince: since };
  return endsAt(life, settings.life);
}
