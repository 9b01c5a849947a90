import { Hono } from "hono";
import {
  createRoom,
  joinRoom,
  type RoomCreated,
  type RoomJoined,
} from "../../src/protocol/index.ts";
import {
  bearerOf,
  encodeRoomId,
  INVITE_KINDS,
  mintCredential,
  TOKEN_KINDS,
} from "../credential.ts";
import type { Env } from "../env.ts";
import { HttpError, jsonResponse, replyResponse } from "../http-error.ts";
import { readBody } from "../read-body.ts";
import { callRoom } from "../room-stub.ts";
import { isRefusal } from "../room/reply.ts";

const DEFAULT_NAME = "Room";

export const roomRoutes = new Hono<{ Bindings: Env }>()
  .post("/rooms", async ({ env, req }) => {
    const body = await readBody(req.raw, createRoom);
    await requireCreationKey(env, req.header("authorization"));
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
    const origin = env.PUBLIC_ORIGIN ?? new URL(req.url).origin;
    const reply: RoomCreated = {
      roomId,
      name,
      humanInvite: human.credential,
      residentInvite: resident.credential,
      humanUrl: `${origin}/r#${human.credential}`,
      createdAt,
    };
    return jsonResponse(201, JSON.stringify(reply));
  })
  .post("/room/join", async ({ env, req }) => {
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
  .get("/room", async ({ env, req }) => {
    const token = await bearerOf(req.header("authorization"), TOKEN_KINDS, env);
    return replyResponse(await callRoom(env, token.roomId, (room) => room.view(token.hash)));
  });

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
