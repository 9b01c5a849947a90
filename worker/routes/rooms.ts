import { type Context, Hono } from "hono";
import {
  createRoom,
  emptyBody,
  type InviteMinted,
  joinRoom,
  mintInvite,
  type RoomCreated,
  type RoomJoined,
} from "../../src/protocol/index.ts";
import {
  bearerOf,
  encodeRoomId,
  INVITE_KINDS,
  mintCredential,
  type PresentedCredential,
  TOKEN_KINDS,
} from "../credential.ts";
import type { Env } from "../env.ts";
import { HttpError, jsonResponse, replyResponse } from "../http-error.ts";
import { limitRate } from "../rate-limit.ts";
import { readBody } from "../read-body.ts";
import { callRoom } from "../room-stub.ts";
import { isRefusal, type RoomReply } from "../room/reply.ts";

type Call = Context<{ Bindings: Env }>;

const DEFAULT_NAME = "Room";

export const roomRoutes = new Hono<{ Bindings: Env }>()
  .post("/rooms", async (call) => {
    const { env, req } = call;
    await limitRate(env, "LIMIT_CREATE", addressOf(call));
    await requireCreationKey(env, req.header("authorization"));
    const body = await readBody(req.raw, createRoom);
    const id = env.ROOMS.newUniqueId();
    const roomId = encodeRoomId(id);
    const human = await mintCredential("hi", roomId);
    const resident = await mintCredential("ri", roomId);
    const { name, createdAt } = await callRoom(env, id, (room) =>
      room.create({
        roomId,
        name: body.name ?? DEFAULT_NAME,
        humanInviteHash: human.hash,
        residentInviteHash: resident.hash,
      }),
    );
    const reply: RoomCreated = {
      roomId,
      name,
      humanInvite: human.credential,
      residentInvite: resident.credential,
      humanUrl: humanUrl(call, human.credential),
      createdAt,
    };
    return jsonResponse(201, JSON.stringify(reply));
  })
  .post("/room/join", async (call) => {
    const { env, req } = call;
    await limitRate(env, "LIMIT_JOIN", addressOf(call));
    const invite = await bearerOf(req.header("authorization"), INVITE_KINDS, env);
    const { name } = await readBody(req.raw, joinRoom);
    const token = await mintCredential(
      invite.kind === "hi" ? "ht" : "rt",
      encodeRoomId(invite.roomId),
    );
    const participantId = crypto.randomUUID();
    const reply = await callRoom(env, invite.roomId, (room) =>
      room.join({ inviteHash: invite.hash, participantId, tokenHash: token.hash, name }),
    );
    if (isRefusal(reply)) return replyResponse(reply);
    const joined: RoomJoined = { ...JSON.parse(reply.json), token: token.credential };
    return jsonResponse(201, JSON.stringify(joined));
  })
  .get("/room", async (call) => {
    const token = await tokenOf(call);
    return replyResponse(await callRoom(call.env, token.roomId, (room) => room.view(token.hash)));
  })
  .post("/room/invites", async (call) => {
    const { env, req } = call;
    const token = await tokenOf(call);
    const { role } = await readBody(req.raw, mintInvite);
    const kind = role === "human" ? "hi" : "ri";
    const { credential, hash } = await mintCredential(kind, encodeRoomId(token.roomId));
    const reply = await callRoom(env, token.roomId, (room) => room.invite(token.hash, hash, role));
    if (isRefusal(reply)) return replyResponse(reply);
    const minted: InviteMinted = {
      invite: credential,
      ...(role === "human" ? { url: humanUrl(call, credential) } : {}),
    };
    return jsonResponse(201, JSON.stringify(minted));
  })
  .post("/room/participants/:participantId/remove", async (call) => {
    const token = await tokenOf(call);
    const participantId = call.req.param("participantId");
    await readBody(call.req.raw, emptyBody);
    return noContent(
      await callRoom(call.env, token.roomId, (room) => room.remove(token.hash, participantId)),
    );
  })
  .post("/room/leave", async (call) => {
    const token = await tokenOf(call);
    await readBody(call.req.raw, emptyBody);
    return noContent(await callRoom(call.env, token.roomId, (room) => room.leave(token.hash)));
  })
  .post("/room/close", async (call) => {
    const token = await tokenOf(call);
    await readBody(call.req.raw, emptyBody);
    return noContent(await callRoom(call.env, token.roomId, (room) => room.close(token.hash)));
  });

async function tokenOf({ env, req }: Call): Promise<PresentedCredential> {
  const token = await bearerOf(req.header("authorization"), TOKEN_KINDS, env);
  await limitRate(env, "LIMIT_CALLS", token.hash);
  return token;
}

function noContent(reply: RoomReply): Response {
  return isRefusal(reply) ? replyResponse(reply) : new Response(null, { status: 204 });
}

/** The link stands for the invite in its fragment, which browsers send nowhere. */
function humanUrl({ env, req }: Call, invite: string): string {
  return `${env.PUBLIC_ORIGIN ?? new URL(req.url).origin}/r#${invite}`;
}

function addressOf({ req }: Call): string {
  return req.header("cf-connecting-ip") ?? "unknown";
}

/** A deployment may keep creation to whoever holds its key. Both sides are hashed, so that comparing them tells nothing. */
async function requireCreationKey(env: Env, header: string | undefined): Promise<void> {
  const key = env.ROOM_CREATION_KEY;
  if (key === undefined || key === "") return;
  const digest = (text: string): Promise<ArrayBuffer> =>
    crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const [expected, given] = await Promise.all([digest(`Bearer ${key}`), digest(header ?? "")]);
  if (!crypto.subtle.timingSafeEqual(expected, given)) {
    throw new HttpError(
      "unauthorized",
      "This deployment lets only the holder of its creation key create Rooms.",
    );
  }
}
