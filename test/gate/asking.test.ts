import { describe, expect, test, vi } from "vitest";
import type { AskOptions, GateQuestion, Waiting } from "../../src/gate/index.ts";
import type { RequestStatus } from "../../src/protocol/index.ts";
import { ANA, decidedAs, html, json, PlayedRoom, refusal, stopTime, watch } from "./played-room.ts";

const QUESTION: GateQuestion = {
  title: "Deploy 4.2",
  kind: "execute",
  rawInput: { command: "./deploy 4.2" },
};

/** A question that is open and polled. */
async function openQuestion(options: AskOptions = {}) {
  const room = new PlayedRoom();
  const gate = room.gate();
  const answer = gate.ask(QUESTION, options);
  await vi.waitFor(() => expect(room.calls.some(({ query }) => query !== "")).toBe(true));
  return { room, gate, answer };
}

describe("what is posted", () => {
  test("the question as a tool call, under a fresh random id, with the two usual options", async () => {
    const { room, answer } = await openQuestion();
    const { requestId, ...posted } = room.posted;
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(posted).toEqual({
      toolCall: { ...QUESTION, toolCallId: requestId },
      options: [
        { optionId: "allow_once", name: "Allow once", kind: "allow_once" },
        { optionId: "reject_once", name: "Deny", kind: "reject_once" },
      ],
    });
    room.settle(decidedAs("allow_once", "allow_once"));
    await answer;
    const again = await openQuestion();
    expect(again.room.posted.requestId).not.toBe(requestId);
    again.room.settle(decidedAs("allow_once", "allow_once"));
    await again.answer;
  });

  test("its own options and settings, and what it was when it was asked", async () => {
    const options = [{ optionId: "ü", name: "Ja", kind: "allow_always", _meta: { a: 1 } }];
    const question = {
      title: "t",
      content: [{ a: 1 }],
      locations: [{ path: "/x", line: 3 }],
      options,
    };
    const room = new PlayedRoom();
    let tries = 0;
    room.play = ({ path }) => (path.endsWith("/request") && (tries += 1) < 2 ? "cut" : undefined);
    const answer = room
      .gate()
      .ask(question, { expiresInMs: 60_000, maxExpiresInMs: 90_000, ifNoHuman: "withdraw" });
    options[0]!.kind = "reject_once";
    question.title = "changed";
    await vi.waitFor(() => expect(tries).toBe(2));
    expect(room.posted).toMatchObject({
      toolCall: { title: "t", content: [{ a: 1 }], locations: [{ path: "/x", line: 3 }] },
      options: [{ optionId: "ü", name: "Ja", kind: "allow_always", _meta: { a: 1 } }],
      ifNoHuman: "withdraw",
    });
    room.settle(decidedAs("ü", "allow_always"));
    expect((await answer).reply).toEqual({ kind: "approve", scope: "always" });
  });

  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  test.each<[string, unknown, object, string]>([
    ["a circle", { title: "t", rawInput: circle }, {}, "invalid_request"],
    ["a bigint", { title: "t", rawInput: 1n }, {}, "invalid_request"],
    [
      "a number that JSON cannot say",
      { title: "t", rawInput: [Number.NaN] },
      {},
      "invalid_request",
    ],
    ["half a character", { title: "\ud800" }, {}, "invalid_request"],
    ["no options", { title: "t", options: [] }, {}, "invalid_request"],
    [
      "one option twice",
      {
        title: "t",
        options: [
          { optionId: "a", name: "A" },
          { optionId: "a", name: "B" },
        ],
      },
      {},
      "invalid_request",
    ],
    ["options that are none", { title: "t", options: null }, {}, "invalid_request"],
    ["a time that is none", { title: "t" }, { expiresInMs: Number.NaN }, "invalid_request"],
    ["a time that is no integer", { title: "t" }, { expiresInMs: 1.5 }, "invalid_request"],
    [
      "more than a body takes",
      { title: "t", rawInput: "x".repeat(1024 * 1024) },
      {},
      "payload_too_large",
    ],
  ])("refused without a call: %s", async (_, question, options, code) => {
    const room = new PlayedRoom();
    const answer = await room.gate().ask(question as GateQuestion, options);
    expect(answer).toEqual({ reply: { kind: "teardown" }, end: "refused", code });
    expect(room.calls).toEqual([]);
  });
});

