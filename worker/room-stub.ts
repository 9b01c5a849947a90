import type { Env } from "./env.ts";
import { HttpError } from "./http-error.ts";
import { logFault } from "./log.ts";
import type { Room } from "./room/room.ts";

/**
 * Calls a Room. An object that was moved or restarted in the middle is asked once more, through a fresh stub: every operation is
 * safe to repeat. One that is overloaded is not: that would make it worse.
 * @throws HttpError `unavailable`
 */
export async function callRoom<T>(
  env: Env,
  roomId: DurableObjectId,
  call: (room: DurableObjectStub<Room>) => Promise<T>,
): Promise<T> {
  try {
    return await call(env.ROOMS.get(roomId));
  } catch (error) {
    if (!isRetryable(error)) throw unavailable(error);
  }
  try {
    return await call(env.ROOMS.get(roomId));
  } catch (error) {
    throw unavailable(error);
  }
}

function isRetryable(error: unknown): boolean {
  const flags = error as { retryable?: boolean; overloaded?: boolean };
  return flags.retryable === true && flags.overloaded !== true;
}

function unavailable(error: unknown): Error {
  const flags = error as { retryable?: boolean; overloaded?: boolean };
  if (flags.retryable !== true && flags.overloaded !== true) return error as Error;
  logFault("room_unavailable", error);
  return new HttpError("unavailable", "The Room cannot be reached right now. Try again shortly.");
}
