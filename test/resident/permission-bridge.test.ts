import { describe, expect, it } from "vitest";
import { limits } from "../../src/protocol/index.ts";
import { lineForRoom } from "../../src/resident/room-lines.ts";
import {
  BridgeBench,
  CANCELLED,
  EXPIRES_IN_MS,
  selected,
  SESSION,
  settle,
} from "../support/bridge-bench.ts";
import {
  ANA,
  decisionOf,
  pendingStatus,
  settledFrame,
  settledStatus,
  STD,
} from "../support/fake-room.ts";

describe("a decision of the Room", () => {
  it("goes to the agent as the exact option, and is acknowledged once the agent has it", async () => {
    const bench = new BridgeBench();
    const written = Promise.withResolvers<void>();
    bench.writeAnswer = () => written.promise;
    const ask = bench.ask();
    const post = await bench.room.posts.next();
    bench.room.decide(post, "always-9");
    expect(ask.answers).toEqual([selected("always-9")]);
    await settle();
    expect(bench.room.acks).toEqual([]);
    expect(bench.bridge.parked()).toEqual([post.body.requestId]);
    written.resolve();
    await settle();
    expect(bench.room.acks).toEqual([[post.body.requestId, true]]);
    expect(bench.bridge.parked()).toEqual([]);
    expect(bench.room.withdrawn).toEqual([]);
  });

  it("that the agent could not be given is acknowledged as not applied", async () => {
    const bench = new BridgeBench();
    bench.writeAnswer = () => Promise.reject(new Error("EPIPE"));
    bench.ask();
    const post = await bench.room.posts.next();
    bench.room.decide(post, "allow-1");
    expect(await bench.room.acked.next()).toEqual([post.body.requestId, false]);
  });

  it("that comes again is acknowledged again with the same value, and answers nobody twice", async () => {
    const bench = new BridgeBench();
    const ask = bench.ask();
    const post = await bench.room.posts.next();
    bench.room.decide(post, "allow-1");
    await settle();
    bench.room.decide(post, "allow-1");
    bench.room.decide(post, "no-2");
    await settle();
    expect(ask.answers).toEqual([selected("allow-1")]);
    expect(bench.room.acks).toEqual([1, 2, 3].map(() => [post.body.requestId, true]));
  });

  it("for an id that nobody holds is acknowledged as not applied", () => {
    const bench = new BridgeBench();
    bench.bridge.onDecision(decisionOf({ requestId: "never-asked", options: STD }, "allow-1"));
    expect(bench.room.acks).toEqual([["never-asked", false]]);
  });

  it("for an id that was withdrawn is acknowledged as not applied", async () => {
    const bench = new BridgeBench();
    bench.ask();
    const post = await bench.room.posts.next();
    bench.bridge.endTurn(SESSION);
    await settle();
    bench.room.decide(post, "allow-1");
    expect(bench.room.acks).toEqual([[post.body.requestId, false]]);
  });

  // B13
  it("of an option that was not offered is cancelled, named in a diagnostic, and not applied", async () => {
    const bench = new BridgeBench();
    const ask = bench.ask();
    const post = await bench.room.posts.next();
    bench.room.decide(post, "nope\u202e");
    expect(ask.answers).toEqual([CANCELLED]);
    expect(bench.room.acks).toEqual([[post.body.requestId, false]]);
    expect(bench.reasons()).toEqual(["unreadable"]);
    expect(bench.diagnostics()).toEqual([
      'The Room decided "nope\\u202e", but offered were "allow-1", "always-9", "no-2".',
    ]);
  });

  it("whose outcome and settlement name different options is cancelled", async () => {
    const bench = new BridgeBench();
    const ask = bench.ask();
    const post = await bench.room.posts.next();
    const decision = decisionOf(post.body, "no-2");
    bench.bridge.onDecision({
      ...decision,
      outcome: { outcome: "selected", optionId: "allow-1" },
    });
    expect(ask.answers).toEqual([CANCELLED]);
    expect(bench.room.acks).toEqual([[post.body.requestId, false]]);
    expect(bench.diagnostics()).toEqual([
      'The Room decided "allow-1", but says that "no-2" was pressed.',
    ]);
  });

  it("that came too late to be applied is cancelled and acknowledged as not applied", async () => {
    const bench = new BridgeBench();
    const ask = bench.ask();
    const post = await bench.room.posts.next();
    bench.bridge.onDecision({
      ...decisionOf(post.body, "allow-1"),
      outcome: { outcome: "cancelled" },
    });
    expect(ask.answers).toEqual([CANCELLED]);
    expect(bench.reasons()).toEqual(["too_late"]);
    expect(bench.room.acks).toEqual([[post.body.requestId, false]]);
  });

  it("never lets a settlement without a decision select anything", async () => {
    const bench = new BridgeBench();
    const ask = bench.ask();
    const post = await bench.room.posts.next();
    const frame = settledFrame(
      post.body.requestId,
      { state: "expired", at: 1 },
      { outcome: "selected", optionId: "allow-1" },
    );
    bench.bridge.onDecision(frame);
    expect(ask.answers).toEqual([CANCELLED]);
  });

  it("keeps ids apart that differ only in white space or normalisation", async () => {
    const bench = new BridgeBench();
    const ids = ["a", "a ", " a", "\u00e9", "e\u0301", "constructor", "__proto__"];
    const options = ids.map((optionId) => ({ optionId, name: "same", kind: "allow_once" }));
    for (const optionId of ids) {
      const ask = bench.ask({ toolCallId: "t1" }, options);
      const post = await bench.room.posts.next();
      expect(post.body.options).toEqual(options);
      bench.room.decide(post, optionId);
      expect(ask.answers).toEqual([selected(optionId)]);
    }
  });

  it("hands on an option of an unknown kind and says that the kind is not known", async () => {
    const bench = new BridgeBench();
    const options = [{ optionId: "x", name: "Maybe", kind: "allow_persistent", extra: 1 }];
    const ask = bench.ask({ toolCallId: "t1" }, options);
    bench.room.decide(await bench.room.posts.next(), "x");
    expect(ask.answers).toEqual([selected("x")]);
    expect(bench.reasons()).toEqual(["unreadable"]);
    expect(bench.diagnostics()).toEqual([expect.stringContaining("not known here")]);
    const settled = bench.events.find(({ type }) => type === "settled");
    expect(lineForRoom(settled!)).toBe(
      "A tool call: answered, but with an option whose kind is not known here (Ana). Whether the agent runs it is its own matter: look at its report.",
    );
  });

  // B56
  it("chooses exactly the refusing option that was pressed, and the next ask gets a card of its own", async () => {
    const bench = new BridgeBench();
    const options = [
      { optionId: "cancel", name: "No, and tell the agent what to do", kind: "reject_once" },
      { optionId: "decline", name: "No, go on", kind: "reject_once" },
      { optionId: "ok", name: "Yes", kind: "allow_once" },
    ];
    const first = bench.ask({ toolCallId: "t1" }, options);
    bench.room.decide(await bench.room.posts.next(), "decline");
    expect(first.answers).toEqual([selected("decline")]);
    const second = bench.ask({ toolCallId: "t2" }, options);
    bench.room.decide(await bench.room.posts.next(), "ok");
    expect(second.answers).toEqual([selected("ok")]);
  });

  // B24, B107
  it("reaches its own waiter, whatever the order among parallel asks", async () => {
    const bench = new BridgeBench();
    const asks = [1, 2, 3, 4, 5].map((n) => bench.ask({ toolCallId: `t${n}` }));
    const posts = await Promise.all(asks.map(() => bench.room.posts.next()));
    expect(new Set(posts.map(({ body }) => body.requestId)).size).toBe(5);
    for (const index of [2, 0, 4]) bench.room.decide(posts[index]!, "allow-1");
    expect(asks.map(({ answers }) => answers.length)).toEqual([1, 0, 1, 0, 1]);
    for (const index of [3, 1]) bench.room.decide(posts[index]!, "no-2");
    expect(asks.map(({ answers }) => answers[0])).toEqual([
      selected("allow-1"),
      selected("no-2"),
      selected("allow-1"),
      selected("no-2"),
      selected("allow-1"),
    ]);
  });

  // B42
  it("belongs to one ask, though the agent uses a tool call id again", async () => {
    const bench = new BridgeBench();
    const first = bench.ask();
    const second = bench.ask();
    const one = await bench.room.posts.next();
    const two = await bench.room.posts.next();
    expect(one.body.requestId).not.toBe(two.body.requestId);
    bench.room.decide(two, "allow-1");
    expect(first.answers).toEqual([]);
    bench.room.decide(one, "no-2");
    bench.bridge.endTurn(SESSION);
    bench.bridge.startTurn(SESSION, "turn-2");
    const third = bench.ask();
    const three = await bench.room.posts.next();
    bench.room.decide(one, "allow-1");
    expect(third.answers).toEqual([]);
    expect(three.body.turnId).toBe("turn-2");
    expect(first.answers).toEqual([selected("no-2")]);
    expect(second.answers).toEqual([selected("allow-1")]);
  });

  it("that stands in the reply to the request is acted on like a frame", async () => {
    const bench = new BridgeBench();
    bench.room.opensCards = false;
    const decided = bench.ask();
    const { body, answer } = await bench.room.posts.next();
    const { settlement, outcome } = decisionOf(body, "allow-1");
    answer({ kind: "status", status: settledStatus(body.requestId, settlement, outcome) });
    expect(await decided.answered).toEqual(selected("allow-1"));
    expect(await bench.room.acked.next()).toEqual([body.requestId, true]);

    const nobody = bench.ask();
    const post = await bench.room.posts.next();
    const withdrawn = { state: "withdrawn", at: 1, reason: "no_human" } as const;
    post.answer({ kind: "status", status: settledStatus(post.body.requestId, withdrawn) });
    expect(await nobody.answered).toEqual(CANCELLED);
    expect(bench.reasons()).toEqual(["human_allowed", "no_human"]);
    expect(bench.room.acks).toHaveLength(1);
  });
});

