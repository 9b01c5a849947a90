import { expect, test } from "vitest";
import { createRoom, joinRoom, RoomApi, RoomUnreachable } from "../../src/client/index.ts";
import type { PermissionRequest } from "../../src/protocol/index.ts";
import type { ScriptedReply, ScriptedRoom } from "../support/scripted-room.ts";
import { ROOM_ID, SECRET, TOKEN, useScriptedRoom, welcomeFrame } from "./client-end.ts";

const INVITE = `hr1.hi.${ROOM_ID}.${SECRET}`;
const status = {
  requestId: "request-1",
  state: "pending",
  openedAt: 1,
  expiresAt: 2,
  serverTime: 1,
  humansPresent: 0,
  delivery: { state: "none", at: 1 },
};

function json(value: unknown, status = 200): ScriptedReply {
  return {
    status,
    headers: { "content-type": "application/json; charset=UTF-8" },
    body: JSON.stringify(value),
  };
}

async function useRoom(reply: ScriptedReply): Promise<{ room: ScriptedRoom; api: RoomApi }> {
  const room = await useScriptedRoom();
  room.script = () => reply;
  return { room, api: new RoomApi({ server: room.server, token: TOKEN }) };
}

const request: PermissionRequest = {
  requestId: "request-1",
  toolCall: { toolCallId: "t1", title: " é\u0301 ", odd: [1, { x: null }] },
  options: [{ optionId: " yes ", name: "Yes", kind: "allow_once", extra: true }],
};

test.each<[string, (api: RoomApi) => Promise<unknown>, string, string, unknown]>([
  ["request", (api) => api.request(request), "POST", "/request", request],
  ["status", (api) => api.status("request-1"), "GET", "/request-1", undefined],
  [
    "a long poll",
    (api) => api.status("request-1", { waitMs: 5000 }),
    "GET",
    "/request-1?waitMs=5000",
    undefined,
  ],
  [
    "decide",
    (api) => api.decide("request-1", " yes "),
    "POST",
    "/request-1/decide",
    { optionId: " yes " },
  ],
  ["dismiss", (api) => api.dismiss("request-1"), "POST", "/request-1/dismiss", {}],
  ["extend", (api) => api.extend("request-1", 9), "POST", "/request-1/extend", { expiresAt: 9 }],
  [
    "withdraw",
    (api) => api.withdraw("request-1", "turn_ended"),
    "POST",
    "/request-1/withdraw",
    { reason: "turn_ended" },
  ],
  ["ack", (api) => api.ack("request-1", false), "POST", "/request-1/ack", { applied: false }],
])("%s is one call with the token as bearer", async (_, call, method, path, body) => {
  const { room, api } = await useRoom(json(status));
  expect(await call(api)).toEqual(status);
  const seen = await room.calls.next();
  expect(seen.method).toBe(method);
  expect(seen.path).toBe(`/api/room/permissions${path}`);
  expect(seen.headers.authorization).toBe(`Bearer ${TOKEN}`);
  const isPost = body !== undefined;
  expect(seen.headers["content-type"]).toBe(isPost ? "application/json" : undefined);
  expect(seen.body).toBe(isPost ? JSON.stringify(body) : "");
});

test("room reads the view that a welcome carries", async () => {
  const { type: _, ...view } = welcomeFrame();
  const { room, api } = await useRoom(json(view));
  expect(await api.room()).toEqual(view);
  expect(await room.calls.next()).toMatchObject({ method: "GET", path: "/api/room" });
});

test("toolCall hands on the exact bytes", async () => {
  const body = Buffer.from('{ "toolCallId":"t1",\n "x": 1.0e2, "é":"\\u00e9" }');
  const { room, api } = await useRoom({
    status: 200,
    headers: { "content-type": "application/json" },
    body,
  });
  expect(Buffer.from(await api.toolCall("request-1"))).toEqual(body);
  expect((await room.calls.next()).path).toBe("/api/room/permissions/request-1/tool-call");
});

