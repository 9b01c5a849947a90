import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { limits, utf8Bytes } from "../../src/protocol/index.ts";
import { app } from "../../worker/app.ts";
import {
  call,
  createRoom,
  freshId,
  ORIGIN,
  post,
  type Reply,
  requestBody,
  STD,
  statusAs,
  worker,
} from "../support/workerd/room.ts";

const ID = "request-000000";
const REQUEST = "/api/room/permissions/request";

const BUILT: [method: string, path: string, allow: string][] = [
  ["POST", "/api/rooms", "POST"],
  ["POST", "/api/room/join", "POST"],
  ["GET", "/api/room", "GET, HEAD"],
  ["GET", "/api/room/socket", "GET, HEAD"],
  ["POST", REQUEST, "POST"],
  ["GET", `/api/room/permissions/${ID}`, "GET"],
  ["GET", `/api/room/permissions/${ID}/tool-call`, "GET"],
  ["POST", `/api/room/permissions/${ID}/withdraw`, "POST"],
  ["POST", `/api/room/permissions/${ID}/ack`, "POST"],
  ["POST", `/api/room/permissions/${ID}/decide`, "POST"],
  ["POST", `/api/room/permissions/${ID}/dismiss`, "POST"],
  ["POST", `/api/room/permissions/${ID}/extend`, "POST"],
  ["GET", "/api/room/history", "GET, HEAD"],
  ["POST", "/api/room/invites", "POST"],
  ["POST", "/api/room/participants/x/remove", "POST"],
  ["POST", "/api/room/leave", "POST"],
  ["POST", "/api/room/close", "POST"],
  ["GET", "/api/health", "GET, HEAD"],
  ["GET", "/api/openapi.json", "GET, HEAD"],
  ["GET", "/api/frames.json", "GET, HEAD"],
];
const NEEDS_NO_CREDENTIAL = new Set([
  "/api/rooms",
  "/api/health",
  "/api/openapi.json",
  "/api/frames.json",
]);

/** What every reply of the API carries, errors too. */
function marksOf({ headers }: Reply): (string | null)[] {
  return ["content-type", "cache-control", "x-content-type-options", "handraise-protocol"].map(
    (name) => headers.get(name),
  );
}
const MARKS = ["application/json; charset=utf-8", "no-store", "nosniff", "1"];

/** An error as it was answered; `error` is how it should be. */
function seen(reply: Reply): object {
  const { error } = reply.body ?? {};
  const says = typeof error?.["message"];
  return { status: reply.status, code: error?.code, says, marks: marksOf(reply) };
}

function error(status: number, code: string): object {
  return { status, code, says: "string", marks: MARKS };
}

function pathsOf(reply: Reply): unknown[] {
  const issues = reply.body.error?.["issues"] as { path: unknown }[] | undefined;
  return issues?.map(({ path }) => path) ?? [];
}