describe("a settlement without a decision", () => {
  it.each([
    [{ state: "expired", at: 1 }, "expired"],
    [{ state: "dismissed", at: 1, by: ANA }, "human_dismissed"],
  ] as const)("%o is cancelled and acknowledged as applied", async (settlement, reason) => {
    const bench = new BridgeBench();
    const ask = bench.ask();
    const { body } = await bench.room.posts.next();
    bench.bridge.onDecision(settledFrame(body.requestId, settlement));
    expect(ask.answers).toEqual([CANCELLED]);
    expect(bench.reasons()).toEqual([reason]);
    expect(await bench.room.acked.next()).toEqual([body.requestId, true]);
  });

  it("that is a withdrawal by the Room is cancelled and needs no acknowledgement", async () => {
    const bench = new BridgeBench();
    const ask = bench.ask();
    const { body } = await bench.room.posts.next();
    const settlement = { state: "withdrawn", at: 1, reason: "resident_removed" } as const;
    bench.bridge.onDecision(settledFrame(body.requestId, settlement));
    bench.bridge.onDecision(settledFrame(body.requestId, settlement));
    await settle();
    expect(ask.answers).toEqual([CANCELLED]);
    expect(bench.reasons()).toEqual(["resident_removed"]);
    expect(bench.room.acks).toEqual([]);
  });
});