test("an id cannot leave its place in the path", async () => {
  const { room, api } = await useRoom(json(status));
  await expect(api.status("a/b?c#d%")).rejects.toThrow(RoomUnreachable);
  expect((await room.calls.next()).path).toBe("/api/room/permissions/a%2Fb%3Fc%23d%25");
});

test("creating a Room needs no credential, or the deployment's key", async () => {
  const created = {
    roomId: ROOM_ID,
    name: "Room",
    humanInvite: INVITE,
    residentInvite: `hr1.ri.${ROOM_ID}.${SECRET}`,
    humanUrl: `https://room.example/r#${INVITE}`,
    createdAt: 1,
  };
  const { room } = await useRoom(json(created, 201));
  expect(await createRoom({ server: room.server }, {})).toEqual(created);
  expect(await createRoom({ server: room.server }, { name: "Room" }, "key!")).toEqual(created);
  const [bare, keyed] = [await room.calls.next(), await room.calls.next()];
  expect(bare).toMatchObject({ method: "POST", path: "/api/rooms", body: "{}" });
  expect(bare.headers.authorization).toBeUndefined();
  expect(keyed.body).toBe('{"name":"Room"}');
  expect(keyed.headers.authorization).toBe("Bearer key!");
});

test("joining trades the invite, which is the bearer", async () => {
  const joined = {
    roomId: ROOM_ID,
    participantId: "p1",
    role: "human",
    name: "Ana",
    token: TOKEN,
  };
  const { room } = await useRoom(json(joined, 201));
  expect(await joinRoom({ server: room.server }, INVITE, { name: "Ana" })).toEqual(joined);
  const seen = await room.calls.next();
  expect(seen).toMatchObject({ path: "/api/room/join", body: '{"name":"Ana"}' });
  expect(seen.headers.authorization).toBe(`Bearer ${INVITE}`);
});

test("inviting, removing, leaving and closing", async () => {
  const { room, api } = await useRoom(json({ invite: INVITE }, 201));
  expect(await api.invite("human")).toEqual({ invite: INVITE });
  expect(await room.calls.next()).toMatchObject({
    path: "/api/room/invites",
    body: '{"role":"human"}',
  });
  room.script = () => ({ status: 204 });
  await api.remove("p 1");
  await api.leave();
  await api.close();
  const paths = [await room.calls.next(), await room.calls.next(), await room.calls.next()];
  expect(paths.map(({ path, body }) => [path, body])).toEqual([
    ["/api/room/participants/p%201/remove", "{}"],
    ["/api/room/leave", "{}"],
    ["/api/room/close", "{}"],
  ]);
});

test("unknown fields of a reply are ignored", async () => {
  const { api } = await useRoom(json({ ...status, since: "version 2" }));
  expect(await api.status("request-1")).toEqual(status);
});

test.each<[string, (api: RoomApi) => Promise<unknown>]>([
  ["request", (api) => api.request(request)],
  ["status", (api) => api.status("request-1")],
  ["decide", (api) => api.decide("request-1", " yes ")],
  ["withdraw", (api) => api.withdraw("request-1", "turn_ended")],
])("%s takes no reply that speaks of another request", async (_, call) => {
  const settlement = { state: "expired", at: 1 };
  const { api } = await useRoom(json({ ...status, requestId: "request-2", settlement }));
  await expect(call(api)).rejects.toThrow(RoomUnreachable);
});

test("the given fetch is called as a plain function", async () => {
  const seen: unknown[] = [];
  const api = new RoomApi({
    server: "http://room.example",
    token: TOKEN,
    fetch: function (this: unknown) {
      seen.push(this);
      return Promise.resolve(Response.json(status));
    },
  });
  expect(await api.status("request-1")).toEqual(status);
  expect(seen).toEqual([undefined]);
});
