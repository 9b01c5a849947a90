import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { ERROR_CODES, type ErrorCode, limits } from "../../src/protocol/index.ts";
import { app } from "../../worker/app.ts";
import type { Env } from "../../worker/env.ts";
import { STATUS_OF } from "../../worker/http-error.ts";
import { CLAUDE } from "../../worker/openapi/examples.ts";
import {
  checkerOf,
  operationsOf,
  readApiDocument,
  timeless,
  Translation,
} from "../support/workerd/described.ts";
import {
  ask,
  call,
  createRoom,
  freshId,
  type Member,
  ORIGIN,
  type Reply,
  requestBody,
  STD,
} from "../support/workerd/room.ts";

const document = await readApiDocument();
const PERMISSIONS = "/api/room/permissions";
const NEVER_USED = "request-never-used";

/** A call to a Worker with other bindings: what can go wrong around it, not what is asked of it. */
async function callWith(bindings: Partial<Env>, path: string, token?: string): Promise<Reply> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await app.request(`${ORIGIN}${path}`, { headers }, { ...env, ...bindings });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

function failing(flags: object): Env["ROOMS"] {
  const fail = (): never => {
    throw Object.assign(new Error("the object is gone"), flags);
  };
  return { idFromString: (id: string) => env.ROOMS.idFromString(id), get: fail } as never;
}

interface Scene {
  ana: Member;
  claude: Member;
  room: Awaited<ReturnType<typeof createRoom>>;
}

/** What provokes each code, and at which documented operation; none where there is no such route. */
const PROVOKED: Record<
  ErrorCode,
  [operationId: string | undefined, (scene: Scene) => Promise<Reply>]