describe("the deadline", () => {
  it("is the Room's: this process waits for it and ten seconds more", async () => {
    const bench = new BridgeBench();
    const ask = bench.ask();
    const post = await bench.room.posts.next();
    await settle();
    bench.clock.advance(EXPIRES_IN_MS + limits.SILENT_ROOM_GRACE_MS - 1);
    expect(ask.answers).toEqual([]);
    bench.clock.advance(1);
    expect(ask.answers).toEqual([CANCELLED]);
    expect(bench.reasons()).toEqual(["resident_deadline"]);
    expect(bench.room.withdrawn).toEqual([[post.body.requestId, "resident_deadline"]]);
  });

  it("does not stop a decision that was settled in time and comes within those ten seconds", async () => {
    const bench = new BridgeBench();
    const ask = bench.ask();
    const post = await bench.room.posts.next();
    await settle();
    bench.clock.advance(EXPIRES_IN_MS + 2_000);
    bench.room.decide(post, "allow-1");
    expect(ask.answers).toEqual([selected("allow-1")]);
    bench.clock.advance(1_000_000);
    expect(ask.answers).toHaveLength(1);
    expect(bench.clock.waiting).toBe(0);
  });

  it("moves when the Room extends it, and only ever later", async () => {
    const bench = new BridgeBench();
    const ask = bench.ask();
    const { body } = await bench.room.posts.next();
    await settle();
    const { requestId } = body;
    bench.bridge.onExtended({ type: "card_extended", requestId, expiresAt: 90_000, serverTime: 0 });
    bench.bridge.onExtended({ type: "card_extended", requestId, expiresAt: 20_000, serverTime: 0 });
    bench.clock.advance(90_000 + limits.SILENT_ROOM_GRACE_MS - 1);
    expect(ask.answers).toEqual([]);
    bench.clock.advance(1);
    expect(ask.answers).toEqual([CANCELLED]);
  });

  it("is never later than a Room may set it, whatever this one says", async () => {
    const bench = new BridgeBench();
    bench.room.opensCards = false;
    const ask = bench.ask();
    const { body, answer } = await bench.room.posts.next();
    answer({ kind: "status", status: { ...pendingStatus(body), expiresAt: 9e15 } });
    await settle();
    const [waiting] = bench.bridge.waiting();
    expect(waiting?.remainingMs).toBe(limits.EXPIRES_IN_MAX_MS);
    bench.clock.advance(limits.EXPIRES_IN_MAX_MS);
    expect(ask.answers).toEqual([]);
    bench.clock.advance(limits.SILENT_ROOM_GRACE_MS);
    expect(ask.answers).toEqual([CANCELLED]);
  });

  it("is the Room's remaining time, whatever this machine's own clock says", async () => {
    const bench = new BridgeBench();
    bench.room.opensCards = false;
    const ask = bench.ask();
    const { body, answer } = await bench.room.posts.next();
    const status = { ...pendingStatus(body), serverTime: 9_000_000, expiresAt: 9_005_000 };
    answer({ kind: "status", status });
    await settle();
    bench.clock.advance(5_000 + limits.SILENT_ROOM_GRACE_MS);
    expect(ask.answers).toEqual([CANCELLED]);
  });

  it("counts from when the agent asked, however late the request gets through", async () => {
    const bench = new BridgeBench({ maxExpiresInMs: 120_000 });
    bench.room.opensCards = false;
    bench.ask();
    const post = await bench.room.posts.next();
    bench.clock.advance(45_000);
    expect(post.build()).toMatchObject({ expiresInMs: 15_000, maxExpiresInMs: 75_000 });
    bench.clock.advance(15_000);
    expect(post.build()).toMatchObject({ expiresInMs: limits.EXPIRES_IN_MIN_MS });
  });

  // B99
  it("ends an ask for which the Room never says anything", async () => {
    const bench = new BridgeBench();
    bench.room.opensCards = false;
    const ask = bench.ask();
    const { body, signal } = await bench.room.posts.next();
    bench.clock.advance(EXPIRES_IN_MS + limits.SILENT_ROOM_GRACE_MS);
    expect(ask.answers).toEqual([CANCELLED]);
    expect(signal.aborted).toBe(true);
    expect(bench.reasons()).toEqual(["room_unreachable"]);
    expect(bench.room.withdrawn).toEqual([[body.requestId, "resident_deadline"]]);
  });
});

