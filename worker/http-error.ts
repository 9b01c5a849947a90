import type { ErrorCode, ErrorDetail } from "../src/protocol/index.ts";
import type { RoomReply } from "./room/reply.ts";

/** The one table: what each error code is over HTTP. */
export const STATUS_OF: Readonly<Record<ErrorCode, number>> = {
  invalid_json: 400,
  invalid_request: 400,
  option_not_offered: 400,
  unauthorized: 401,
  human_only: 403,
  resident_only: 403,
  forbidden_host: 403,
  not_found: 404,
  room_not_found: 404,
  request_not_found: 404,
  participant_not_found: 404,
  method_not_allowed: 405,
  already_settled: 409,
  not_settled: 409,
  request_conflict: 409,
  not_extendable: 409,
  room_closed: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  upgrade_required: 426,
  too_many_pending: 429,
  rate_limited: 429,
  room_full: 429,
  internal: 500,
  unavailable: 503,
};

/** Seconds after which trying again makes sense. */
const RETRY_AFTER: Partial<Record<ErrorCode, number>> = {
  too_many_pending: 5,
  rate_limited: 10,
  unavailable: 2,
};

/** A call that cannot be answered with a success, thrown from wherever that is found out. */
export class HttpError extends Error {
  readonly code: ErrorCode;
  readonly detail: ErrorDetail;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    facts: Omit<ErrorDetail, "code" | "message"> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.code = code;
    this.detail = { code, message, ...facts };
    this.headers = headers;
  }
}

export function errorResponse(error: HttpError): Response {
  return refusal(error.code, JSON.stringify(error.detail), error.headers);
}

/** A Room's answer as an HTTP response. */
export function replyResponse({ answer, json }: RoomReply): Response {
  if (answer === "ok") return jsonResponse(200, json);
  if (answer === "created") return jsonResponse(201, json);
  return refusal(answer, json);
}

export function jsonResponse(
  status: number,
  json: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(json, {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
  });
}

function refusal(
  code: ErrorCode,
  detailJson: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const retryAfter = RETRY_AFTER[code];
  return jsonResponse(STATUS_OF[code], `{"error":${detailJson}}`, {
    ...headers,
    ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
  });
}
