import type { ErrorDetail } from "../protocol/index.ts";

/** The Room answered with an error envelope. A `code` that its reader does not know is to be treated by `status`. */
export class RoomRefusal extends Error {
  override readonly name = "RoomRefusal";
  readonly code: string;
  /** The HTTP status; 0 for a `rejected` frame. */
  readonly status: number;
  readonly detail: ErrorDetail;
  /** What the Room asked for with `Retry-After`. */
  readonly retryAfterMs: number | undefined;

  constructor(detail: ErrorDetail, status: number, retryAfterMs?: number) {
    super(detail.message);
    this.code = detail.code;
    this.status = status;
    this.detail = detail;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * No answer in the Room's own words: a network failure, a time-out, HTML, a 5xx or 404 without envelope, a malformed body.
 * It says nothing about what a person wants, nor whether a call took effect.
 */
export class RoomUnreachable extends Error {
  override readonly name = "RoomUnreachable";
  /** The HTTP status, where there was one. */
  readonly status: number | undefined;

  constructor(status: number | undefined, options?: ErrorOptions) {
    super(`Room unreachable (${status ?? "no connection"})`, options);
    this.status = status;
  }
}

/** The frame never left: there was no open socket, or it was longer than a socket may carry. */
export class NotSent extends Error {
  override readonly name = "NotSent";

  constructor(message = "Not sent: no connection to the Room") {
    super(message);
  }
}

/** The frame left, but no answer came before its socket ended: whether it took effect is not known until the next welcome. */
export class AnswerUnknown extends Error {
  override readonly name = "AnswerUnknown";

  constructor() {
    super("The connection to the Room ended before it answered");
  }
}