describe("a Room that does not work", () => {
  // B99
  it.each([
    ["throws", () => Promise.reject(new TypeError("broken"))],
    [
      "throws at once",
      () => {
        throw new TypeError("broken");
      },
    ],
    ["returns nothing", () => Promise.resolve(undefined as never)],
  ])("and %s ends every ask as cancelled", async (_, request) => {
    const bench = new BridgeBench();
    bench.room.request = request;
    expect(await bench.ask().answered).toEqual(CANCELLED);
    await settle();
    expect(bench.bridge.parked()).toEqual([]);
  });

  it("and refuses a request ends it with the reason", async () => {
    const bench = new BridgeBench();
    bench.room.opensCards = false;
    const ask = bench.ask();
    const { answer } = await bench.room.posts.next();
    answer({ kind: "refused", reason: "over_limit", detail: "payload_too_large" });
    expect(await ask.answered).toEqual(CANCELLED);
    expect(bench.reasons()).toEqual(["over_limit"]);
    expect(bench.diagnostics()).toEqual(["The Room refused: payload_too_large."]);
  });

  it("and is gone ends everything that is held and everything that still comes, with nothing sent", async () => {
    const bench = new BridgeBench();
    const asks = [bench.ask(), bench.ask()];
    bench.bridge.onLost("resident_replaced");
    const late = bench.ask();
    for (const { answers } of [...asks, late]) expect(answers).toEqual([CANCELLED]);
    expect(bench.reasons()).toEqual(Array(3).fill("resident_replaced"));
    expect(bench.room.withdrawn).toEqual([]);
  });
});

