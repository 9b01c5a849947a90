import type { Card } from "../protocol/index.ts";
import type { RoomEvent } from "../page/model/reduce.ts";
import type { StopReason } from "../page/text/stops.ts";
import { enter } from "./happen.ts";

/** What is done on the page once a state is drawn. */
export type Act =
  /** A press with a pointer, as soon as the target is live. */
  | { press: string }
  /** Opens a fold. */
  | { unfold: string };

interface Named {
  /** In addresses and file names. */
  name: string;
  says: string;
}

/** One state of the Room's page. */
export interface RoomShown extends Named {
  /** All that happened, in order: the page's own reducer makes the state of it. */
  events: readonly RoomEvent[];
  acts?: readonly Act[];
  /** More than one card, or something around it, is to be seen. */
  isWhole?: boolean;
  /** The page is put before somebody's eyes again and again. */
  isRestless?: boolean;
}

/** A page on which there is no Room. */
export interface DoorShown extends Named {
  door: "home" | "join" | StopReason;
}

export type Shown = RoomShown | DoorShown;

/** A state of one card. It waits in a Room, and then the events happen. */
export function cardShown(
  card: Card,
  says: string,
  events: readonly RoomEvent[] = [],
  acts: readonly Act[] = [],
): RoomShown {
  return { name: card.requestId, says, events: [...enter([card]), ...events], acts };
}
