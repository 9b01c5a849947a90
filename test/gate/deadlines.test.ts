import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { AskOptions, Waiting } from "../../src/gate/index.ts";
import {
  decidedAs,
  html,
  json,
  type Play,
  PlayedRoom,
  refusal,
  stopTime,
  watch,
} from "./played-room.ts";

const QUESTION = { title: "Deploy 4.2", kind: "execute" };
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** A withdrawal that nobody answers ends by then. */
const FAREWELL_MS = 2_000;

// B99
describe("a Room that gives no answer is waited for until the deadline and 10 s", () => {
  const NO_ROOM: [string, Play][] = [
    ["nobody listens", () => "cut"],
    ["it hangs", () => "silence"],
    ["HTML 404", () => html(404)],
    ["500", () => refusal(500, "internal")],
    ["JSON that only says yes", () => json(200, decidedAs("allow_once", "allow_once"))],
  ];

  test.each(NO_ROOM)("%s, by default after 5 min", async (_, fault) => {
    stopTime();
    const room = new PlayedRoom();
    room.play = fault;
    const answer = watch(room.gate().ask(QUESTION));
    await vi.advanceTimersByTimeAsync(5 * MINUTE + 10_000 - 1);
    expect(answer).toEqual({});
    expect(room.callsTo("/withdraw")).toEqual([]);
    await vi.advanceTimersByTimeAsync(1 + FAREWELL_MS);
    expect(answer.value).toEqual({ reply: { kind: "teardown" }, end: "unreachable" });
    expect(room.callsTo("/withdraw")[0]?.body).toEqual({ reason: "resident_deadline" });
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each(NO_ROOM)("%s, from the moment the card has opened", async (_, fault) => {
    stopTime();
    const room = new PlayedRoom();
    room.expiresInMs = 20_000;
    room.play = (call) => (call.path.endsWith("/request") ? undefined : fault(call));
    const answer = watch(
      room.gate().ask(QUESTION, { expiresInMs: 20_000, onWaiting: () => undefined }),
    );
    await vi.advanceTimersByTimeAsync(30_000 - 1);
    expect(answer).toEqual({});
    await vi.advanceTimersByTimeAsync(1 + FAREWELL_MS);
    expect(answer.value).toMatchObject({ reply: { kind: "teardown" }, end: "unreachable" });
    expect(answer.value?.status?.state).toBe("pending");
  });

  test("its withdrawal comes too late for a decision: not applied, not approved", async () => {
    stopTime();
    const room = new PlayedRoom();
    room.expiresInMs = 1_000;
    room.play = ({ path, query }) => {
      if (path.endsWith("/withdraw")) return refusal(409, "already_settled");
      return query === "" ? undefined : "cut";
    };
    const gate = room.gate();
    const answer = watch(gate.ask(QUESTION, { expiresInMs: 1_000 }));
    await vi.advanceTimersByTimeAsync(11_000 + FAREWELL_MS);
    expect(answer.value).toMatchObject({ reply: { kind: "teardown" }, end: "unreachable" });
    expect(room.callsTo("/ack").map(({ body }) => body)).toEqual([{ applied: false }]);
  });
});

describe("the Room judges the deadline", () => {
  test("an answer that was fetched after it still counts", async () => {
    stopTime();
    const room = new PlayedRoom();
    room.expiresInMs = 1_000;
    const answer = watch(room.gate().ask(QUESTION, { expiresInMs: 1_000 }));
    await vi.advanceTimersByTimeAsync(9_000);
    room.settle(decidedAs("allow_once", "allow_once"));
    await vi.advanceTimersByTimeAsync(1);
    expect(answer.value?.reply).toEqual({ kind: "approve" });
  });

  test("a deadline that people extended is waited for", async () => {
    stopTime();
    const room = new PlayedRoom();
    const answer = watch(room.gate().ask(QUESTION, { expiresInMs: MINUTE, maxExpiresInMs: DAY }));
    await vi.advanceTimersByTimeAsync(1_000);
    room.expiresInMs = 10 * MINUTE;
    room.answerPoll();
    await vi.advanceTimersByTimeAsync(9 * MINUTE);
    expect(answer).toEqual({});
    expect(room.calls.filter(({ query }) => query === "?waitMs=30000").length).toBeGreaterThan(2);
  });

  test("and never moves earlier", async () => {
    stopTime();
    const room = new PlayedRoom();
    const answer = watch(room.gate().ask(QUESTION, { expiresInMs: MINUTE }));
    await vi.advanceTimersByTimeAsync(1_000);
    room.expiresInMs = 1_000;
    room.answerPoll();
    await vi.advanceTimersByTimeAsync(MINUTE + 9_000 - 1);
    expect(answer).toEqual({});
    await vi.advanceTimersByTimeAsync(1);
    expect(answer.value?.end).toBe("unreachable");
  });

  test("but for no longer than any Room may give", async () => {
    stopTime();
    const room = new PlayedRoom();
    room.play = ({ query }) => (query === "" ? undefined : json(200, room.status()));
    room.expiresInMs = 365 * DAY;
    const answer = watch(room.gate().ask(QUESTION));
    await vi.advanceTimersByTimeAsync(10_000);
    room.play = ({ query }) => (query === "" ? undefined : "silence");
    await vi.advanceTimersByTimeAsync(DAY - 1);
    expect(answer).toEqual({});
    await vi.advanceTimersByTimeAsync(1);
    expect(answer.value?.end).toBe("unreachable");
  });

  test("the time to answer runs from when it was asked, not from when the Room could be reached", async () => {
    stopTime();
    const room = new PlayedRoom();
    room.play = () => "cut";
    void room.gate().ask(QUESTION, { expiresInMs: 100_000, maxExpiresInMs: 200_000 });
    await vi.advanceTimersByTimeAsync(90_000);
    const last = room.callsTo("/request").at(-1)!;
    const waited = Math.round(last.at - room.calls[0]!.at);
    expect(last.body).toMatchObject({
      expiresInMs: 100_000 - waited,
      maxExpiresInMs: 200_000 - waited,
    });
    expect(room.calls[0]?.body).toMatchObject({ expiresInMs: 100_000, maxExpiresInMs: 200_000 });
  });

  test("and is never less than a Room gives at least", async () => {
    stopTime();
    // No jitter: every pause is the shortest.
    vi.spyOn(Math, "random").mockReturnValue(0);
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    const room = new PlayedRoom();
    room.play = () => "cut";
    void room.gate().ask(QUESTION, { expiresInMs: 1_200 });
    await vi.advanceTimersByTimeAsync(300);
    const asked = room.callsTo("/request").map(({ body }) => (body as AskOptions).expiresInMs);
    expect(asked).toEqual([1_200, 1_150, 1_100, 1_050, 1_000, 1_000, 1_000]);
  });

  test("a Room that never waits is polled once a second at most", async () => {
    stopTime();
    const room = new PlayedRoom();
    room.play = ({ query }) => (query === "" ? undefined : json(200, room.status()));
    void room.gate().ask(QUESTION);
    await vi.advanceTimersByTimeAsync(9_900);
    expect(room.calls.filter(({ query }) => query !== "")).toHaveLength(10);
  });
});

describe("a question that is taken back", () => {
  test("before it was asked: no call", async () => {
    const room = new PlayedRoom();
    const answer = await room.gate().ask(QUESTION, { signal: AbortSignal.abort() });
    expect(answer).toEqual({ reply: { kind: "teardown" }, end: "aborted" });
    expect(room.calls).toEqual([]);
  });

  test.each<[string, (path: string) => "silence" | undefined]>([
    ["while it is posted", () => "silence"],
    ["while it is polled", (path) => (path.endsWith("/withdraw") ? "silence" : undefined)],
  ])("%s: withdrawn, and nothing is waited for longer than a moment", async (_, hang) => {
    stopTime();
    const room = new PlayedRoom();
    room.play = ({ path }) => hang(path);
    const abort = new AbortController();
    const answer = watch(room.gate().ask(QUESTION, { signal: abort.signal }));
    await vi.advanceTimersByTimeAsync(100);
    abort.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect(room.callsTo("/withdraw")[0]?.body).toEqual({ reason: "resident_stopped" });
    expect(answer).toEqual({});
    await vi.advanceTimersByTimeAsync(FAREWELL_MS);
    expect(answer.value).toMatchObject({ reply: { kind: "teardown" }, end: "aborted" });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("at once, where the Room takes the withdrawal; its status is the answer's", async () => {
    stopTime();
    const room = new PlayedRoom();
    const abort = new AbortController();
    const answer = watch(room.gate().ask(QUESTION, { signal: abort.signal }));
    await vi.advanceTimersByTimeAsync(100);
    const settlement = { state: "withdrawn", at: 1, reason: "resident_stopped" } as const;
    room.settled = { state: "withdrawn", settlement, outcome: { outcome: "cancelled" } };
    abort.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect(answer.value).toMatchObject({ end: "aborted", status: { settlement } });
  });

  test("with the very decision that allows it: not approved, and the Room is told so", async () => {
    stopTime();
    const room = new PlayedRoom();
    room.play = ({ path }) =>
      path.endsWith("/withdraw") ? refusal(409, "already_settled") : undefined;
    const abort = new AbortController();
    const gate = room.gate();
    const answer = watch(gate.ask(QUESTION, { signal: abort.signal }));
    await vi.advanceTimersByTimeAsync(100);
    room.settle(decidedAs("allow_once", "allow_once"));
    abort.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect(answer.value).toMatchObject({ reply: { kind: "teardown" }, end: "aborted" });
    expect(room.callsTo("/ack").map(({ body }) => body)).toEqual([{ applied: false }]);
  });
});

describe("what a question waits for", () => {
  test("is told when the card has opened and after each poll, with the people who are there", async () => {
    stopTime();
    const room = new PlayedRoom();
    room.humansPresent = 1;
    const waitings: Waiting[] = [];
    const answer = watch(
      room.gate().ask(QUESTION, { onWaiting: (waiting) => waitings.push(waiting) }),
    );
    await vi.advanceTimersByTimeAsync(1_500);
    expect(waitings).toEqual([{ humansPresent: 1, names: ["Ana"], remainingMs: MINUTE }]);
    room.expiresInMs = 2 * MINUTE;
    room.humansPresent = 0;
    room.answerPoll();
    await vi.advanceTimersByTimeAsync(1_500);
    expect(waitings[1]).toEqual({ humansPresent: 0, names: ["Ana"], remainingMs: 2 * MINUTE });
    room.settle(decidedAs("allow_once", "allow_once"));
    await vi.advanceTimersByTimeAsync(1);
    expect(answer.value?.reply.kind).toBe("approve");
    expect(waitings).toHaveLength(2);
  });

  test.each<[string, () => "silence" | Response, number]>([
    ["refuses", () => refusal(500, "internal"), 0],
    ["hangs", () => "silence", FAREWELL_MS],
  ])("is told without names where the Room %s them", async (_, fault, afterMs) => {
    stopTime();
    const room = new PlayedRoom();
    room.play = ({ path }) => (path === "/api/room" ? fault() : undefined);
    const waitings: Waiting[] = [];
    void room.gate().ask(QUESTION, { onWaiting: (waiting) => waitings.push(waiting) });
    await vi.advanceTimersByTimeAsync(afterMs);
    expect(waitings).toEqual([{ humansPresent: 1, names: [], remainingMs: MINUTE - afterMs }]);
  });

  test("is not told any more once it is answered", async () => {
    stopTime();
    const room = new PlayedRoom();
    room.play = ({ path }) => (path === "/api/room" ? "silence" : undefined);
    const waitings: Waiting[] = [];
    const answer = watch(
      room.gate().ask(QUESTION, { onWaiting: (waiting) => waitings.push(waiting) }),
    );
    await vi.advanceTimersByTimeAsync(500);
    room.settle(decidedAs("allow_once", "allow_once"));
    await vi.advanceTimersByTimeAsync(FAREWELL_MS);
    expect([answer.value?.end, waitings]).toEqual(["decided", []]);
  });

  // B99: a handler that throws answers nothing.
  test.each<[string, () => void]>([
    [
      "throws",
      () => {
        throw new Error("no terminal");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no terminal"))],
    ["never settles", () => new Promise(() => undefined)],
    ["returns an approval", () => ({ kind: "approve" })],
  ])("a listener that %s changes no answer", async (_, onWaiting) => {
    stopTime();
    const room = new PlayedRoom();
    const answer = watch(room.gate().ask(QUESTION, { expiresInMs: MINUTE, onWaiting }));
    await vi.advanceTimersByTimeAsync(MINUTE + 10_000 - 1);
    expect(answer).toEqual({});
    await vi.advanceTimersByTimeAsync(1 + FAREWELL_MS);
    expect(answer.value).toMatchObject({ reply: { kind: "teardown" }, end: "unreachable" });
  });
});
