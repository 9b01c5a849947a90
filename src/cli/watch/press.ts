import { AnswerUnknown, type ClientFrame, NotSent, RoomRefusal } from "../../client/index.ts";
import type { ErrorDetail, FrameOf, RequestStatus } from "../../protocol/index.ts";

/** What became of a frame: only `accepted` says that the Room took it. */
export type Sent =
  | { state: "accepted"; status: RequestStatus | undefined }
  | { state: "refused"; error: ErrorDetail }
  /** It never left. */
  | { state: "not_sent" }
  /** It left, and the line was cut before its answer. */
  | { state: "unknown" };

/** Sends a frame and waits for its answer. Throws only for bugs. */
export async function sendFrame(
  socket: { send(frame: ClientFrame): Promise<FrameOf<"accepted">> },
  frame: ClientFrame,
): Promise<Sent> {
  try {
    return { state: "accepted", status: (await socket.send(frame)).status };
  } catch (error) {
    if (error instanceof RoomRefusal) return { state: "refused", error: error.detail };
    if (error instanceof NotSent) return { state: "not_sent" };
    if (error instanceof AnswerUnknown) return { state: "unknown" };
    throw error;
  }
}
