import { expect, it } from "vitest";
import type { RequestStatus, RoomCreated, RoomJoined } from "../../src/protocol/index.ts";
import {
  ANA,
  ANAS_TOKEN,
  BEN,
  CLAUDE,
  CLAUDES_TOKEN,
  DISMISSED,
  EXPIRES_AT,
  HUMAN_INVITE,
  ORIGIN as TOLD_ORIGIN,
  RESIDENT_INVITE,
  ROOM_ID,
} from "../../worker/openapi/examples.ts";
import { readApiDocument } from "../support/workerd/described.ts";
import { upgrade } from "../support/workerd/raw-socket.ts";
import { ORIGIN } from "../support/workerd/room.ts";
import { Story } from "../support/workerd/story.ts";

it("every HTTP example of the document is taken and answered by the Worker as it stands there", async () => {
  const story = new Story(await readApiDocument());
  story.names.add(TOLD_ORIGIN, ORIGIN);

  await story.play("getHealth", { status: 200, tells: "health" });
  await story.play("getOpenApi", { status: 200 });
  await story.play("getFrames", { status: 200 });

  await story.play("createRoom", { send: "unnamed", status: 201 });
  const created = await story.play<RoomCreated>("createRoom", {
    send: "named",
    status: 201,
    tells: "named",
    learn: ({ roomId, humanInvite, residentInvite }) => ({
      [ROOM_ID]: roomId,
      [HUMAN_INVITE]: humanInvite,
      [RESIDENT_INVITE]: residentInvite,
    }),
  });
  const invitedHuman = ["invite", created.humanInvite] as const;
  const { token: anasToken } = await story.play<RoomJoined>("joinRoom", {
    as: invitedHuman,
    send: "human",
    status: 201,
    tells: "human",
    learn: ({ participantId, token }) => ({
      [ANA.participantId]: participantId,
      [ANAS_TOKEN]: token,
    }),
  });
  const { token: claudesToken } = await story.play<RoomJoined>("joinRoom", {
    as: ["invite", created.residentInvite],
    send: "resident",
    status: 201,
    tells: "resident",
    learn: ({ participantId, token }) => ({
      [CLAUDE.participantId]: participantId,
      [CLAUDES_TOKEN]: token,
    }),
  });
  const asAna = ["humanToken", anasToken] as const;
  const asClaude = ["residentToken", claudesToken] as const;

  const asked = await story.play<RequestStatus>("requestPermission", {
    as: asClaude,
    send: "whole",
    status: 201,
    tells: "opened",
  });
  story.names.add(String(EXPIRES_AT), String(asked.expiresAt));
  const again = { as: asClaude, send: "whole", status: 200, tells: "repeated" };
  await story.play("requestPermission", again);
  await story.play("getRoom", { as: asAna, status: 200, tells: "human" });
  await story.play("getPermission", { as: asAna, status: 200, tells: "pending" });
  await story.play("getToolCall", { as: asAna, status: 200, tells: "execute" });
  await story.play("extend", { as: asAna, send: "seen", status: 200, tells: "extended" });
  await story.play("decide", { as: asAna, send: "allow", status: 200, tells: "decided" });
  await story.play("getPermission", {
    as: asClaude,
    withQuery: true,
    status: 200,
    tells: "decided",
  });
  await story.play("acknowledge", {
    as: asClaude,
    send: "applied",
    status: 200,
    tells: "applied",
  });
  await story.play("getHistory", { as: asAna, status: 200, tells: "json" });
  await story.play("getHistory", { as: asAna, withQuery: true, status: 200 });

  await story.play("requestPermission", {
    as: asClaude,
    send: "whole",
    but: { requestId: DISMISSED },
    status: 201,
  });
  await story.play("dismiss", {
    as: asAna,
    at: { requestId: DISMISSED },
    send: "empty",
    status: 200,
    tells: "dismissed",
  });
  const { requestId } = await story.play<RequestStatus>("requestPermission", {
    as: asClaude,
    send: "least",
    status: 201,
  });
  await story.play("withdraw", {
    as: asClaude,
    at: { requestId },
    send: "turnEnded",
    status: 200,
    tells: "withdrawn",
  });

  await story.play("mintInvite", {
    as: asAna,
    send: "human",
    status: 201,
    tells: "human",
    learn: ({ invite }) => ({ [HUMAN_INVITE]: invite }),
  });
  await story.play("mintInvite", {
    as: asAna,
    send: "resident",
    status: 201,
    tells: "resident",
    learn: ({ invite }) => ({ [RESIDENT_INVITE]: invite }),
  });
  await story.play("joinRoom", {
    as: invitedHuman,
    send: "human",
    but: { name: "Ben" },
    status: 201,
    learn: ({ participantId }) => ({ [BEN.participantId]: participantId }),
  });
  const socket = await upgrade({ authorization: `Bearer ${anasToken}` });
  expect(socket.status).toBe(101);
  socket.webSocket?.accept();
  await story.play("removeParticipant", { as: asAna, send: "empty", status: 204 });
  await story.play("leaveRoom", { as: asClaude, send: "empty", status: 204 });
  await story.play("closeRoom", { as: asAna, send: "empty", status: 204 });

  expect([...story.played].sort()).toEqual([...new Set(story.all())].sort());
});
