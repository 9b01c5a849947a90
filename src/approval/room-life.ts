import { limits } from "../protocol/index.ts";

/** What is known of a Room that bears on how long it lives. Times are epoch ms. */
export interface RoomLife {
  readonly createdAt: number;
  readonly isJoined: boolean;
  /** Since when nobody is present and no card is pending or waiting; undefined while that is not so. */
  readonly idleSince: number | undefined;
}

/** Bounds that a deployment may set for itself, in ms. */
export interface LifeBounds {
  readonly unjoinedMs: number;
  readonly idleMs: number;
  readonly maxMs: number;
}

export const DEFAULT_LIFE: LifeBounds = {
  unjoinedMs: limits.ROOM_UNJOINED_MS,
  idleMs: limits.ROOM_IDLE_MS,
  maxMs: limits.ROOM_MAX_MS,
};

/** When the Room ends if nothing else happens. */
export function endsAt(life: RoomLife, bounds: LifeBounds): number {
  const { createdAt, isJoined, idleSince } = life;
  const oldest = createdAt + bounds.maxMs;
  if (!isJoined) return Math.min(oldest, createdAt + bounds.unjoinedMs);
  return idleSince === undefined ? oldest : Math.min(oldest, idleSince + bounds.idleMs);
}