describe("routes", () => {
  // B114
  it.each(BUILT.filter(([, path]) => !NEEDS_NO_CREDENTIAL.has(path)))(
    "%s %s without a credential is a 401 in JSON",
    async (method, path) => {
      const headers = path.endsWith("/socket") ? { upgrade: "websocket" } : {};
      expect(seen(await call(method, path, { headers }))).toEqual(error(401, "unauthorized"));
    },
  );

  it.each([
    ["GET", "/api/nothing"],
    ["GET", "/api/"],
    ["POST", "/api/rooms/1"],
    ["GET", "/api/health/"],
    ["GET", "/api/Health"],
    ["GET", "/api/room/permissions"],
    ["GET", `/api/room/permissions/${ID}/`],
    ["GET", `/api/room/permissions/${ID}/tool-call/0`],
  ])("%s %s, which is no route, is a 404 in JSON, with a credential or without", async (...at) => {
    expect(seen(await call(...at))).toEqual(error(404, "not_found"));
    const room = await createRoom();
    const ana = await room.human();
    expect(seen(await call(...at, { token: ana.token }))).toEqual(error(404, "not_found"));
  });

  it.each(BUILT)("%s %s names in Allow what it takes", async (right, path, allow) => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      // `request` is also in the place of a requestId, which can be read.
      if (method === right || (method === "GET" && path === REQUEST)) continue;
      const reply = await call(method, path);
      expect(seen(reply)).toEqual(error(405, "method_not_allowed"));
      expect(reply.headers.get("allow")).toBe(allow);
    }
  });

  it("health says what is running", async () => {
    const reply = await call("GET", "/api/health");
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ status: "ok", version: "0.1.0", protocol: 1 });
    expect(marksOf(reply)).toEqual(MARKS);
  });

  it("every success is marked like every error", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const requestId = freshId();
    for (const reply of [
      await call("POST", "/api/rooms", { body: {} }),
      await call("POST", "/api/room/join", {
        token: room.created.humanInvite,
        body: { name: "Ben" },
      }),
      await post(claude, requestId),
      await call("GET", "/api/room", { token: ana.token }),
      await statusAs(ana, requestId),
      await call("GET", `/api/room/permissions/${requestId}/tool-call`, { token: ana.token }),
    ]) {
      expect([200, 201]).toContain(reply.status);
      expect(marksOf(reply)).toEqual(MARKS);
    }
  });

  it("an id that has not the form of one is not found, and is not taken apart", async () => {
    const room = await createRoom();
    const ana = await room.human();
    for (const id of [
      "short",
      "a".repeat(65),
      "%00%00%00%00%00%00%00%00",
      "..%2f..%2froom",
      "request",
    ]) {
      const reply = await call("GET", `/api/room/permissions/${id}`, { token: ana.token });
      expect(seen(reply)).toEqual(error(404, "request_not_found"));
    }
  });
});

describe("the body", () => {
  const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
    Uint8Array.from(new TextEncoder().encode(text));
  const createWith = (raw: BodyInit, headers: Record<string, string> = {}): Promise<Reply> =>
    call("POST", "/api/rooms", { raw, headers });

  it("of exactly the limit is read; one byte more is too large", async () => {
    const atLimit = '{"name":"Big"}'.padEnd(limits.BODY_BYTES, " ");
    expect((await createWith(atLimit)).status).toBe(201);
    const reply = await createWith(`${atLimit} `);
    expect(seen(reply)).toEqual(error(413, "payload_too_large"));
    expect(reply.body.error).toMatchObject({ limitBytes: limits.BODY_BYTES });
  });

  it("is refused by its Content-Length before any of it is read", async () => {
    let isRead = false;
    const body = new ReadableStream(
      { pull: () => void (isRead = true) },
      // No chunk is asked for ahead of a reader.
      { highWaterMark: 0 },
    );
    const response = await app.fetch(
      new Request(`${ORIGIN}/api/rooms`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "content-length": String(limits.BODY_BYTES + 1),
        },
        body,
      }),
      env,
    );
    expect(response.status).toBe(413);
    expect(isRead).toBe(false);
  });

  it("is refused by streaming past the limit, and is not read to its end", async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(32));
      },
    });
    const response = await app.fetch(
      new Request(`${ORIGIN}/api/rooms`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: endless,
      }),
      env,
    );
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: { limitBytes: limits.BODY_BYTES } });
    expect(sent).toBeLessThan(2 * limits.BODY_BYTES);
  });

  it.each([
    ["text/plain"],
    ["application/x-www-form-urlencoded"],
    ["multipart/form-data; boundary=x"],
    ["application/jsonp"],
    ["text/json"],
    [""],
  ])("as %j is not taken", async (contentType) => {
    const reply = await createWith("{}", { "content-type": contentType });
    expect(seen(reply)).toEqual(error(415, "unsupported_media_type"));
  });

  it.each([["application/json; charset=utf-8"], ["Application/JSON"], ["application/json ;x=y"]])(
    "as %j is taken",
    async (contentType) => {
      expect((await createWith("{}", { "content-type": contentType })).status).toBe(201);
    },
  );

  it.each([
    ["ill-formed UTF-8", Uint8Array.of(...bytesOf('{"name":"a'), 0xff, ...bytesOf('"}'))],
    [
      "a surrogate in UTF-8",
      Uint8Array.of(...bytesOf('{"name":"'), 0xed, 0xa0, 0x80, ...bytesOf('"}')),
    ],
    ["an overlong slash", Uint8Array.of(...bytesOf('{"name":"'), 0xc0, 0xaf, ...bytesOf('"}'))],
    ["UTF-8 cut in the middle", Uint8Array.of(...bytesOf('{"name":"'), 0xe2, 0x82)],
    ["nothing", bytesOf("")],
    ["half a value", bytesOf('{"name":')],
    ["NaN", bytesOf('{"name":NaN}')],
    ["two values", bytesOf("{}{}")],
    ["single quotes", bytesOf("{'name':'a'}")],
  ])("with %s is invalid_json", async (_, raw) => {
    expect(seen(await createWith(raw))).toEqual(error(400, "invalid_json"));
  });

  it.each([["null"], ["[]"], ['"text"'], ["1"], ["true"]])("%s is no object", async (raw) => {
    expect(seen(await createWith(raw))).toEqual(error(400, "invalid_request"));
  });

  it("may carry fields that nobody knows", async () => {
    expect((await createWith('{"name":"A","later":{"x":1}}')).status).toBe(201);
  });
});

