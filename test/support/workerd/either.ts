import type { ErrorDetail, FrameOf, RequestStatus } from "../../../src/protocol/index.ts";
import type { Reply } from "./room.ts";

/** What a participant is told of a request, over either transport, in one form. */
export interface Told {
  /** `ok`, or the error's. */
  readonly code: string;
  readonly status?: RequestStatus | undefined;
  readonly error?: ErrorDetail | undefined;
}

export function toldByFrame(answer: FrameOf<"accepted"> | FrameOf<"rejected">): Told {
  return answer.type === "accepted"
    ? { code: "ok", status: answer.status }
    : { code: answer.error.code, error: answer.error };
}

export function toldByHttp({ status, body }: Reply<RequestStatus>): Told {
  const error = body.error as ErrorDetail | undefined;
  if (error === undefined) return { code: "ok", status: body };
  if (status < 400) throw new Error(`an error with status ${status}`);
  return { code: error.code, error };
}