describe("what an end means, and what the Room is told of it", () => {
  const cancelled = { outcome: { outcome: "cancelled" } } as const;
  const at = 1;
  const decided = decidedAs("allow_once", "allow_once");
  test.each<[string, Partial<RequestStatus>, string, string, boolean | undefined]>([
    ["allowed", decided, "approve", "decided", true],
    ["refused", decidedAs("reject_once", "reject_once"), "reject", "decided", true],
    [
      "dismissed",
      { state: "dismissed", settlement: { state: "dismissed", at, by: ANA }, ...cancelled },
      "teardown",
      "dismissed",
      true,
    ],
    [
      "expired",
      { state: "expired", settlement: { state: "expired", at }, ...cancelled },
      "teardown",
      "expired",
      true,
    ],
    [
      "withdrawn",
      {
        state: "withdrawn",
        settlement: { state: "withdrawn", at, reason: "room_closed" },
        ...cancelled,
      },
      "teardown",
      "withdrawn",
      undefined,
    ],
    [
      "nobody here",
      {
        state: "withdrawn",
        settlement: { state: "withdrawn", at, reason: "no_human" },
        ...cancelled,
      },
      "teardown",
      "no_human",
      undefined,
    ],
    ["decided, fetched too late", { ...decided, ...cancelled }, "teardown", "decided", false],
    [
      "an option that was not offered",
      decidedAs("nope", "allow_once"),
      "unreadable",
      "decided",
      false,
    ],
    [
      "a kind that only the Room claims",
      decidedAs("reject_once", "allow_once"),
      "reject",
      "decided",
      true,
    ],
    [
      "another option than the settlement's",
      { ...decided, outcome: { outcome: "selected", optionId: "reject_once" } },
      "unreadable",
      "decided",
      false,
    ],
    [
      "selected, though expired",
      { ...decided, settlement: { state: "expired", at } },
      "unreadable",
      "expired",
      false,
    ],
    [
      "selected, though withdrawn",
      { ...decided, settlement: { state: "withdrawn", at, reason: "turn_ended" } },
      "unreadable",
      "withdrawn",
      undefined,
    ],
    [
      "decided without an outcome",
      { state: "decided", ...decided, outcome: undefined } as never,
      "unreadable",
      "decided",
      false,
    ],
  ])("%s", async (_, settled, reply, end, applied) => {
    const { room, gate, answer } = await openQuestion();
    room.settle(settled);
    const given = await answer;
    expect([given.reply.kind, given.end]).toEqual([reply, end]);
    expect(given.status).toMatchObject({ requestId: room.posted.requestId, state: settled.state });
    await gate.leave();
    const expected = applied === undefined ? [] : [{ applied }];
    expect(room.callsTo("/ack").map(({ body }) => body)).toEqual(expected);
    expect(room.callsTo("/leave")).toHaveLength(1);
    expect(room.callsTo("/withdraw")).toEqual([]);
  });

  test("settled with the first reply: nothing is polled", async () => {
    const room = new PlayedRoom();
    const settlement = { state: "withdrawn", at: 1, reason: "no_human" } as const;
    room.settled = { state: "withdrawn", settlement, outcome: { outcome: "cancelled" } };
    const waitings: Waiting[] = [];
    const answer = await room.gate().ask(QUESTION, {
      ifNoHuman: "withdraw",
      onWaiting: (waiting) => waitings.push(waiting),
    });
    expect(answer.end).toBe("no_human");
    expect(room.calls).toHaveLength(1);
    expect(waitings).toEqual([]);
  });

  test("an acknowledgement is repeated over faults, and a departure waits for it", async () => {
    const { room, gate, answer } = await openQuestion();
    room.play = ({ path }) =>
      path.endsWith("/ack") && room.callsTo("/ack").length < 3 ? html(502) : undefined;
    room.settle(decidedAs("allow_once", "allow_once"));
    await answer;
    await gate.leave();
    const ends = room.calls.slice(-2).map(({ path }) => path.split("/").at(-1));
    expect([room.callsTo("/ack").length, ends]).toEqual([3, ["ack", "leave"]]);
  });
});

