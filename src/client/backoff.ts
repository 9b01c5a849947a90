/** Bound of the first wait; it doubles with each attempt up to RECONNECT_CAP_MS. */
export const RECONNECT_BASE_MS = 500;
export const RECONNECT_CAP_MS = 15_000;
/** A connection welcomed for this long starts the next series of waits anew; a shorter one could flap. */
export const STABLE_CONNECTION_MS = 5_000;

/**
 * How long to wait before a connection attempt, in milliseconds: full jitter, anything from 0 to the bound, so that people whom
 * one deploy cut off do not all come back in the same moment. `random` is in [0, 1).
 */
export function reconnectDelay(attempt: number, random: () => number): number {
  const bound = Math.min(RECONNECT_CAP_MS, RECONNECT_BASE_MS * 2 ** attempt);
  return Math.floor(random() * bound);
}