> = {
  invalid_json: [
    "decide",
    ({ ana }) =>
      call("POST", `${PERMISSIONS}/${NEVER_USED}/decide`, { token: ana.token, raw: "{" }),
  ],
  invalid_request: [
    "decide",
    ({ ana }) =>
      call("POST", `${PERMISSIONS}/${NEVER_USED}/decide`, { token: ana.token, body: {} }),
  ],
  option_not_offered: [
    "decide",
    async ({ ana, claude }) => decide(ana, await ask(claude), "allow_once"),
  ],
  unauthorized: ["getRoom", () => call("GET", "/api/room")],
  human_only: ["decide", async ({ claude }) => decide(claude, await ask(claude), "allow-1")],
  resident_only: [
    "requestPermission",
    ({ ana }) =>
      call("POST", `${PERMISSIONS}/request`, { token: ana.token, body: requestBody(freshId()) }),
  ],
  forbidden_host: ["getHealth", () => callWith({ ALLOWED_HOSTS: "localhost" }, "/api/health")],
  not_found: [undefined, () => call("GET", "/api/nothing")],
  room_not_found: [
    "getRoom",
    ({ ana, claude }) => {
      const [version, kind, , secret] = ana.token.split(".");
      expect(claude.token).toContain("hr1.rt.");
      return call("GET", "/api/room", {
        token: [version, kind, `${"A".repeat(42)}A`, secret].join("."),
      });
    },
  ],
  request_not_found: [
    "getPermission",
    ({ ana }) => call("GET", `${PERMISSIONS}/${NEVER_USED}`, { token: ana.token }),
  ],
  participant_not_found: [
    "removeParticipant",
    ({ ana }) =>
      call("POST", `/api/room/participants/${CLAUDE.participantId}/remove`, {
        token: ana.token,
        body: {},
      }),
  ],
  method_not_allowed: [undefined, () => call("GET", "/api/rooms")],
  already_settled: [
    "decide",
    async ({ ana, claude }) => {
      const options = [{ optionId: "allow-1", name: "Allow once", kind: "allow_once" }, STD[2]];
      const requestId = await ask(claude, { options });
      await decide(ana, requestId, "allow-1");
      return decide(ana, requestId, "no-2");
    },
  ],
  not_settled: [
    "acknowledge",
    async ({ claude }) =>
      call("POST", `${PERMISSIONS}/${await ask(claude)}/ack`, {
        token: claude.token,
        body: { applied: true },
      }),
  ],
  request_conflict: [
    "requestPermission",
    async ({ claude }) =>
      call("POST", `${PERMISSIONS}/request`, {
        token: claude.token,
        body: requestBody(await ask(claude), { turnId: "another" }),
      }),
  ],
  not_extendable: [
    "extend",
    async ({ ana, claude }) => {
      const path = `${PERMISSIONS}/${await ask(claude)}`;
      const { body } = await call("GET", path, { token: ana.token });
      const { expiresAt } = body as { expiresAt?: unknown };
      return call("POST", `${path}/extend`, { token: ana.token, body: { expiresAt } });
    },
  ],
  room_closed: [
    "getPermission",
    async ({ ana, claude }) => {
      const path = `${PERMISSIONS}/${await ask(claude)}`;
      const waiting = call("GET", `${path}?waitMs=20000`, { token: claude.token });
      // Dispatched in order: the poll is waiting before the Room is asked to end.
      await call("GET", path, { token: claude.token });
      await call("POST", "/api/room/close", { token: ana.token, body: {} });
      return waiting;
    },
  ],
  payload_too_large: [
    "requestPermission",
    ({ claude }) =>
      call("POST", `${PERMISSIONS}/request`, {
        token: claude.token,
        raw: " ".repeat(limits.BODY_BYTES + 1),
      }),
  ],
  unsupported_media_type: [
    "createRoom",
    () => call("POST", "/api/rooms", { raw: "{}", headers: { "content-type": "text/plain" } }),
  ],
  upgrade_required: [
    "openSocket",
    ({ ana }) => call("GET", "/api/room/socket", { token: ana.token }),
  ],
  too_many_pending: [
    "requestPermission",
    async ({ claude }) => {
      for (let n = 0; n < limits.PENDING_PER_RESIDENT; n += 1) await ask(claude);
      return call("POST", `${PERMISSIONS}/request`, {
        token: claude.token,
        body: requestBody(freshId()),
      });
    },
  ],
  rate_limited: [
    "getPermission",
    async ({ ana, claude }) => {
      const path = `${PERMISSIONS}/${await ask(claude)}`;
      const wait = () => call("GET", `${path}?waitMs=20000`, { token: ana.token });
      const calls = Array.from({ length: limits.LONG_POLLS_PER_PARTICIPANT + 1 }, wait);
      const refused = await Promise.race(calls);
      await call("POST", `${path}/dismiss`, { token: ana.token, body: {} });
      await Promise.all(calls);
      return refused;
    },
  ],
  room_full: [
    "joinRoom",
    async ({ room }) => {
      await room.inside((_, { storage }) => {
        for (let n = 0; n < limits.PARTICIPANTS; n += 1) {
          storage.sql.exec(FILLER, `filler-${n}`, `Filler ${n}`, `filler ${n}`);
        }
      });
      return call("POST", "/api/room/join", {
        token: room.created.humanInvite,
        body: { name: "Zoe" },
      });
    },
  ],
  internal: ["getRoom", ({ ana }) => callWith({ ROOMS: failing({}) }, "/api/room", ana.token)],
  unavailable: [
    "getRoom",
    ({ ana }) => callWith({ ROOMS: failing({ overloaded: true }) }, "/api/room", ana.token),
  ],
};

const FILLER =
  "INSERT INTO participant (participant_id, role, name, name_key, joined_at, called_at) VALUES (?, 'human', ?, ?, 0, 0)";

function decide(member: Member, requestId: string, optionId: string): Promise<Reply> {
  return call("POST", `${PERMISSIONS}/${requestId}/decide`, {
    token: member.token,
    body: { optionId },
  });
}

it.each(ERROR_CODES)("%s is what the document shows", async (code) => {
  const room = await createRoom();
  const scene = { room, ana: await room.human(), claude: await room.resident() };
  const [operationId, provoke] = PROVOKED[code];
  const reply = await provoke(scene);
  expect(reply.status).toBe(STATUS_OF[code]);

  const names = new Translation();
  const example = document.components.examples[code]?.value;
  const told = example as { error: { settlement?: { by: { participantId: string } } } };
  const by = told.error.settlement?.by.participantId;
  if (by !== undefined) names.add(by, scene.ana.participantId);
  expect(timeless(names.toTold(reply.body))).toEqual(timeless(example));

  const described =
    operationId === undefined
      ? document.components.responses[code]
      : operationsOf(document).find(({ operation }) => operation.operationId === operationId)
          ?.operation.responses[reply.status];
  const schema = described?.content?.["application/json"]?.schema;
  expect(schema).toBeDefined();
  expect(checkerOf(document, schema ?? {}).safeParse(reply.body).error).toBeUndefined();
});
