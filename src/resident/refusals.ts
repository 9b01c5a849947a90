import { isPassing, type RoomRefusal } from "../client/index.ts";
import { CLOSE } from "../protocol/index.ts";
import type { EndReason } from "./reasons.ts";

export type JudgedRefusal =
  /** The Room is gone for this resident. */
  | { kind: "lost"; reason: EndReason }
  /** It passes: repeat. */
  | { kind: "passing" }
  /** Repeating is no use. */
  | { kind: "final"; reason: EndReason };

/** What a refusal means to a resident. A code that is not known is judged by its status. */
export function judgeRefusal({
  code,
  status,
}: Pick<RoomRefusal, "code" | "status">): JudgedRefusal {
  switch (code) {
    case "room_closed":
    case "room_not_found":
      return { kind: "lost", reason: "room_closed" };
    case "unauthorized":
      return { kind: "lost", reason: "resident_removed" };
    // An agent with this many open questions is not helped by another that waits unseen.
    case "too_many_pending":
    case "payload_too_large":
    case "room_full":
      return { kind: "final", reason: "over_limit" };
    case "invalid_json":
    case "invalid_request":
    case "request_conflict":
    case "already_settled":
      return { kind: "final", reason: "unreadable" };
    default:
      break;
  }
  if (status === 401) return { kind: "lost", reason: "resident_removed" };
  if (status === 410) return { kind: "lost", reason: "room_closed" };
  if (isPassing({ code, status })) return { kind: "passing" };
  return { kind: "final", reason: status === 413 ? "over_limit" : "room_unreachable" };
}

/** Why the Room is gone, by a close code after which no client reconnects. */
export function reasonOfClose(code: number): EndReason {
  switch (code) {
    case CLOSE.roomClosed:
    case CLOSE.roomNotFound:
      return "room_closed";
    case CLOSE.replaced:
      return "resident_replaced";
    case CLOSE.unauthorized:
      return "resident_removed";
    default:
      return "room_unreachable";
  }
}
