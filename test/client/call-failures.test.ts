import { expect, test } from "vitest";
import { CALL_TIMEOUT_MS, RoomApi, RoomRefusal, RoomUnreachable } from "../../src/client/index.ts";
import type { ScriptedReply } from "../support/scripted-room.ts";
import { errorOf, SECRET, TOKEN, useScriptedRoom } from "./client-end.ts";

const JSON_TYPE = { "content-type": "application/json" };

async function failureOf(
  reply: ScriptedReply | "silence",
  options: { timeoutMs?: number } = {},
): Promise<unknown> {
  const room = await useScriptedRoom();
  room.script = () => reply;
  const api = new RoomApi({ server: room.server, token: TOKEN, ...options });
  return errorOf(api.status("request-1"));
}

function envelope(status: number, error: unknown, headers: Record<string, string> = {}) {
  return { status, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify({ error }) };
}

const html = { "content-type": "text/html; charset=utf-8" };

test.each<[string, number, ScriptedReply]>([
  ["HTML 404", 404, { status: 404, headers: html, body: "<h1>Not found</h1>" }],
  ["HTML 502", 502, { status: 502, headers: html, body: "<h1>Bad gateway</h1>" }],
  ["HTML 200, a page served in the API's place", 200, { status: 200, headers: html, body: "<p>" }],
  ["a bare 500", 500, { status: 500 }],
  ["a bare 204", 204, { status: 204 }],
  ["JSON that is no envelope", 500, { status: 500, headers: JSON_TYPE, body: '{"oops":1}' }],
  ["an envelope that is not called JSON", 404, { ...envelope(404, refusal()), headers: html }],
  [
    "an envelope called JSON lines",
    404,
    { ...envelope(404, refusal()), headers: { "content-type": "application/jsonl" } },
  ],
  ["an envelope under a success", 200, envelope(200, refusal())],
  ["JSON cut short", 200, { status: 200, headers: JSON_TYPE, body: '{"requestId":' }],
  ["the wrong shape", 200, { status: 200, headers: JSON_TYPE, body: '{"requestId":"x"}' }],
  [
    "bytes that are no UTF-8",
    200,
    { status: 200, headers: JSON_TYPE, body: Buffer.from(statusWith("\u00ff"), "latin1") },
  ],
  ["a redirect", 302, { status: 302, headers: { location: "https://elsewhere.example/" } }],
])("%s: Room unreachable, with its status", async (_, status, reply) => {
  const failure = await failureOf(reply);
  expect(failure).toBeInstanceOf(RoomUnreachable);
  expect(failure).toMatchObject({ status, message: `Room unreachable (${status})` });
});

/** Of the right shape but for the encoding. */
function statusWith(optionId: string): string {
  return JSON.stringify({
    requestId: "request-1",
    state: "decided",
    openedAt: 1,
    expiresAt: 2,
    serverTime: 1,
    humansPresent: 1,
    outcome: { outcome: "selected", optionId },
    delivery: { state: "sent", at: 1 },
  });
}

function refusal() {
  return { code: "request_not_found", message: "no such request" };
}

test("an envelope is a refusal with code, status and detail", async () => {
  const detail = {
    code: "invalid_request",
    message: "cannot be read",
    issues: [{ path: ["options", 0], message: "missing" }],
  };
  const failure = await failureOf(envelope(400, detail));
  expect(failure).toBeInstanceOf(RoomRefusal);
  expect(failure).toMatchObject({ code: "invalid_request", status: 400, detail });
  expect((failure as Error).message).toBe("cannot be read");
});

test("unavailable in the Room's own words is a refusal, and says when to come back", async () => {
  const detail = { code: "unavailable", message: "again, please" };
  const failure = await failureOf(envelope(503, detail, { "retry-after": "2" }));
  expect(failure).toBeInstanceOf(RoomRefusal);
  expect(failure).toMatchObject({ code: "unavailable", status: 503, retryAfterMs: 2000 });
});

test.each(["soon", "-1", "1.5", "99999999", "Wed, 21 Oct 2015 07:28:00 GMT"])(
  "a Retry-After of %s is taken as none",
  async (value) => {
    const failure = await failureOf(envelope(503, refusal(), { "retry-after": value }));
    expect(failure).toMatchObject({ retryAfterMs: undefined });
  },
);

test("a code from a later version keeps its status to be treated by", async () => {
  const failure = await failureOf(envelope(451, { code: "not_here", message: "gone", new: 1 }));
  expect(failure).toMatchObject({ name: "RoomRefusal", code: "not_here", status: 451 });
});

test("nobody listening: Room unreachable, no connection", async () => {
  const room = await useScriptedRoom();
  await room.close();
  const api = new RoomApi({ server: room.server, token: TOKEN });
  await expect(api.room()).rejects.toMatchObject({
    name: "RoomUnreachable",
    status: undefined,
    message: "Room unreachable (no connection)",
  });
});

test("no reply in time: Room unreachable, no connection", async () => {
  expect(CALL_TIMEOUT_MS).toBe(10_000);
  expect(await failureOf("silence", { timeoutMs: 30 })).toMatchObject({
    name: "RoomUnreachable",
    message: "Room unreachable (no connection)",
  });
});

test("a body that never ends counts into the time", async () => {
  const api = new RoomApi({
    server: "http://room.example",
    token: TOKEN,
    timeoutMs: 30,
    fetch: (_, init) => {
      const body = new ReadableStream({
        start: (controller) =>
          init?.signal?.addEventListener("abort", () => controller.error(new Error("aborted"))),
      });
      return Promise.resolve(new Response(body, { headers: JSON_TYPE }));
    },
  });
  await expect(api.room()).rejects.toMatchObject({ name: "RoomUnreachable", status: 200 });
});

test("what the Room is asked to wait comes on top of the time", async () => {
  const room = await useScriptedRoom();
  room.script = () => "silence";
  const api = new RoomApi({ server: room.server, token: TOKEN, timeoutMs: 1 });
  const started = performance.now();
  await expect(api.status("request-1", { waitMs: 100 })).rejects.toThrow(RoomUnreachable);
  // Timers may fire a millisecond early.
  expect(performance.now() - started).toBeGreaterThanOrEqual(99);
});

test("an aborted call throws its signal's reason, before and during", async () => {
  const room = await useScriptedRoom();
  room.script = () => "silence";
  const api = new RoomApi({ server: room.server, token: TOKEN });
  const reason = new Error("page closed");
  await expect(api.room(AbortSignal.abort(reason))).rejects.toBe(reason);
  const abort = new AbortController();
  const call = errorOf(api.room(abort.signal));
  await room.calls.next();
  abort.abort(reason);
  expect(await call).toBe(reason);
});

test("no error tells the credential, not even one that no header can carry", async () => {
  const room = await useScriptedRoom();
  room.script = () => ({ status: 404, headers: html });
  for (const token of [TOKEN, `${TOKEN}\n`, `${TOKEN}é`, ""]) {
    const failure = await new RoomApi({ server: room.server, token }).room().catch((e) => e);
    expect(failure).toBeInstanceOf(Error);
    expect(`${failure.stack} ${failure.cause?.stack} ${JSON.stringify(failure)}`).not.toContain(
      SECRET,
    );
  }
});
