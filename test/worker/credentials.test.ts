import { env, listDurableObjectIds, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { RoomCreated } from "../../src/protocol/index.ts";
import { app } from "../../worker/app.ts";
import { encodeRoomId } from "../../worker/credential.ts";
import {
  ask,
  call,
  createRoom,
  freshId,
  type Member,
  ORIGIN,
  type Reply,
  requestBody,
  statusAs,
  type TestRoom,
  worker,
} from "../support/workerd/room.ts";
import { openSocket, type TestSocket } from "../support/workerd/socket.ts";
import { dumpRoom, dumpStorage, tablesOf } from "../support/workerd/storage.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

interface Scene {
  room: TestRoom;
  ana: Member;
  claude: Member;
  requestId: string;
}

/** A Room with one card, which is pending. */
async function setScene(): Promise<Scene> {
  const room = await createRoom();
  const [ana, claude] = [await room.human(), await room.resident()];
  return { room, ana, claude, requestId: await ask(claude) };
}

interface Route {
  method: string;
  path: (requestId: string) => string;
  body?: (requestId: string) => object;
  only?: "human" | "resident";
}

const ROUTES: Record<string, Route> = {
  join: { method: "POST", path: () => "/api/room/join", body: () => ({ name: "Eve" }) },
  view: { method: "GET", path: () => "/api/room" },
  status: { method: "GET", path: (id) => `/api/room/permissions/${id}` },
  toolCall: { method: "GET", path: (id) => `/api/room/permissions/${id}/tool-call`, only: "human" },
  request: {
    method: "POST",
    path: () => "/api/room/permissions/request",
    body: () => requestBody(freshId()),
    only: "resident",
  },
  withdraw: {
    method: "POST",
    path: (id) => `/api/room/permissions/${id}/withdraw`,
    body: () => ({ reason: "turn_ended" }),
    only: "resident",
  },
  ack: {
    method: "POST",
    path: (id) => `/api/room/permissions/${id}/ack`,
    body: () => ({ applied: true }),
    only: "resident",
  },
};

function send(route: Route, requestId: string, authorization: string | undefined): Promise<Reply> {
  return call(route.method, route.path(requestId), {
    headers: authorization === undefined ? {} : { authorization },
    ...(route.body === undefined ? {} : { body: route.body(requestId) }),
  });
}

async function expectUnchanged({ room, ana, requestId }: Scene, before: string): Promise<void> {
  expect(await dumpRoom(room)).toBe(before);
  expect((await statusAs(ana, requestId)).body.state).toBe("pending");
}

/** One character of the secret is another one; the last of 43 has only some values, so not that. */
function withOtherSecret(credential: string): string {
  const flipped = credential.at(-2) === "A" ? "B" : "A";
  return `${credential.slice(0, -2)}${flipped}${credential.slice(-1)}`;
}

function withRoomId(credential: string, roomId: string): string {
  const [version, kind, , secret] = credential.split(".");
  return [version, kind, roomId, secret].join(".");
}

function randomRoomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

describe("a credential that is not this Room's own", () => {
  // B70
  const NOT_ONES: Record<string, (scene: Scene) => string | undefined> = {
    absent: () => undefined,
    empty: () => "",
    "Bearer alone": () => "Bearer",
    "Bearer and a space": () => "Bearer ",
    null: () => "Bearer null",
    undefined: () => "Bearer undefined",
    "a list": () => "Bearer []",
    "an object": () => "Bearer [object Object]",
    "10 KB": () => `Bearer ${"A".repeat(10_000)}`,
    "the right one and 10 KB more": ({ claude }) => `Bearer ${claude.token}${"A".repeat(10_000)}`,
    "another scheme": ({ claude }) => `Basic ${claude.token}`,
    "no scheme": ({ claude }) => claude.token,
    "two in one header": ({ ana, claude }) => `Bearer ${ana.token}, Bearer ${claude.token}`,
    "two without a comma": ({ ana, claude }) => `Bearer ${ana.token} ${claude.token}`,
    "the same twice": ({ claude }) => `Bearer ${claude.token}, Bearer ${claude.token}`,
    "cut short": ({ claude }) => `Bearer ${claude.token.slice(0, -1)}`,
    "with something behind it": ({ claude }) => `Bearer ${claude.token}.`,
    "of another version": ({ claude }) => `Bearer ${claude.token.replace("hr1.", "hr2.")}`,
    "in upper case": ({ claude }) => `Bearer ${claude.token.toUpperCase()}`,
    "of a kind there is not": ({ claude }) => `Bearer ${claude.token.replace(".rt.", ".at.")}`,
    "with a secret that is not canonical": ({ claude }) => `Bearer ${claude.token.slice(0, -1)}B`,
    "its participant's id": ({ claude }) => `Bearer ${claude.participantId}`,
    "the wrong secret": ({ claude }) => `Bearer ${withOtherSecret(claude.token)}`,
    "a resident's token called a human's": ({ claude }) =>
      `Bearer ${claude.token.replace(".rt.", ".ht.")}`,
    "a human's token called a resident's": ({ ana }) =>
      `Bearer ${ana.token.replace(".ht.", ".rt.")}`,
    "an invite called a token": ({ room }) =>
      `Bearer ${room.created.humanInvite.replace(".hi.", ".ht.")}`,
    "a token called an invite": ({ ana }) => `Bearer ${ana.token.replace(".ht.", ".hi.")}`,
  };

  it.each(Object.entries(NOT_ONES))(
    "%s: is unauthorized on every route and changes nothing",
    async (_, present) => {
      const scene = await setScene();
      const before = await dumpRoom(scene.room);
      for (const [name, route] of Object.entries(ROUTES)) {
        const reply = await send(route, scene.requestId, present(scene));
        expect({ name, status: reply.status }).toEqual({ name, status: 401 });
        expect(reply.body.error?.code).toBe("unauthorized");
      }
      await expectUnchanged(scene, before);
    },
  );

  it("an invite opens nothing but the door, and a token not the door", async () => {
    const scene = await setScene();
    const before = await dumpRoom(scene.room);
    const { humanInvite, residentInvite } = scene.room.created;
    for (const [name, route] of Object.entries(ROUTES)) {
      const wrong =
        name === "join" ? [scene.ana.token, scene.claude.token] : [humanInvite, residentInvite];
      for (const credential of wrong) {
        const reply = await send(route, scene.requestId, `Bearer ${credential}`);
        expect({ name, status: reply.status }).toEqual({ name, status: 401 });
        expect(reply.body.error?.code).toBe("unauthorized");
      }
    }
    await expectUnchanged(scene, before);
  });

  it("one Room's credential opens nothing in another, with the other's id put into it neither", async () => {
    const [scene, other] = [await setScene(), await setScene()];
    const before = [await dumpRoom(scene.room), await dumpRoom(other.room)] as const;
    const { roomId } = other.room.created;
    for (const [name, route] of Object.entries(ROUTES)) {
      const credential = name === "join" ? scene.room.created.humanInvite : scene.claude.token;
      const reply = await send(route, other.requestId, `Bearer ${withRoomId(credential, roomId)}`);
      expect({ name, status: reply.status }).toEqual({ name, status: 401 });
    }
    await expectUnchanged(scene, before[0]);
    await expectUnchanged(other, before[1]);
  });
});

describe("a credential of the wrong role", () => {
  it.each(Object.entries(ROUTES).filter(([, route]) => route.only !== undefined))(
    "%s is refused, changes nothing, and is logged without the credential",
    async (_, route) => {
      const scene = await setScene();
      const wrong = route.only === "human" ? scene.claude : scene.ana;
      const before = await dumpRoom(scene.room);
      const logged = vi.spyOn(console, "log");
      const reply = await send(route, scene.requestId, `Bearer ${wrong.token}`);
      expect(reply.status).toBe(403);
      expect(reply.body.error?.code).toBe(`${route.only}_only`);
      const lines = logged.mock.calls.map(([line]) => String(line));
      expect(lines.filter((line) => line.includes(wrong.participantId))).toHaveLength(1);
      expect(lines.join()).not.toContain(wrong.token);
      await expectUnchanged(scene, before);
    },
  );

  const asPage = (member: Member): Promise<TestSocket> => member.socket();
  const asProcess = (member: Member): Promise<TestSocket> =>
    openSocket(worker(), ORIGIN, "", { authorization: `Bearer ${member.token}` });

  // B64
  it.each([
    ["a socket of its own kind", asProcess],
    ["a socket opened as a page does", asPage],
  ])("a resident's decision over %s is refused, and so is another resident's", async (_, open) => {
    const scene = await setScene();
    const eve = await scene.room.resident("Maria (human) ✓");
    for (const resident of [scene.claude, eve]) {
      const socket = await open(resident);
      const before = await dumpRoom(scene.room);
      for (const claim of [{}, { role: "human" }, { participantId: scene.ana.participantId }]) {
        const { requestId } = scene;
        for (const frame of [
          { type: "decide", requestId, optionId: "allow-1", ...claim },
          { type: "dismiss", requestId, ...claim },
          { type: "extend", requestId, expiresAt: 0, ...claim },
        ]) {
          const answer = await socket.ask(frame);
          expect(answer).toMatchObject({ type: "rejected", error: { code: "human_only" } });
        }
      }
      await expectUnchanged(scene, before);
    }
  });

  it("a human's frames of a resident are refused", async () => {
    const scene = await setScene();
    const a = await scene.ana.socket();
    const before = await dumpRoom(scene.room);
    const { requestId } = scene;
    for (const frame of [
      { type: "decision_ack", requestId, applied: true },
      { type: "resume", parked: [], answered: [{ requestId, applied: true }] },
      { type: "withdraw", requestId, reason: "turn_ended" },
      { type: "request", ...requestBody(freshId()), role: "resident" },
    ]) {
      const answer = await a.ask(frame);
      expect(answer).toMatchObject({ type: "rejected", error: { code: "resident_only" } });
    }
    await expectUnchanged(scene, before);
  });

  it("the role is the invite's, whatever the body and the name say", async () => {
    const room = await createRoom();
    const joined = await call("POST", "/api/room/join", {
      token: room.created.residentInvite,
      body: { name: "human", role: "human", participantId: "mine", kind: "ht" },
    });
    expect(joined.body).toMatchObject({ role: "resident", name: "human" });
    expect(joined.body["participantId"]).not.toBe("mine");
    expect(String(joined.body["token"])).toMatch(/^hr1\.rt\./);
  });
});

describe("a decision", () => {
  // B67
  it("names its socket's participant, whatever the frame claims", async () => {
    const { room, ana, claude, requestId } = await setScene();
    const ben = await room.human("Ben");
    const [a, r] = [await ana.socket(), await claude.socket()];
    const other = JSON.stringify({ participantId: ben.participantId, name: "Ben", role: "human" });
    a.send(
      `{"type":"decide","requestId":"${requestId}","optionId":"no-2","ref":"claims","role":"resident","participantId":"${ben.participantId}",` +
        `"answeredBy":"Alice","by":${other},"settlement":{"by":${other}},"__proto__":${other},"constructor":${other},"at":1}`,
    );
    expect(await a.next("accepted", ({ ref }) => ref === "claims")).toMatchObject({
      status: { state: "decided" },
    });
    const by = { participantId: ana.participantId, name: "Ana", role: "human" };
    expect((await r.next("decision")).settlement).toMatchObject({ by });
    expect((await a.next("card_settled")).settlement).toMatchObject({ by });
    const { settlement } = (await statusAs(ben, requestId)).body;
    expect(settlement).toMatchObject({ by, option: { optionId: "no-2" } });
    expect(Object.keys(settlement ?? {}).sort()).toEqual(["at", "by", "option", "state"]);
  });
});

describe("a Room that does not exist", () => {
  it("with an id that was never issued is not found, and no object is made for it", async () => {
    await createRoom();
    const before = (await listDurableObjectIds(env.ROOMS)).length;
    const secret = randomRoomId();
    for (const [name, route] of Object.entries(ROUTES)) {
      const kind = name === "join" ? "hi" : "rt";
      const credential = `hr1.${kind}.${randomRoomId()}.${secret}`;
      const reply = await send(route, freshId(), `Bearer ${credential}`);
      expect({ name, status: reply.status }).toEqual({ name, status: 404 });
      expect(reply.body.error?.code).toBe("room_not_found");
    }
    expect(await listDurableObjectIds(env.ROOMS)).toHaveLength(before);
  });

  it("with an id that was issued and never used is not found, and nothing is stored in it", async () => {
    const id = env.ROOMS.newUniqueId();
    const roomId = encodeRoomId(id);
    for (const [name, route] of Object.entries(ROUTES)) {
      const kind = name === "join" ? "ri" : route.only === "human" ? "ht" : "rt";
      const credential = `hr1.${kind}.${roomId}.${randomRoomId()}`;
      const reply = await send(route, freshId(), `Bearer ${credential}`);
      expect({ name, status: reply.status }).toEqual({ name, status: 404 });
      expect(reply.body.error?.code).toBe("room_not_found");
    }
    const socket = await openSocket(worker(), ORIGIN, `hr1.ht.${roomId}.${randomRoomId()}`);
    expect(await socket.closed()).toBe(4004);
    await runInDurableObject(env.ROOMS.get(id), async (_, state) => {
      expect(tablesOf(state.storage)).toEqual([]);
      expect(JSON.parse(await dumpStorage(state))).toEqual({ tables: [], pairs: [], alarm: null });
      expect(state.getWebSockets()).toEqual([]);
    });
  });
});

describe("what the Room stores of credentials", () => {
  it("is hashes alone: no credential and no secret can be read from it, or from the logs", async () => {
    const logged = vi.spyOn(console, "log");
    const { room, ana, claude, requestId } = await setScene();
    const [a, r] = [await ana.socket(), await claude.socket()];
    await a.ask({ type: "decide", requestId, optionId: "allow-1" });
    await r.ask({ type: "decision_ack", requestId, applied: true });
    const dump = await dumpRoom(room);
    const lines = logged.mock.calls.flat().join("\n");
    const { humanInvite, residentInvite } = room.created;
    for (const credential of [humanInvite, residentInvite, ana.token, claude.token]) {
      const secret = credential.split(".").at(-1) as string;
      expect(dump).not.toContain(secret);
      expect(lines).not.toContain(secret);
    }
    const hashes = await room.inside((_, { storage }) =>
      storage.sql.exec<{ hash: string }>("SELECT hash FROM credential").toArray(),
    );
    expect(hashes).toHaveLength(4);
    for (const { hash } of hashes) expect(hash).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  it("no two participants or invites share one", async () => {
    const room = await createRoom();
    const members = [await room.human("A"), await room.human("B"), await room.resident("C")];
    const all = [
      ...members.map(({ token }) => token),
      room.created.humanInvite,
      room.created.residentInvite,
    ];
    expect(new Set(all.map((one) => one.split(".").at(-1))).size).toBe(all.length);
  });
});

describe("creating a Room", () => {
  function create(more: object, headers: Record<string, string> = {}): Promise<Response> {
    const request = new Request(`${ORIGIN}/api/rooms`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: "{}",
    });
    return Promise.resolve(app.fetch(request, { ...env, ...more }));
  }

  it("is for the holder of the key where the deployment sets one", async () => {
    const key = { ROOM_CREATION_KEY: "correct horse" };
    const { length } = await listDurableObjectIds(env.ROOMS);
    for (const headers of [
      {},
      { authorization: "" },
      { authorization: "Bearer" },
      { authorization: "correct horse" },
      { authorization: "Bearer correct" },
      { authorization: "Bearer correct horse x" },
      { authorization: "Bearer undefined" },
    ] as Record<string, string>[]) {
      const response = await create(key, headers);
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ error: { code: "unauthorized" } });
    }
    expect(await listDurableObjectIds(env.ROOMS)).toHaveLength(length);
    const authorization = "Bearer correct horse";
    expect((await create(key, { authorization })).status).toBe(201);
  });

  it("is for anyone where it sets none, or an empty one", async () => {
    expect((await create({})).status).toBe(201);
    expect((await create({ ROOM_CREATION_KEY: "" })).status).toBe(201);
  });

  it("links to the public origin where that is set, else to the request's own", async () => {
    const linkOf = async (more: object): Promise<string[]> => {
      const created = (await (await create(more)).json()) as RoomCreated;
      return created.humanUrl.replace(created.humanInvite, "INVITE").split("#");
    };
    expect(await linkOf({ PUBLIC_ORIGIN: "https://hands.example" })).toEqual([
      "https://hands.example/r",
      "INVITE",
    ]);
    expect(await linkOf({})).toEqual([`${ORIGIN}/r`, "INVITE"]);
  });

  // B68
  it.each([["text/plain"], ["application/x-www-form-urlencoded"], ["multipart/form-data"]])(
    "is refused to another site's simple POST as %s, which no preflight comes before",
    async (contentType) => {
      const { length } = await listDurableObjectIds(env.ROOMS);
      const reply = await call("POST", "/api/rooms", {
        raw: '{"name":"x"}',
        headers: { "content-type": contentType, origin: "https://evil.test" },
      });
      expect(reply.status).toBe(415);
      expect(reply.headers.get("access-control-allow-origin")).toBeNull();
      expect(await listDurableObjectIds(env.ROOMS)).toHaveLength(length);
    },
  );

  it("tells another site's page nothing, and sets no cookie", async () => {
    const reply = await call("POST", "/api/rooms", {
      body: {},
      headers: { origin: "https://evil.test" },
    });
    expect(reply.headers.get("access-control-allow-origin")).toBeNull();
    expect(reply.headers.get("set-cookie")).toBeNull();
  });

  it("a cookie is no credential", async () => {
    const { ana, claude, requestId } = await setScene();
    for (const token of [ana.token, claude.token]) {
      const reply = await call("GET", `/api/room/permissions/${requestId}`, {
        headers: { cookie: `token=${token}; authorization=Bearer ${token}` },
      });
      expect(reply.status).toBe(401);
    }
  });

  it("a credential in the query is none", async () => {
    const { ana } = await setScene();
    for (const name of ["token", "access_token", "authorization"]) {
      expect((await call("GET", `/api/room?${name}=${ana.token}`)).status).toBe(401);
    }
  });
});

// B68
describe("a deployment that names its hosts", () => {
  const hosts = { ALLOWED_HOSTS: "localhost, 127.0.0.1,Room.test" };
  const get = (url: string, more: object): Promise<Response> =>
    Promise.resolve(app.fetch(new Request(url), { ...env, ...more }));

  it.each([
    ["https://evil.test/api/health"],
    ["https://room.test.evil.test/api/health"],
    ["http://127.0.0.1.evil.test:8787/api/room"],
    ["http://192.168.0.1/api/nothing"],
  ])("does not answer as %s", async (url) => {
    const response = await get(url, hosts);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { code: "forbidden_host" } });
    expect(response.headers.get("handraise-protocol")).toBe("1");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it.each([
    ["https://room.test/api/health"],
    ["http://localhost:8787/api/health"],
    ["http://127.0.0.1:9999/api/health"],
  ])("answers as %s, on any port", async (url) => {
    expect((await get(url, hosts)).status).toBe(200);
  });

  it.each([{}, { ALLOWED_HOSTS: "" }])("and without %j answers as any", async (more) => {
    expect((await get("https://anything.test/api/health", more)).status).toBe(200);
  });
});
