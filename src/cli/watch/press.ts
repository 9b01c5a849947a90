import { AnswerUnknown, type ClientFrame, NotSent, RoomRefusal } from "../../client/index.ts";
import type { ErrorDetail, FrameOf, RequestStatus } from "../../protocol/index.ts";
import { safeText } from "../safe-text.ts";

/** What became of a frame: only `accepted` says that the Room took it. */
export type Sent =
  | { state: "accepted"; status: RequestStatus | undefined }
  | { state: "refused"; error: ErrorDetail }
  /** It never left. */
  | { state: "not_sent" }
  /** It left, and the line was cut before its answer. */
  | { state: "unknown" };

export interface FrameSocket {
  send(frame: ClientFrame): Promise<FrameOf<"accepted">>;
}

/** Why the Room did not take a frame, after what it was. */
export function refusedWords({ code, message, settlement }: ErrorDetail): string {
  if (settlement !== undefined) return "not used, the card had ended already.";
  if (code === "rate_limited") return "not taken, too much at once. Try again in a moment.";
  return `not taken. The Room says: ${safeText(message)}`;
}

/** Sends a frame and waits for its answer. Throws only for bugs. */
export async function sendFrame(socket: FrameSocket, frame: ClientFrame): Promise<Sent> {
  try {
    return { state: "accepted", status: (await socket.send(frame)).status };
  } catch (error) {
    if (error instanceof RoomRefusal) return { state: "refused", error: error.detail };
    if (error instanceof NotSent) return { state: "not_sent" };
    if (error instanceof AnswerUnknown) return { state: "unknown" };
    throw error;
  }
}