describe("the end of a turn", () => {
  // B53
  it.each([
    ["turn_ended", (bench: BridgeBench): void => void bench.bridge.endTurn(SESSION)],
    ["turn_cancelled", (bench: BridgeBench): void => void bench.bridge.cancelTurn(SESSION)],
    ["agent_ended", (bench: BridgeBench): void => void bench.bridge.endAgent()],
    ["resident_stopped", (bench: BridgeBench): void => void bench.bridge.stop()],
  ] as const)("%s cancels what is held once, and withdraws it", async (reason, end) => {
    const bench = new BridgeBench();
    const ask = bench.ask();
    const { body } = await bench.room.posts.next();
    end(bench);
    end(bench);
    bench.bridge.endTurn(SESSION);
    expect(ask.answers).toEqual([CANCELLED]);
    expect(bench.reasons()).toEqual([reason]);
    expect(bench.room.withdrawn).toEqual([[body.requestId, reason]]);
    expect(bench.clock.waiting).toBe(0);
    await settle();
    expect(bench.bridge.parked()).toEqual([]);
  });

  // B53 e
  it("is not needed where the agent takes its own request back", async () => {
    const bench = new BridgeBench();
    const taken = bench.ask();
    const other = bench.ask();
    const { body } = await bench.room.posts.next();
    taken.takeBack.abort();
    expect(taken.answers).toEqual([CANCELLED]);
    expect(other.answers).toEqual([]);
    expect(bench.room.withdrawn).toEqual([[body.requestId, "request_cancelled"]]);
  });

  // B54
  it("while the request is on its way stops it and withdraws its id, so that no card stays behind", async () => {
    const bench = new BridgeBench();
    bench.room.opensCards = false;
    const ask = bench.ask();
    const { body, signal, answer } = await bench.room.posts.next();
    expect(bench.bridge.parked()).toEqual([body.requestId]);
    bench.bridge.cancelTurn(SESSION);
    expect(signal.aborted).toBe(true);
    expect(bench.room.withdrawn).toEqual([[body.requestId, "turn_cancelled"]]);
    answer({ kind: "status", status: pendingStatus(body) });
    await settle();
    expect(ask.answers).toEqual([CANCELLED]);
    expect(bench.clock.waiting).toBe(0);
  });

  it("cancels at once what still comes after session/cancel, and asks again in the next turn", async () => {
    const bench = new BridgeBench();
    bench.bridge.cancelTurn(SESSION);
    expect(bench.ask().answers).toEqual([CANCELLED]);
    bench.bridge.endTurn(SESSION);
    expect(bench.ask().answers).toEqual([CANCELLED]);
    expect(bench.reasons()).toEqual(["turn_cancelled", "turn_ended"]);
    expect(bench.room.posts.drain()).toEqual([]);
    bench.bridge.startTurn(SESSION, "turn-2");
    const ask = bench.ask();
    bench.room.decide(await bench.room.posts.next(), "allow-1");
    expect(ask.answers).toEqual([selected("allow-1")]);
  });

  // B57
  it.each(["completed", "failed"])(
    "is not awaited for a call that the agent reports as %s",
    async (status) => {
      const bench = new BridgeBench();
      const settled = bench.ask({ toolCallId: "t1" });
      const other = bench.ask({ toolCallId: "t2" });
      const { body } = await bench.room.posts.next();
      bench.update({ sessionUpdate: "tool_call_update", toolCallId: "t1", status: "in_progress" });
      expect(settled.answers).toEqual([]);
      bench.update({ sessionUpdate: "tool_call_update", toolCallId: "t1", status });
      expect(settled.answers).toEqual([CANCELLED]);
      expect(other.answers).toEqual([]);
      expect(bench.room.withdrawn).toEqual([[body.requestId, "tool_settled"]]);
      expect(bench.events.find(({ type }) => type === "settled")).not.toHaveProperty("by");
    },
  );

  it("leaves asks of the same tool call id alone that come after its end", async () => {
    const bench = new BridgeBench();
    bench.update({ sessionUpdate: "tool_call_update", toolCallId: "t1", status: "completed" });
    const ask = bench.ask({ toolCallId: "t1" });
    bench.room.decide(await bench.room.posts.next(), "allow-1");
    expect(ask.answers).toEqual([selected("allow-1")]);
  });
});

