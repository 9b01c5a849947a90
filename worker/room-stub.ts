import type { Env } from "./env.ts";
import { HttpError } from "./http-error.ts";
import { logFault } from "./log.ts";
import type { Room } from "./room/room.ts";

export type RoomStub = DurableObjectStub<Room>;

/**
 * Calls a Room. An object that was moved or restarted in the middle is asked once more, through a fresh stub: every operation is
 * safe to repeat. One that is overloaded is not: that would make it worse.
 * @throws HttpError `unavailable`
 */
export async function callRoom<T>(
  env: Env,
  roomId: DurableObjectId,
  call: (room: RoomStub) => Promise<T>,
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
  return isPassing(error) && flagsOf(error).overloaded !== true;
}

function unavailable(error: unknown): Error {
  if (!isPassing(error)) return error as Error;
  logFault("room_unavailable", error);
  return new HttpError("unavailable", "The Room cannot be reached right now. Try again shortly.");
}

/** Whether the platform says that it was the moment and not the call: overload, a moved object, one that was cut off. */
function isPassing(error: unknown): boolean {
  const { retryable, overloaded, durableObjectReset } = flagsOf(error);
  return retryable === true || overloaded === true || durableObjectReset === true;
}

function flagsOf(error: unknown): ErrorFlags {
  return typeof error === "object" && error !== null ? error : {};
}

/** What the platform puts on an error of a call to an object. */
interface ErrorFlags {
  readonly retryable?: boolean;
  readonly overloaded?: boolean;
  readonly durableObjectReset?: boolean;
}
