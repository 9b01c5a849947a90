import { Hono } from "hono";
import {
  CLOSE,
  type CloseCode,
  type ErrorCode,
  parseAttempt,
  SUBPROTOCOL,
  TOKEN_SUBPROTOCOL_PREFIX,
} from "../../src/protocol/index.ts";
import { bearerOf, readCredential, TOKEN_KINDS } from "../credential.ts";
import type { Env } from "../env.ts";
import { errorResponse, HttpError, replyResponse } from "../http-error.ts";
import { limitRate } from "../rate-limit.ts";
import { callRoom } from "../room-stub.ts";
import { ATTEMPT_HEADER, REFUSAL_HEADER, TOKEN_HASH_HEADER } from "../room/room.ts";

export const socketRoutes = new Hono<{ Bindings: Env }>().get("/room/socket", async (call) => {
  const { env, req } = call;
  if (req.header("upgrade")?.toLowerCase() !== "websocket") {
    throw new HttpError(
      "upgrade_required",
      "This route is a WebSocket: connect with the subprotocols handraise.v1 and token.<credential>.",
      {},
      { upgrade: "websocket" },
    );
  }
  const offered = (req.header("sec-websocket-protocol") ?? "").split(",").map((one) => one.trim());
  const [inSubprotocol, ...more] = offered
    .filter((one) => one.startsWith(TOKEN_SUBPROTOCOL_PREFIX))
    .map((one) => one.slice(TOKEN_SUBPROTOCOL_PREFIX.length));
  const header = req.header("authorization");
  try {
    if (more.length > 0 || (inSubprotocol !== undefined && header !== undefined)) {
      throw new HttpError("unauthorized", "Send one credential, not two.");
    }
    if (!speaksVersion(offered, inSubprotocol !== undefined)) {
      throw new HttpError("invalid_request", "This Room speaks the subprotocol handraise.v1.");
    }
    const token =
      inSubprotocol === undefined
        ? await bearerOf(header, TOKEN_KINDS, env)
        : await readCredential(inSubprotocol, TOKEN_KINDS, env);
    await limitRate(env, "LIMIT_CALLS", token.hash);
    const response = await callRoom(env, token.roomId, (room) =>
      room.fetch(upgradeRequest(offered, token.hash)),
    );
    if (response.status === 101) return response;
    const answer = response.headers.get(REFUSAL_HEADER) as ErrorCode;
    const json = await response.text();
    return inSubprotocol === undefined
      ? replyResponse({ answer, json })
      : closedSocket(offered, closeCodeOf(answer));
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return inSubprotocol === undefined
      ? errorResponse(error)
      : closedSocket(offered, closeCodeOf(error.code));
  }
});

/** A client that sends its credential in a header may name no version at all, and gets the one there is. */
function speaksVersion(offered: readonly string[], mustName: boolean): boolean {
  if (offered.includes(SUBPROTOCOL)) return true;
  return !mustName && !offered.some((one) => one.startsWith("handraise."));
}

/** What the Room needs of an upgrade, and nothing else: no credential goes any further than here. */
function upgradeRequest(offered: readonly string[], hash: string): Request {
  const headers = new Headers({ upgrade: "websocket", [TOKEN_HASH_HEADER]: hash });
  if (offered.includes(SUBPROTOCOL)) headers.set("sec-websocket-protocol", SUBPROTOCOL);
  const attempt = offered.find((one) => parseAttempt(one) !== undefined);
  if (attempt !== undefined) headers.set(ATTEMPT_HEADER, attempt);
  return new Request("https://room/socket", { headers });
}

/** A browser cannot see the status of a refused upgrade: it gets an accepted socket, closed at once with the reason. */
function closedSocket(offered: readonly string[], code: CloseCode): Response {
  const { 0: client, 1: server } = new WebSocketPair();
  server.accept();
  server.close(code, "refused");
  const named = offered.find((one) => !one.startsWith(TOKEN_SUBPROTOCOL_PREFIX) && one !== "");
  return new Response(null, {
    status: 101,
    webSocket: client,
    headers: named === undefined ? {} : { "sec-websocket-protocol": named },
  });
}

function closeCodeOf(code: ErrorCode): CloseCode {
  switch (code) {
    case "room_not_found":
      return CLOSE.roomNotFound;
    case "room_closed":
      return CLOSE.roomClosed;
    case "invalid_request":
      return CLOSE.versionNotSpoken;
    case "room_full":
    case "rate_limited":
    case "unavailable":
      return CLOSE.limited;
    default:
      return CLOSE.unauthorized;
  }
}