describe("what is logged", () => {
  it("keeps the decision and the tool's own end apart", async () => {
    const bench = new BridgeBench();
    bench.ask();
    bench.room.decide(await bench.room.posts.next(), "allow-1");
    bench.update({ sessionUpdate: "tool_call_update", toolCallId: "t1", status: "failed" });
    bench.update({ sessionUpdate: "tool_call_update", toolCallId: "t1", status: "failed" });
    expect(bench.events.filter(({ type }) => type !== "asked")).toEqual([
      {
        type: "settled",
        requestId: "request-1",
        toolKind: "execute",
        offered: [
          { optionId: "allow-1", kind: "allow_once" },
          { optionId: "always-9", kind: "allow_always" },
          { optionId: "no-2", kind: "reject_once" },
        ],
        answeredBy: { who: "human", participantId: "p-ana", name: "Ana" },
        outcome: { outcome: "selected", optionId: "allow-1" },
        reading: "approve",
        reason: "human_allowed",
      },
      { type: "tool_finished", requestId: "request-1", toolKind: "execute", status: "failed" },
    ]);
  });

  const LARGE = { toolCallId: "t1", rawInput: "x".repeat(limits.TOOL_CALL_BYTES) };
  it.each<[string, (bench: BridgeBench) => unknown]>([
    ["over_limit", (bench) => bench.ask(LARGE)],
    ["turn_ended", (bench) => (bench.bridge.endTurn(SESSION), bench.ask({ toolCallId: "t1" }))],
    [
      "turn_cancelled",
      (bench) => (bench.bridge.cancelTurn(SESSION), bench.ask({ toolCallId: "t1" })),
    ],
    ["resident_stopped", (bench) => (void bench.bridge.stop(), bench.ask({ toolCallId: "t1" }))],
  ])(
    "of an ask that nobody is asked (%s) is what it offered, and its tool's end",
    (reason, ask) => {
      const bench = new BridgeBench();
      if (reason !== "turn_ended") {
        bench.update({ sessionUpdate: "tool_call", toolCallId: "t1", kind: "execute" });
      }
      ask(bench);
      bench.update({ sessionUpdate: "tool_call_update", toolCallId: "t1", status: "failed" });
      const toolKind = reason === "turn_ended" ? "other" : "execute";
      expect(bench.events.filter(({ type }) => type !== "diagnostic")).toMatchObject([
        {
          type: "settled",
          toolKind,
          offered: STD.map(({ optionId, kind }) => ({ optionId, kind })),
          outcome: { outcome: "cancelled" },
          reading: "teardown",
          reason,
        },
        { type: "tool_finished", requestId: "request-1", toolKind, status: "failed" },
      ]);
    },
  );

  it("of an ask that did not come as it was sent is nothing that it may not have offered", () => {
    const bench = new BridgeBench();
    bench.bridge.ask({
      params: { sessionId: SESSION, toolCall: { toolCallId: "t1", kind: "edit" }, options: STD },
      flaw: "it is not UTF-8",
      signal: new AbortController().signal,
      give: () => Promise.resolve(),
    });
    expect(bench.events[0]).toMatchObject({ type: "settled", toolKind: "edit", offered: [] });
  });
});

