import { type Context, Hono } from "hono";
import { ackBody, permissionRequest, requestId, withdrawBody } from "../../src/protocol/index.ts";
import { bearerOf, type PresentedCredential, TOKEN_KINDS } from "../credential.ts";
import type { Env } from "../env.ts";
import { HttpError, replyResponse } from "../http-error.ts";
import { readBody } from "../read-body.ts";
import { commandOf } from "../request-content.ts";
import { callRoom } from "../room-stub.ts";

type Call = Context<{ Bindings: Env }>;

export const permissionRoutes = new Hono<{ Bindings: Env }>()
  .post("/request", async (call) => {
    const token = await tokenOf(call);
    const command = await commandOf(await readBody(call.req.raw, permissionRequest));
    return replyResponse(
      await callRoom(call.env, token.roomId, (room) => room.request(token.hash, command)),
    );
  })
  .get("/:requestId", async (call) => {
    const token = await tokenOf(call);
    const id = idOf(call);
    return replyResponse(
      await callRoom(call.env, token.roomId, (room) => room.status(token.hash, id)),
    );
  })
  .get("/:requestId/tool-call", async (call) => {
    const token = await tokenOf(call);
    const id = idOf(call);
    return replyResponse(
      await callRoom(call.env, token.roomId, (room) => room.toolCall(token.hash, id)),
    );
  })
  .post("/:requestId/withdraw", async (call) => {
    const token = await tokenOf(call);
    const id = idOf(call);
    const { reason } = await readBody(call.req.raw, withdrawBody);
    return replyResponse(
      await callRoom(call.env, token.roomId, (room) => room.withdraw(token.hash, id, reason)),
    );
  })
  .post("/:requestId/ack", async (call) => {
    const token = await tokenOf(call);
    const id = idOf(call);
    const { applied } = await readBody(call.req.raw, ackBody);
    return replyResponse(
      await callRoom(call.env, token.roomId, (room) => room.acknowledge(token.hash, id, applied)),
    );
  });

function tokenOf({ env, req }: Call): Promise<PresentedCredential> {
  return bearerOf(req.header("authorization"), TOKEN_KINDS, env);
}

/** An id that has not the form of one was never used. @throws HttpError `request_not_found` */
function idOf({ req }: Call): string {
  const parsed = requestId.safeParse(req.param("requestId"));
  if (parsed.success) return parsed.data;
  throw new HttpError("request_not_found", "This Room knows no such request of yours.");
}
