import type { RoomRefusal } from "./errors.ts";

/** Whether a refusal passes, so that the same call may succeed when repeated. A code that is not known is judged by its status. */
export function isPassing({ code, status }: Pick<RoomRefusal, "code" | "status">): boolean {
  switch (code) {
    case "rate_limited":
    case "unavailable":
    case "internal":
      return true;
    // These take somebody's answer or departure, not time.
    case "too_many_pending":
    case "room_full":
      return false;
    default:
      return status === 429 || status >= 500;
  }
}