it("asks with every field that the agent sent, whatever its name", async () => {
  const bench = new BridgeBench();
  const text = '{"toolCallId":"t1","__proto__":{"a":1},"rawInput":{"__proto__":2,"constructor":3}}';
  bench.ask(JSON.parse(text) as object);
  const { body } = await bench.room.posts.next();
  expect(JSON.stringify(body.toolCall)).toBe(text);
});

describe("a request that cannot be asked", () => {
  // B59
  it("for a session that this resident did not open is cancelled at once, with a diagnostic", () => {
    const bench = new BridgeBench();
    const params = { sessionId: "sub-agent", toolCall: { toolCallId: "t1" }, options: STD };
    expect(bench.askRaw(params).answers).toEqual([CANCELLED]);
    expect(bench.reasons()).toEqual(["unreadable"]);
    expect(bench.diagnostics()).toHaveLength(1);
    expect(bench.room.posts.drain()).toEqual([]);
  });

  it.each([
    ["is not even an object", 7],
    ["names no session", { toolCall: { toolCallId: "t1" }, options: STD }],
    ["has no tool call", { sessionId: SESSION, options: STD }],
    ["has no tool call id", { sessionId: SESSION, toolCall: {}, options: STD }],
    ["has no options", { sessionId: SESSION, toolCall: { toolCallId: "t1" } }],
    ["offers nothing", { sessionId: SESSION, toolCall: { toolCallId: "t1" }, options: [] }],
    [
      "offers an id twice",
      { sessionId: SESSION, toolCall: { toolCallId: "t1" }, options: [STD[0], STD[0]] },
    ],
    [
      "has ill-formed Unicode in its tool call",
      { sessionId: SESSION, toolCall: { toolCallId: "t1", title: "a\ud800" }, options: STD },
    ],
    [
      "has ill-formed Unicode in an option id",
      {
        sessionId: SESSION,
        toolCall: { toolCallId: "t1" },
        options: [{ optionId: "\udc00", name: "x", kind: "allow_once" }],
      },
    ],
    [
      "has a number beyond what JavaScript keeps",
      JSON.parse(
        `{"sessionId":"${SESSION}","toolCall":{"toolCallId":"t1","rawInput":1e999},"options":[{"optionId":"a","name":"A"}]}`,
      ),
    ],
  ])("because it %s is cancelled as unreadable", (_, params) => {
    const bench = new BridgeBench();
    expect(bench.askRaw(params).answers).toEqual([CANCELLED]);
    expect(bench.reasons()).toEqual(["unreadable"]);
    expect(bench.diagnostics()).toHaveLength(1);
    expect(bench.room.posts.drain()).toEqual([]);
  });

  it.each([
    ["its tool call", { toolCallId: "t1", rawInput: "x".repeat(limits.TOOL_CALL_BYTES) }, STD],
    [
      "its nesting",
      JSON.parse(`{"toolCallId":"t1","rawInput":${"[".repeat(100)}${"]".repeat(100)}}`),
      STD,
    ],
    [
      "the number of its options",
      { toolCallId: "t1" },
      Array.from({ length: 33 }, (_, n) => ({ optionId: `o${n}`, name: "x" })),
    ],
    [
      "the size of its options",
      { toolCallId: "t1" },
      Array.from({ length: 32 }, (_, n) => ({ optionId: `o${n}`, name: "x".repeat(2000) })),
    ],
  ])("because %s is over the limit is cancelled, never cut", (_, toolCall, options) => {
    const bench = new BridgeBench();
    expect(bench.ask(toolCall, options).answers).toEqual([CANCELLED]);
    expect(bench.reasons()).toEqual(["over_limit"]);
    expect(bench.diagnostics()[0]).not.toContain("xx");
    expect(bench.room.posts.drain()).toEqual([]);
  });

  it("because as many are open as one resume can name is cancelled", () => {
    const bench = new BridgeBench();
    for (let n = 0; n < limits.RESUME_IDS; n += 1) bench.ask();
    expect(bench.ask().answers).toEqual([CANCELLED]);
    expect(bench.reasons()).toEqual(["over_limit"]);
  });
});
