import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { DEFAULT_LIFE, DEFAULT_TIMES } from "../../src/approval/index.ts";
import type { ErrorBody, InviteMinted, RoomCreated } from "../../src/protocol/index.ts";
import type { Env } from "../../worker/env.ts";
import app from "../../worker/index.ts";
import { readSettings } from "../../worker/settings.ts";

/** A call of the Worker as it would be with other variables. */
async function ask<T>(
  url: string,
  variables: Partial<Env>,
  { body, bearer }: { body?: object; bearer?: string } = {},
): Promise<{ status: number; body: T & Partial<ErrorBody> }> {
  const request = new Request(url, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await app.fetch(request, { ...env, ...variables });
  return { status: response.status, body: await response.json() };
}

describe("ALLOWED_HOSTS", () => {
  const ALLOWED_HOSTS = "localhost,127.0.0.1, [::1] ,Room.Example";

  it.each([
    "http://localhost/api/health",
    "http://localhost:8787/api/health",
    "http://LOCALHOST/api/health",
    "http://127.0.0.1:1/api/health",
    "http://[::1]:8787/api/health",
    "https://room.example/api/health",
  ])("lets %s in", async (url) => {
    expect((await ask(url, { ALLOWED_HOSTS })).status).toBe(200);
  });

  it.each([
    "http://attacker.example/api/health",
    "http://attacker.example:8787/api/room",
    "http://localhost.attacker.example/api/nothing",
    "http://sub.room.example/api/health",
    "http://127.0.0.2/api/health",
    "http://0.0.0.0/api/rooms",
  ])("keeps %s out before anything else", async (url) => {
    const { status, body } = await ask(url, { ALLOWED_HOSTS });
    expect([status, body.error?.code]).toEqual([403, "forbidden_host"]);
  });

  it.each([undefined, ""])("as %j keeps nobody out", async (hosts) => {
    const variables = hosts === undefined ? {} : { ALLOWED_HOSTS: hosts };
    expect((await ask("http://attacker.example/api/health", variables)).status).toBe(200);
  });
});

describe("ROOM_CREATION_KEY", () => {
  const url = "https://room.test/api/rooms";

  it("is what creates Rooms, exactly", async () => {
    const variables = { ROOM_CREATION_KEY: "a-long-key" };
    const made = await ask<RoomCreated>(url, variables, { body: {}, bearer: "a-long-key" });
    expect(made.status).toBe(201);
    for (const bearer of ["a-long-kez", "a-long-ke", "a-long-key2", made.body.humanInvite, ""]) {
      const { status, body } = await ask(url, variables, { body: {}, bearer });
      expect([status, body.error?.code]).toEqual([401, "unauthorized"]);
    }
    expect((await ask(url, variables, { body: {} })).status).toBe(401);
    const joined = await ask(`https://room.test/api/room/join`, variables, {
      body: { name: "Ana" },
      bearer: made.body.humanInvite,
    });
    expect(joined.status).toBe(201);
  });

  it.each([undefined, ""])("as %j leaves creation to everybody", async (key) => {
    const variables = key === undefined ? {} : { ROOM_CREATION_KEY: key };
    expect((await ask(url, variables, { body: {} })).status).toBe(201);
  });
});

describe("PUBLIC_ORIGIN", () => {
  it("is where human links lead, else the origin of the call", async () => {
    for (const [variables, origin] of [
      [{ PUBLIC_ORIGIN: "https://public.example" }, "https://public.example"],
      [{}, "http://inside:8787"],
    ] as const) {
      const made = await ask<RoomCreated>("http://inside:8787/api/rooms", variables, { body: {} });
      expect(made.body.humanUrl).toBe(`${origin}/r#${made.body.humanInvite}`);
      const { token } = (
        await ask<{ token: string }>("http://inside:8787/api/room/join", variables, {
          body: { name: "Ana" },
          bearer: made.body.humanInvite,
        })
      ).body;
      const minted = await ask<InviteMinted>("http://inside:8787/api/room/invites", variables, {
        body: { role: "human" },
        bearer: token,
      });
      expect(minted.body.url).toBe(`${origin}/r#${minted.body.invite}`);
    }
  });
});

describe("the time settings", () => {
  const times = (variables: Partial<Env>): object => readSettings({ ...env, ...variables }).times;
  const { min, max } = DEFAULT_TIMES;

  it("are the protocol's where nothing is set, or nothing that is a positive number", () => {
    for (const text of [undefined, "", "abc", "0", "-5", "NaN", "Infinity"]) {
      const variables =
        text === undefined
          ? {}
          : { EXPIRES_IN_DEFAULT_S: text, EXPIRES_IN_MAX_S: text, ROOM_IDLE_S: text };
      expect(times(variables)).toEqual(DEFAULT_TIMES);
      expect(readSettings({ ...env, ...variables }).life).toEqual(DEFAULT_LIFE);
    }
  });

  it.each([
    [{ EXPIRES_IN_DEFAULT_S: "60" }, { min, max, default: 60_000 }],
    [{ EXPIRES_IN_DEFAULT_S: "0.5" }, { min, max, default: min }],
    [{ EXPIRES_IN_DEFAULT_S: "1000000" }, { min, max, default: max }],
    [{ EXPIRES_IN_MAX_S: "600" }, { min, max: 600_000, default: 300_000 }],
    [{ EXPIRES_IN_MAX_S: "60" }, { min, max: 60_000, default: 60_000 }],
    [{ EXPIRES_IN_MAX_S: "0.1" }, { min, max: min, default: min }],
    [{ EXPIRES_IN_MAX_S: "1000000" }, { min, max, default: 300_000 }],
    [
      { EXPIRES_IN_MAX_S: "20", EXPIRES_IN_DEFAULT_S: "10" },
      { min, max: 20_000, default: 10_000 },
    ],
  ])("%j stay between 1 s and 24 h", (variables, expected) => {
    expect(times(variables)).toEqual(expected);
  });

  it("say how long an empty Room lives, and whether rates are limited", () => {
    expect(readSettings({ ...env, ROOM_IDLE_S: "60" }).life.idleMs).toBe(60_000);
    for (const [value, isOn] of [
      ["off", false],
      ["on", true],
      ["", true],
    ] as const) {
      expect(readSettings({ ...env, RATE_LIMITS: value }).hasRateLimits).toBe(isOn);
    }
  });
});