describe("network faults", () => {
  test.each<[string, () => Response | "cut"]>([
    ["a connection that is cut", () => "cut"],
    ["a 500 in the Room's words", () => refusal(500, "internal")],
    ["a 503 in the Room's words", () => refusal(503, "unavailable")],
    ["a rate limit", () => refusal(429, "rate_limited")],
    ["HTML 404", () => html(404)],
    ["HTML 502", () => html(502)],
    ["HTML 200", () => html(200)],
    ["a bare 500", () => new Response(null, { status: 500 })],
    ["JSON of another shape", () => json(200, { requestId: "x" })],
    ["an unknown code under 503", () => refusal(503, "coming_soon")],
  ])(
    "%s while posting and while polling: repeated with the same id, and answered",
    async (_, fault) => {
      stopTime();
      const room = new PlayedRoom();
      const failed = { post: 0, poll: 0 };
      room.play = ({ method }) => {
        const step = method === "POST" ? "post" : "poll";
        return (failed[step] += 1) <= 2 ? fault() : undefined;
      };
      const answer = watch(room.gate().ask(QUESTION));
      await vi.advanceTimersByTimeAsync(10_000);
      expect([failed, answer]).toEqual([{ post: 3, poll: 3 }, {}]);
      room.settle(decidedAs("allow_once", "allow_once"));
      await vi.advanceTimersByTimeAsync(1);
      expect(answer.value?.reply).toEqual({ kind: "approve" });
      const posts = room.callsTo("/request").map(({ body }) => body);
      expect(posts).toHaveLength(3);
      expect(new Set(posts.map((body) => JSON.stringify(body))).size).toBe(1);
    },
  );

  test("a status of another request is nobody's answer", async () => {
    stopTime();
    const room = new PlayedRoom();
    room.play = ({ query }) => {
      if (query === "") return undefined;
      return json(200, {
        ...room.status("another-request"),
        ...decidedAs("allow_once", "allow_once"),
      });
    };
    const answer = watch(room.gate().ask(QUESTION));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(answer).toEqual({});
    room.play = () => undefined;
    room.settle(decidedAs("reject_once", "reject_once"));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(answer.value?.reply.kind).toBe("reject");
  });

  test.each([
    [400, "invalid_request"],
    [401, "unauthorized"],
    [403, "resident_only"],
    [404, "room_not_found"],
    [409, "request_conflict"],
    [410, "room_closed"],
    [413, "payload_too_large"],
    [429, "too_many_pending"],
    [429, "room_full"],
    [451, "not_here"],
  ])("refused at once: %i %s", async (status, code) => {
    const room = new PlayedRoom();
    room.play = () => refusal(status, code);
    const answer = await room.gate().ask(QUESTION);
    expect(answer).toEqual({ reply: { kind: "teardown" }, end: "refused", code });
    expect(room.calls).toHaveLength(1);
  });

  test.each([
    [410, "room_closed", "room_closed"],
    [404, "room_not_found", "room_closed"],
    [401, "unauthorized", "resident_removed"],
  ])(
    "an open question that the Room answers with %i %s was withdrawn, and is pending no more",
    async (status, code, reason) => {
      const { room, answer } = await openQuestion();
      room.play = () => refusal(status, code);
      room.answerPoll();
      expect(await answer).toEqual({ reply: { kind: "teardown" }, end: "withdrawn", reason });
    },
  );

  test("refused while it waits, by a code that says nothing of the question", async () => {
    const { room, answer } = await openQuestion();
    room.play = () => refusal(451, "not_here");
    room.answerPoll();
    expect(await answer).toMatchObject({
      reply: { kind: "teardown" },
      end: "refused",
      code: "not_here",
      status: { state: "pending" },
    });
  });

  test("a pause that the Room asks for is kept", async () => {
    stopTime();
    const room = new PlayedRoom();
    room.play = () => refusal(429, "rate_limited", { "retry-after": "7" });
    const answer = watch(room.gate().ask(QUESTION, { expiresInMs: 30_000 }));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(room.calls.map(({ at }) => at - room.calls[0]!.at)).toEqual([0, 7_000, 14_000]);
    expect(answer).toEqual({});
    await vi.advanceTimersByTimeAsync(40_000);
    expect(answer.value?.end).toBe("unreachable");
  });

  test("a pause of no time is none that the Room asks for", async () => {
    stopTime();
    const room = new PlayedRoom();
    room.play = () => refusal(429, "rate_limited", { "retry-after": "0" });
    const answer = watch(room.gate().ask(QUESTION, { expiresInMs: 1_000 }));
    await vi.advanceTimersByTimeAsync(13_000);
    expect(answer.value?.end).toBe("unreachable");
    expect(room.calls.length).toBeLessThan(60);
  });
});