describe("what cannot be kept as it was sent is refused with its place", () => {
  const SURROGATE = String.raw`\ud800`;
  const OPTION = '{"optionId":"o","name":"n"}';
  const withField = (field: string): string =>
    `{"requestId":"ID","toolCall":{"toolCallId":"t"},"options":[${OPTION}],${field}}`;
  const withToolCall = (field: string): string =>
    `{"requestId":"ID","toolCall":{"toolCallId":"t",${field}},"options":[${OPTION}]}`;
  const withOption = (option: string): string =>
    `{"requestId":"ID","toolCall":{"toolCallId":"t"},"options":[${OPTION},${option}]}`;

  async function send(text: string): Promise<{ reply: Reply; after: Reply; text: string }> {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const requestId = freshId();
    const reply = await call("POST", REQUEST, {
      token: claude.token,
      raw: text.replaceAll('"ID"', JSON.stringify(requestId)),
    });
    const after = await statusAs(ana, requestId);
    return { reply, after, text };
  }

  it.each<[string, string, unknown[]]>([
    ["a text", withToolCall(`"title":"a${SURROGATE}b"`), ["toolCall", "title"]],
    [
      "a deep text",
      withToolCall(`"rawInput":{"a":[0,{"b":"${SURROGATE}"}]}`),
      ["toolCall", "rawInput", "a", 1, "b"],
    ],
    ["the lower half", withToolCall(String.raw`"title":"\udc00"`), ["toolCall", "title"]],
    [
      "halves in the wrong order",
      withToolCall(String.raw`"title":"\udc00\ud800"`),
      ["toolCall", "title"],
    ],
    ["a key", withToolCall(`"${SURROGATE}":1`), ["toolCall"]],
    [
      "a deep key",
      withToolCall(`"rawInput":{"a":{"${SURROGATE}":1}}`),
      ["toolCall", "rawInput", "a"],
    ],
    [
      "a text under __proto__",
      withToolCall(`"__proto__":{"a":"${SURROGATE}"}`),
      ["toolCall", "__proto__", "a"],
    ],
    [
      "toolCallId",
      `{"requestId":"ID","toolCall":{"toolCallId":"${SURROGATE}"},"options":[${OPTION}]}`,
      ["toolCall", "toolCallId"],
    ],
    [
      "an optionId",
      withOption(`{"optionId":"${SURROGATE}","name":""}`),
      ["options", 1, "optionId"],
    ],
    [
      "an option's name",
      withOption(`{"optionId":"p","name":"${SURROGATE}"}`),
      ["options", 1, "name"],
    ],
    [
      "an option's kind",
      withOption(`{"optionId":"p","name":"","kind":"${SURROGATE}"}`),
      ["options", 1, "kind"],
    ],
    [
      "an option's extra field",
      withOption(`{"optionId":"p","name":"","_meta":{"x":"${SURROGATE}"}}`),
      ["options", 1, "_meta", "x"],
    ],
    ["turnId", withField(`"turnId":"${SURROGATE}"`), ["turnId"]],
    ["a field that nobody knows", withField(`"later":"${SURROGATE}"`), ["later"]],
    ["a key that nobody knows", withField(`"${SURROGATE}":1`), []],
  ])("a lone surrogate in %s", async (_, text, path) => {
    const { reply, after } = await send(text);
    expect(seen(reply)).toEqual(error(400, "invalid_request"));
    expect(pathsOf(reply)).toEqual([path]);
    expect(after.status).toBe(404);
  });

  it("a lone surrogate in a name", async () => {
    const name = `{"name":"Ana${SURROGATE}"}`;
    const room = await createRoom();
    for (const [path, token] of [
      ["/api/rooms", undefined],
      ["/api/room/join", room.created.humanInvite],
    ] as const) {
      const reply = await call("POST", path, {
        raw: name,
        ...(token === undefined ? {} : { token }),
      });
      expect(seen(reply)).toEqual(error(400, "invalid_request"));
      expect(pathsOf(reply)).toEqual([["name"]]);
    }
  });

  it("a whole pair is no lone surrogate", async () => {
    expect((await send(withToolCall(String.raw`"title":"\ud83d\ude00"`))).reply.status).toBe(201);
  });

  it.each<[string, unknown[]]>([
    [withToolCall('"rawInput":{"n":[1e999]}'), ["toolCall", "rawInput", "n", 0]],
    [withToolCall('"rawInput":-1e999'), ["toolCall", "rawInput"]],
    [withOption('{"optionId":"p","name":"","_meta":1e999}'), ["options", 1, "_meta"]],
    [withField('"expiresInMs":1e999'), ["expiresInMs"]],
  ])("a number out of range: %s", async (text, path) => {
    const { reply, after } = await send(text);
    expect(seen(reply)).toEqual(error(400, "invalid_request"));
    expect(pathsOf(reply)).toEqual([path]);
    expect(after.status).toBe(404);
  });

  const nested = (levels: number): string =>
    `"rawInput":${"[".repeat(levels)}${"]".repeat(levels)}`;

  it("a tool call of 64 levels is taken, one of 65 or 5 000 is not", async () => {
    expect((await send(withToolCall(nested(63)))).reply.status).toBe(201);
    for (const levels of [64, 4_999]) {
      const { reply, after } = await send(withToolCall(nested(levels)));
      expect(seen(reply)).toEqual(error(400, "invalid_request"));
      expect(after.status).toBe(404);
    }
  });

  it.each(["/api/rooms", "/api/room/join"])("5 000 levels anywhere else: %s", async (path) => {
    const room = await createRoom();
    const raw = `{"name":"A","x":${"[".repeat(5000)}${"]".repeat(5000)}}`;
    const reply = await call("POST", path, { token: room.created.humanInvite, raw });
    expect(seen(reply)).toEqual(error(400, "invalid_request"));
  });

  it("a tool call of 20 000 nodes is taken, one of 20 001 is not", async () => {
    // The tool call, its id and the list are three.
    const zeros = (n: number): string => `"rawInput":[${Array.from({ length: n }, () => 0)}]`;
    expect((await send(withToolCall(zeros(19_997)))).reply.status).toBe(201);
    const { reply, after } = await send(withToolCall(zeros(19_998)));
    expect(seen(reply)).toEqual(error(400, "invalid_request"));
    expect(pathsOf(reply)).toEqual([["toolCall"]]);
    expect(after.status).toBe(404);
  });
});

