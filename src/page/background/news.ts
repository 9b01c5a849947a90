import type { Card } from "../../protocol/index.ts";
import { findEntry, isOver, isPending, type RoomState } from "../model/state.ts";

/** Cards that came and wait, after the announcement `seen`; and the announcement up to which that is told. */
export function readNews(state: RoomState, seen: number): { cards: Card[]; seen: number } {
  const cards = state.announcements
    .filter(({ id, about }) => id > seen && about === "opened")
    .map(({ requestId }) => findEntry(state, requestId))
    .flatMap((entry) => (entry !== undefined && isPending(entry) ? [entry.card] : []));
  return { cards, seen: state.announcements.at(-1)?.id ?? seen };
}

/** Whether a card still waits for a person, as far as this page knows. */
export function stillWaits(state: RoomState, requestId: string): boolean {
  const entry = findEntry(state, requestId);
  return entry !== undefined && isPending(entry) && !isOver(state);
}
