import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { isNameShared, isOver, type CardEntry, type RoomState } from "../model/state.ts";
import { RoomProvider, useRoom } from "./room-context.ts";

/** Every frame sets the clock by a few milliseconds, which nobody can see. */
const CLOCK_MS = 200;

/**
 * The Room as one card sees it: another one only where something has changed that the card shows. Else each frame would draw every
 * card of a crowd. `children` may depend on the entry alone.
 */
export function SteadyRoom({ entry, children }: { entry: CardEntry; children: ComponentChildren }) {
  const room = useRoom();
  const { state, session } = room;
  const clock = Math.round(state.clockOffset / CLOCK_MS);
  const names = sharedNames(entry, state);
  const { live, participants, you } = state;
  return useMemo(
    () => <RoomProvider value={room}>{children}</RoomProvider>,
    [entry, session, live, isOver(state), participants, you, clock, names],
  );
}

/** Which of the card's names need an id beside them. */
function sharedNames({ card }: CardEntry, state: RoomState): string {
  const { resident, settlement } = card;
  const people = settlement !== undefined && "by" in settlement ? [settlement.by] : [];
  return [resident, ...people]
    .map(({ name, participantId }) => isNameShared(state, name, participantId))
    .join();
}