describe("a permission request", () => {
  async function residentAndHuman() {
    const room = await createRoom();
    return { ana: await room.human(), claude: await room.resident() };
  }

  it("keeps keys that JavaScript treats as special byte for byte", async () => {
    const { ana, claude } = await residentAndHuman();
    const toolCall =
      '{"toolCallId":"t","__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}},"toString":"s","hasOwnProperty":null,"rawInput":{"__proto__":"deep","":0}}';
    const requestId = freshId();
    const body = (call: string): string =>
      `{"requestId":"${requestId}","toolCall":${call},"options":${JSON.stringify(STD)}}`;
    const opened = await call("POST", REQUEST, { token: claude.token, raw: body(toolCall) });
    expect(opened.status).toBe(201);
    const stored = await worker().fetch(`${ORIGIN}/api/room/permissions/${requestId}/tool-call`, {
      headers: { authorization: `Bearer ${ana.token}` },
    });
    expect(await stored.text()).toBe(toolCall);
    const changed = toolCall.replace('"isAdmin":true', '"isAdmin":false');
    const other = await call("POST", REQUEST, { token: claude.token, raw: body(changed) });
    expect(seen(other)).toEqual(error(409, "request_conflict"));
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  // B32
  it.each<[sent: number | undefined, taken: number]>([
    [undefined, limits.EXPIRES_IN_DEFAULT_MS],
    [0, limits.EXPIRES_IN_MIN_MS],
    [limits.EXPIRES_IN_MIN_MS - 1, limits.EXPIRES_IN_MIN_MS],
    [limits.EXPIRES_IN_MIN_MS, limits.EXPIRES_IN_MIN_MS],
    [60_000, 60_000],
    [limits.EXPIRES_IN_MAX_MS, limits.EXPIRES_IN_MAX_MS],
    [limits.EXPIRES_IN_MAX_MS + 1, limits.EXPIRES_IN_MAX_MS],
    [Number.MAX_SAFE_INTEGER, limits.EXPIRES_IN_MAX_MS],
  ])("with expiresInMs %j gets %j, and is told so", async (sent, taken) => {
    const { claude } = await residentAndHuman();
    const { body } = await post(claude, freshId(), { expiresInMs: sent });
    expect(body.expiresAt - body.openedAt).toBe(taken);
    expect(body).not.toHaveProperty("maxExpiresAt");
  });

  it.each<[sent: number, taken: number]>([
    [0, 60_000],
    [59_999, 60_000],
    [60_001, 60_001],
    [limits.EXPIRES_IN_MAX_MS + 1, limits.EXPIRES_IN_MAX_MS],
  ])(
    "with maxExpiresInMs %j may be extended up to %j, never below its deadline",
    async (sent, taken) => {
      const { claude } = await residentAndHuman();
      const more = { expiresInMs: 60_000, maxExpiresInMs: sent };
      const { body } = await post(claude, freshId(), more);
      expect((body.maxExpiresAt ?? 0) - body.openedAt).toBe(taken);
    },
  );

  it.each<[string, unknown, unknown[]]>([
    ["requestId", undefined, ["requestId"]],
    ["requestId", 12_345_678, ["requestId"]],
    ["requestId", "short", ["requestId"]],
    ["requestId", "a".repeat(65), ["requestId"]],
    ["requestId", "-starts-wrong", ["requestId"]],
    ["requestId", "has space 1", ["requestId"]],
    ["requestId", "request-000001\n", ["requestId"]],
    ["toolCall", undefined, ["toolCall"]],
    ["toolCall", null, ["toolCall"]],
    ["toolCall", [], ["toolCall"]],
    ["toolCall", "rm -rf", ["toolCall"]],
    ["toolCall", {}, ["toolCall", "toolCallId"]],
    ["toolCall", { toolCallId: 1 }, ["toolCall", "toolCallId"]],
    ["toolCall", { toolCallId: "" }, ["toolCall", "toolCallId"]],
    ["toolCall", { toolCallId: "ä".repeat(257) }, ["toolCall", "toolCallId"]],
    ["options", undefined, ["options"]],
    ["options", null, ["options"]],
    ["options", {}, ["options"]],
    ["options", [], ["options"]],
    ["options", ["allow"], ["options", 0]],
    ["options", [null], ["options", 0]],
    ["options", [{ name: "A" }], ["options", 0, "optionId"]],
    ["options", [{ optionId: "", name: "A" }], ["options", 0, "optionId"]],
    ["options", [{ optionId: "a".repeat(513), name: "A" }], ["options", 0, "optionId"]],
    ["options", [{ optionId: 1, name: "A" }], ["options", 0, "optionId"]],
    ["options", [{ optionId: "a" }], ["options", 0, "name"]],
    ["options", [{ optionId: "a", name: null }], ["options", 0, "name"]],
    ["options", [{ optionId: "a", name: "n".repeat(2049) }], ["options", 0, "name"]],
    ["options", [STD[0], { optionId: "a", name: "A", kind: 1 }], ["options", 1, "kind"]],
    ["options", [{ optionId: "a", name: "A", kind: null }], ["options", 0, "kind"]],
    ["options", [STD[0], STD[0]], ["options", 1, "optionId"]],
    [
      "options",
      Array.from({ length: 33 }, (_, n) => ({ optionId: `${n}`, name: "" })),
      ["options"],
    ],
    ["expiresInMs", "60000", ["expiresInMs"]],
    ["expiresInMs", null, ["expiresInMs"]],
    ["expiresInMs", -1, ["expiresInMs"]],
    ["expiresInMs", 1.5, ["expiresInMs"]],
    ["expiresInMs", 2 ** 53, ["expiresInMs"]],
    ["maxExpiresInMs", true, ["maxExpiresInMs"]],
    ["maxExpiresInMs", -1, ["maxExpiresInMs"]],
    ["ifNoHuman", "allow", ["ifNoHuman"]],
    ["ifNoHuman", false, ["ifNoHuman"]],
    ["turnId", 1, ["turnId"]],
    ["turnId", "t".repeat(65), ["turnId"]],
  ])("with %s %j names the place and opens no card", async (field, value, path) => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const body = requestBody(freshId(), { [field]: value });
    const reply = await call("POST", REQUEST, { token: claude.token, body });
    expect(seen(reply)).toEqual(error(400, "invalid_request"));
    expect(pathsOf(reply)).toContainEqual(path);
    const view = await call("GET", "/api/room", { token: ana.token });
    expect(view.body).toMatchObject({ cards: [], recent: [] });
  });

  it("wrong bodies of the other calls name the place too, and change nothing", async () => {
    const { ana, claude } = await residentAndHuman();
    const requestId = freshId();
    await post(claude, requestId);
    const at = `/api/room/permissions/${requestId}`;
    for (const [path, body, issue] of [
      [`${at}/withdraw`, {}, ["reason"]],
      [`${at}/withdraw`, { reason: "because" }, ["reason"]],
      // Only the Room writes this one.
      [`${at}/withdraw`, { reason: "no_human" }, ["reason"]],
      [`${at}/ack`, {}, ["applied"]],
      [`${at}/ack`, { applied: "true" }, ["applied"]],
      [`${at}/ack`, { applied: 1 }, ["applied"]],
    ] as const) {
      const reply = await call("POST", path, { token: claude.token, body });
      expect(seen(reply)).toEqual(error(400, "invalid_request"));
      expect(pathsOf(reply)).toEqual([issue]);
    }
    expect((await statusAs(ana, requestId)).body.state).toBe("pending");
  });

  it("carries a tool call of 960 KiB, and not a byte more", async () => {
    const { ana, claude } = await residentAndHuman();
    const toolCallOf = (bytes: number): object => {
      const whole = { toolCallId: "t", rawInput: "" };
      return { ...whole, rawInput: "x".repeat(bytes - utf8Bytes(JSON.stringify(whole))) };
    };
    const requestId = freshId();
    const toolCall = toolCallOf(limits.TOOL_CALL_BYTES);
    expect((await post(claude, requestId, { toolCall })).status).toBe(201);
    const stored = await call("GET", `/api/room/permissions/${requestId}/tool-call`, {
      token: ana.token,
    });
    expect(stored.body).toEqual(toolCall);
    const tooLarge = await post(claude, freshId(), {
      toolCall: toolCallOf(limits.TOOL_CALL_BYTES + 1),
    });
    expect(seen(tooLarge)).toEqual(error(413, "payload_too_large"));
    expect(tooLarge.body.error).toMatchObject({ limitBytes: limits.TOOL_CALL_BYTES });
  });

  it("carries 32 KiB of options, and not a byte more", async () => {
    const { ana, claude } = await residentAndHuman();
    const optionsOf = (bytes: number): object[] => {
      const options = Array.from({ length: 32 }, (_, n) => ({ optionId: `o${n}`, name: "" }));
      let left = bytes - utf8Bytes(JSON.stringify(options));
      return options.map((option) => {
        const name = "n".repeat(Math.min(left, limits.OPTION_NAME_BYTES));
        left -= name.length;
        return { ...option, name };
      });
    };
    const a = await ana.socket();
    const options = optionsOf(limits.OPTIONS_BYTES);
    expect((await post(claude, freshId(), { options })).status).toBe(201);
    expect((await a.next("card_opened")).card.options).toEqual(options);
    const tooLarge = await post(claude, freshId(), {
      options: optionsOf(limits.OPTIONS_BYTES + 1),
    });
    expect(seen(tooLarge)).toEqual(error(413, "payload_too_large"));
    expect(tooLarge.body.error).toMatchObject({ limitBytes: limits.OPTIONS_BYTES });
    expect(await a.soFar("card_opened")).toEqual([]);
  });
});
