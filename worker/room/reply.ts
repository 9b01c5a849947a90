import type { ErrorCode, ErrorDetail } from "../../src/protocol/index.ts";

/**
 * What an operation of the Room answers, over HTTP as over a socket. The body is JSON text, because an agent's options have no
 * closed type that could cross an RPC.
 */
export interface RoomReply {
  readonly answer: "ok" | "created" | ErrorCode;
  /** The body of a success, or an `ErrorDetail`. */
  readonly json: string;
}

export function ok(body: object): RoomReply {
  return { answer: "ok", json: JSON.stringify(body) };
}

export function created(body: object): RoomReply {
  return { answer: "created", json: JSON.stringify(body) };
}

export function refused(detail: ErrorDetail & { code: ErrorCode }): RoomReply {
  return { answer: detail.code, json: JSON.stringify(detail) };
}

export function isRefusal(reply: RoomReply): boolean {
  return reply.answer !== "ok" && reply.answer !== "created";
}
