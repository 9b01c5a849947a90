import { type Context, Hono } from "hono";
import {
  ackBody,
  decideBody,
  emptyBody,
  extendBody,
  limits,
  permissionRequest,
  requestId,
  withdrawBody,
} from "../../src/protocol/index.ts";
import { bearerOf, type PresentedCredential, TOKEN_KINDS } from "../credential.ts";
import type { Env } from "../env.ts";
import { HttpError, replyResponse } from "../http-error.ts";
import { limitRate } from "../rate-limit.ts";
import { readBody } from "../read-body.ts";
import { commandOf } from "../request-content.ts";
import { callRoom, type RoomStub } from "../room-stub.ts";
import type { RoomReply } from "../room/reply.ts";

type Call = Context<{ Bindings: Env }>;

export const permissionRoutes = new Hono<{ Bindings: Env }>()
  .use(async (call, next) => {
    // Hono answers a HEAD as a GET without its body, and would mark as sent what nobody got.
    if (call.req.method === "HEAD") {
      throw new HttpError("method_not_allowed", "This route takes GET.", {}, { allow: "GET" });
    }
    await next();
  })
  .post("/request", async (call) => {
    const token = await tokenOf(call);
    const content = await commandOf(await readBody(call.req.raw, permissionRequest));
    if (!content.ok) return replyResponse(content.reply);
    return ask(call, token, (room) => room.request(token.hash, content.command));
  })
  .get("/:requestId", async (call) => {
    const token = await tokenOf(call);
    const [id, waitMs] = [idOf(call), waitMsOf(call)];
    return ask(call, token, (room) => room.status(token.hash, id, waitMs));
  })
  .get("/:requestId/tool-call", async (call) => {
    const token = await tokenOf(call);
    const id = idOf(call);
    return ask(call, token, (room) => room.toolCall(token.hash, id));
  })
  .post("/:requestId/decide", async (call) => {
    const token = await tokenOf(call);
    const id = idOf(call);
    const { optionId } = await readBody(call.req.raw, decideBody);
    return ask(call, token, (room) => room.decide(token.hash, id, optionId));
  })
  .post("/:requestId/dismiss", async (call) => {
    const token = await tokenOf(call);
    const id = idOf(call);
    await readBody(call.req.raw, emptyBody);
    return ask(call, token, (room) => room.dismiss(token.hash, id));
  })
  .post("/:requestId/extend", async (call) => {
    const token = await tokenOf(call);
    const id = idOf(call);
    const { expiresAt } = await readBody(call.req.raw, extendBody);
    return ask(call, token, (room) => room.extend(token.hash, id, expiresAt));
  })
  .post("/:requestId/withdraw", async (call) => {
    const token = await uncountedTokenOf(call);
    const id = idOf(call);
    const { reason } = await readBody(call.req.raw, withdrawBody);
    return ask(call, token, (room) => room.withdraw(token.hash, id, reason));
  })
  .post("/:requestId/ack", async (call) => {
    const token = await uncountedTokenOf(call);
    const id = idOf(call);
    const { applied } = await readBody(call.req.raw, ackBody);
    return ask(call, token, (room) => room.acknowledge(token.hash, id, applied));
  });

async function ask(
  { env }: Call,
  token: PresentedCredential,
  call: (room: RoomStub) => Promise<RoomReply>,
): Promise<Response> {
  return replyResponse(await callRoom(env, token.roomId, call));
}

async function tokenOf(call: Call): Promise<PresentedCredential> {
  const token = await uncountedTokenOf(call);
  await limitRate(call.env, "LIMIT_CALLS", token.hash);
  return token;
}

/** Acknowledgements and withdrawals are never held up: they only ever make things safer. */
function uncountedTokenOf({ env, req }: Call): Promise<PresentedCredential> {
  return bearerOf(req.header("authorization"), TOKEN_KINDS, env);
}

/** An id that has not the form of one was never used. @throws HttpError `request_not_found` */
function idOf({ req }: Call): string {
  const parsed = requestId.safeParse(req.param("requestId"));
  if (parsed.success) return parsed.data;
  throw new HttpError("request_not_found", "This Room knows no such request of yours.");
}

/** How long the caller wants to wait for a settlement; longer than allowed counts as the most that is. @throws HttpError */
function waitMsOf({ req }: Call): number {
  const text = req.query("waitMs");
  if (text === undefined) return 0;
  if (/^\d+$/.test(text)) return Math.min(Number(text), limits.WAIT_MAX_MS);
  throw new HttpError("invalid_request", "waitMs is a number of milliseconds.", {
    issues: [{ path: ["waitMs"], message: "must be a whole number of milliseconds" }],
  });
}
