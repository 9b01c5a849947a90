import { describe, expect, it } from "vitest";
import { AnswerUnknown, NotSent, RoomRefusal, RoomUnreachable } from "../../src/client/index.ts";
import type { ConnectionState } from "../../src/client/index.ts";
import {
  limits,
  type FrameOf,
  type Message,
  type PermissionRequest,
  type RequestStatus,
} from "../../src/protocol/index.ts";
import type { ResidentEvent } from "../../src/resident/events.ts";
import { RoomLink } from "../../src/resident/room-link.ts";
import { settle } from "../support/bridge-bench.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { decisionOf, pendingStatus, settledStatus, STD } from "../support/fake-room.ts";

type SocketEvents = Parameters<ConstructorParameters<typeof RoomLink>[0]["openSocket"]>[0];
type SentFrame = {
  type: string;
  requestId?: string;
  applied?: boolean;
  parked?: string[];
  text?: string;
  to?: string;
};

const BODY: PermissionRequest = {
  requestId: "request-1",
  toolCall: { toolCallId: "t1" },
  options: STD,
};
const WITHDRAWN = settledStatus("request-1", { state: "withdrawn", at: 1, reason: "turn_ended" });

/** A link whose socket and HTTP calls a test plays. */
class LinkBench {
  readonly clock = new FakeClock();
  readonly events: ResidentEvent[] = [];
  /** Frames and withdrawals in the order in which they left. */
  readonly sent: SentFrame[] = [];
  readonly handled: unknown[] = [];
  readonly prompts: string[] = [];
  parked: string[] = [];
  posts = 0;
  /** What the next calls do; the last is repeated. */
  onPost: (() => Promise<RequestStatus>)[] = [() => Promise.resolve(pendingStatus(BODY))];
  onWithdraw: (() => Promise<RequestStatus>)[] = [() => Promise.resolve(WITHDRAWN)];
  onSend: (() => Promise<FrameOf<"accepted">>)[] = [() => Promise.resolve({ type: "accepted" })];
  isSocketClosed = false;
  readonly link: RoomLink;
  readonly socket: SocketEvents;

  constructor() {
    let events: SocketEvents | undefined;
    this.link = new RoomLink({
      api: {
        request: () => {
          this.posts += 1;
          return next(this.onPost);
        },
        withdraw: (requestId, reason) => {
          this.sent.push({ type: `withdraw ${reason}`, requestId });
          return next(this.onWithdraw);
        },
      },
      openSocket: (given) => {
        events = given;
        return {
          send: (frame) => {
            const { ...sent } = frame as SentFrame;
            this.sent.push(sent);
            return next(this.onSend);
          },
          close: () => {
            this.isSocketClosed = true;
          },
        };
      },
      handlers: {
        parked: () => this.parked,
        onDecision: (frame) => this.handled.push(frame),
        onExtended: (frame) => this.handled.push(frame),
        onLost: (reason) => this.handled.push(reason),
      },
      talk: { onPrompt: (message) => this.prompts.push(message.text) },
      emit: (event) => this.events.push(event),
      clock: this.clock,
      random: () => 0.5,
    });
    if (events === undefined) throw new Error("no socket was opened");
    this.socket = events;
  }

  async welcome(shown: Partial<FrameOf<"welcome">> = {}): Promise<void> {
    const you = { participantId: "me", role: "resident", name: "Agent" };
    const welcome = { type: "welcome", you, participants: [], messages: [], ...shown };
    this.socket.onWelcome(welcome as unknown as FrameOf<"welcome">);
    await settle();
  }

  async state(state: ConnectionState): Promise<void> {
    this.socket.onState(state);
    await settle();
  }
}

function next<T>(calls: (() => Promise<T>)[]): Promise<T> {
  const call = calls.length > 1 ? calls.shift() : calls[0];
  return call === undefined ? Promise.reject(new NotSent()) : call();
}

function refuse(code: string, status: number, more: object = {}): () => Promise<never> {
  return () => Promise.reject(new RoomRefusal({ code, message: code, ...more }, status));
}
const unreachable = () => Promise.reject(new RoomUnreachable(502));
const notSent = () => Promise.reject(new NotSent());

describe("a request to the Room", () => {
  it("is repeated over network faults and passing refusals until the Room answers", async () => {
    const bench = new LinkBench();
    bench.onPost = [
      unreachable,
      refuse("rate_limited", 429),
      refuse("unavailable", 503),
      unreachable,
      () => Promise.resolve(pendingStatus(BODY)),
    ];
    const result = bench.link.request(() => BODY, new AbortController().signal);
    for (let tries = 1; tries < 5; tries += 1) {
      await settle();
      expect(bench.posts).toBe(tries);
      bench.clock.advance(20_000);
    }
    expect(await result).toMatchObject({ kind: "status", status: { state: "pending" } });
    expect(bench.events).toEqual([
      { type: "room_unreachable", status: 502 },
      { type: "room_reached" },
    ]);
  });

  it("that the Room will not take for long is told of while it waits, with the status", async () => {
    const bench = new LinkBench();
    const refusal = new RoomRefusal({ code: "rate_limited", message: "x" }, 429, 900_000_000);
    bench.onPost = [() => Promise.reject(refusal)];
    const settled = new AbortController();
    const result = bench.link.request(() => BODY, settled.signal);
    await settle();
    expect(bench.events).toEqual([{ type: "room_unreachable", status: 429 }]);
    settled.abort();
    expect(await result).toEqual({ kind: "aborted" });
  });

  it("that the Room puts off again and again is told of after some seconds, once", async () => {
    const bench = new LinkBench();
    bench.onPost = [refuse("rate_limited", 429)];
    const settled = new AbortController();
    const result = bench.link.request(() => BODY, settled.signal);
    await settle();
    expect(bench.events).toEqual([]);
    for (let tries = 0; tries < 5; tries += 1) {
      bench.clock.advance(10_000);
      await settle();
    }
    expect(bench.events).toEqual([{ type: "room_unreachable", status: 429 }]);
    settled.abort();
    await result;
  });

  it("is built anew for every attempt", async () => {
    const bench = new LinkBench();
    bench.onPost = [unreachable, () => Promise.resolve(pendingStatus(BODY))];
    let built = 0;
    const result = bench.link.request(() => {
      built += 1;
      return BODY;
    }, new AbortController().signal);
    await settle();
    bench.clock.advance(20_000);
    await result;
    expect(built).toBe(2);
  });

  it("stops being repeated when its ask is settled", async () => {
    const bench = new LinkBench();
    bench.onPost = [unreachable];
    const settled = new AbortController();
    const result = bench.link.request(() => BODY, settled.signal);
    await settle();
    settled.abort();
    expect(await result).toEqual({ kind: "aborted" });
    bench.clock.advance(60_000);
    await settle();
    expect(bench.posts).toBe(1);
    expect(bench.clock.waiting).toBe(0);
  });

  it("is tried again at once when a new socket shows that the Room is back", async () => {
    const bench = new LinkBench();
    bench.onPost = [unreachable, () => Promise.resolve(pendingStatus(BODY))];
    const result = bench.link.request(() => BODY, new AbortController().signal);
    await settle();
    await bench.welcome();
    expect(await result).toMatchObject({ kind: "status" });
  });

  it.each([
    ["payload_too_large", 413, "over_limit", "payload_too_large"],
    ["room_full", 429, "over_limit", "room_full"],
    ["invalid_request", 400, "unreadable", "invalid_request"],
    ["request_conflict", 409, "unreadable", "request_conflict"],
    ["resident_only", 403, "room_unreachable", "resident_only, HTTP 403"],
    ["something_new", 418, "room_unreachable", "something_new, HTTP 418"],
    ["something_new", 413, "over_limit", "something_new"],
  ])("refused with %s %i ends as %s, in words of %s", async (code, status, reason, detail) => {
    const bench = new LinkBench();
    bench.onPost = [refuse(code, status)];
    const result = await bench.link.request(() => BODY, new AbortController().signal);
    expect(result).toEqual({ kind: "refused", reason, detail });
  });

  it.each([
    ["room_closed", 410, "room_closed"],
    ["room_not_found", 404, "room_closed"],
    ["unauthorized", 401, "resident_removed"],
  ])("refused with %s means that the Room is gone", async (code, status, reason) => {
    const bench = new LinkBench();
    bench.onPost = [refuse(code, status)];
    const result = await bench.link.request(() => BODY, new AbortController().signal);
    expect(result).toEqual({ kind: "aborted" });
    expect(bench.handled).toEqual([reason]);
    expect(bench.events).toEqual([{ type: "room_lost", reason }]);
    expect(bench.isSocketClosed).toBe(true);
  });
});

describe("a new socket", () => {
  it("gets withdrawals first, then acknowledgements, then resume, once", async () => {
    const bench = new LinkBench();
    bench.onSend = [notSent];
    bench.onWithdraw = [unreachable];
    bench.link.withdraw("request-1", "turn_ended");
    bench.link.acknowledge("request-2", true);
    await settle();
    bench.sent.length = 0;
    bench.onSend = [() => Promise.resolve({ type: "accepted" })];
    const answered = Promise.withResolvers<RequestStatus>();
    bench.onWithdraw = [() => answered.promise];
    bench.parked = ["before"];
    await bench.welcome();
    expect(bench.sent).toEqual([{ type: "withdraw turn_ended", requestId: "request-1" }]);
    bench.parked = ["request-3"];
    answered.resolve(WITHDRAWN);
    await settle();
    expect(bench.sent.slice(1)).toEqual([
      { type: "decision_ack", requestId: "request-2", applied: true },
      {
        type: "resume",
        parked: ["request-3"],
        answered: [{ requestId: "request-2", applied: true }],
      },
    ]);
    await expect(bench.link.ready).resolves.toBeUndefined();
  });

  it("does not wait for ever for a withdrawal", async () => {
    const bench = new LinkBench();
    bench.onWithdraw = [() => new Promise(() => undefined)];
    bench.link.withdraw("request-1", "turn_ended");
    await bench.welcome();
    expect(bench.sent).toHaveLength(1);
    bench.clock.advance(5_000);
    await settle();
    expect(bench.sent.map(({ type }) => type)).toEqual(["withdraw turn_ended", "resume"]);
  });

  it("that replaced another before its resume left gets the only one", async () => {
    const bench = new LinkBench();
    const answered = Promise.withResolvers<RequestStatus>();
    bench.onWithdraw = [() => answered.promise];
    bench.link.withdraw("request-1", "turn_ended");
    await bench.welcome();
    await bench.welcome();
    answered.resolve(WITHDRAWN);
    await settle();
    expect(bench.sent.filter(({ type }) => type === "resume")).toHaveLength(1);
  });

  it("gets an acknowledgement again until the Room accepted it", async () => {
    const bench = new LinkBench();
    bench.onSend = [() => Promise.reject(new AnswerUnknown())];
    bench.link.acknowledge("request-1", true);
    await bench.welcome();
    bench.onSend = [() => Promise.resolve({ type: "accepted" })];
    await bench.welcome();
    await bench.welcome();
    const resumes = bench.sent.filter(({ type }) => type === "resume");
    const entry = { requestId: "request-1", applied: true };
    expect(resumes).toMatchObject([{ answered: [entry] }, { answered: [entry] }, { answered: [] }]);
  });

  it("names no more ids than a resume may", async () => {
    const bench = new LinkBench();
    bench.parked = Array.from({ length: 300 }, (_, n) => `request-${n}`);
    bench.onSend = [notSent];
    for (let n = 0; n < 300; n += 1) bench.link.acknowledge(`answered-${n}`, true);
    await bench.welcome();
    const resume = bench.sent.find(({ type }) => type === "resume");
    expect(resume?.parked).toHaveLength(limits.RESUME_IDS);
    expect(resume).toMatchObject({ answered: { length: limits.RESUME_IDS } });
  });
});

describe("a withdrawal", () => {
  it("is repeated until the Room knows of it", async () => {
    const bench = new LinkBench();
    bench.onWithdraw = [unreachable, unreachable, () => Promise.resolve(WITHDRAWN)];
    bench.link.withdraw("request-1", "turn_ended");
    for (let tries = 0; tries < 5; tries += 1) {
      await settle();
      bench.clock.advance(20_000);
    }
    expect(bench.sent).toHaveLength(3);
    expect(bench.clock.waiting).toBe(0);
  });

  it("of a card that was settled otherwise is followed by the acknowledgement that it was not applied", async () => {
    const bench = new LinkBench();
    const { settlement } = decisionOf(BODY, "allow-1");
    bench.onWithdraw = [refuse("already_settled", 409, { settlement })];
    bench.link.withdraw("request-1", "turn_ended");
    await bench.link.flush(1_000);
    expect(bench.sent).toEqual([
      { type: "withdraw turn_ended", requestId: "request-1" },
      { type: "decision_ack", requestId: "request-1", applied: false },
    ]);
  });
});

describe("the end of the line", () => {
  it.each([
    [4000, "resident_replaced"],
    [4001, "room_closed"],
    [4003, "resident_removed"],
    [4004, "room_closed"],
    [4010, "room_unreachable"],
  ])("by close code %i is told once as %s", async (code, reason) => {
    const bench = new LinkBench();
    await bench.state({ state: "closed", code });
    await bench.state({ state: "closed", code });
    expect(bench.handled).toEqual([reason]);
    await expect(bench.link.ready).rejects.toThrow(reason);
    const post = await bench.link.request(() => BODY, new AbortController().signal);
    expect(post).toEqual({ kind: "aborted" });
    bench.link.withdraw("request-1", "turn_ended");
    bench.link.acknowledge("request-1", true);
    expect([bench.posts, bench.sent]).toEqual([0, []]);
  });

  it("for a version that the Room does not speak names the close code, once", async () => {
    const bench = new LinkBench();
    await bench.state({ state: "closed", code: 4010 });
    await bench.state({ state: "closed", code: 4010 });
    expect(bench.events).toMatchObject([
      { type: "diagnostic", text: expect.stringMatching(/^Room unreachable \(close code 4010\)/) },
      { type: "room_lost", reason: "room_unreachable" },
    ]);
  });

  it("is no event where this side closed it, and a wait for the next socket is not the end", async () => {
    const bench = new LinkBench();
    await bench.state({ state: "waiting", retryAt: 1 });
    await bench.state({ state: "waiting", retryAt: 2 });
    bench.link.close();
    await bench.state({ state: "closed", code: undefined });
    expect(bench.handled).toEqual([]);
    expect(bench.events).toEqual([{ type: "room_unreachable", status: undefined }]);
  });
});

describe("frames of the Room", () => {
  it("reach the bridge where they concern its asks", async () => {
    const bench = new LinkBench();
    const decision = decisionOf(BODY, "allow-1");
    const extended = {
      type: "card_extended",
      requestId: "request-1",
      expiresAt: 2,
      serverTime: 1,
    } as const;
    bench.socket.onFrame(decision);
    bench.socket.onFrame(extended);
    bench.socket.onFrame({
      type: "message_posted",
      message: {
        messageId: "m1",
        from: { participantId: "p1", name: "Ana", role: "human" },
        text: "yes",
        at: 1,
      },
    });
    expect(bench.handled).toEqual([decision, extended]);
  });
});

describe("talk", () => {
  const HUMAN = { participantId: "ana", name: "Ana", role: "human" } as const;
  const RESIDENT = { participantId: "bot", name: "Bot", role: "resident" } as const;
  const message = (messageId: string, from: Message["from"], to: string | undefined): Message => ({
    messageId,
    from,
    text: messageId,
    at: 1,
    ...(to === undefined ? {} : { to }),
  });

  it("reaches the agent only where a human addressed it to this resident, and once", async () => {
    const bench = new LinkBench();
    await bench.welcome({ messages: [message("said-before", HUMAN, "me")] });
    const heard = [
      message("for-me", HUMAN, "me"),
      message("for-all", HUMAN, undefined),
      message("for-other", HUMAN, "bot"),
      message("from-agent", RESIDENT, "me"),
    ];
    for (const one of heard) bench.socket.onFrame({ type: "message_posted", message: one });
    expect(bench.prompts).toEqual(["for-me"]);
    const missed = message("missed", HUMAN, "me");
    await bench.welcome({ messages: [missed, message("for-me", HUMAN, "me")] });
    await bench.welcome({ messages: [missed] });
    expect(bench.prompts).toEqual(["for-me", "missed"]);
  });

  it("says lines in their order, waits for the rate, and gives up none for a lost connection", async () => {
    const bench = new LinkBench();
    bench.link.say("early");
    expect(bench.sent).toEqual([]);
    bench.onSend = [
      () => Promise.resolve({ type: "accepted" }),
      refuse("rate_limited", 0),
      () => Promise.resolve({ type: "accepted" }),
      notSent,
      () => Promise.resolve({ type: "accepted" }),
    ];
    await bench.welcome();
    const said = () => bench.sent.flatMap((frame) => (frame.type === "say" ? [frame.text] : []));
    expect(said()).toEqual(["early"]);
    bench.clock.advance(1_000);
    await settle();
    expect(said()).toEqual(["early", "early"]);
    bench.link.say("second", "ana");
    await settle();
    await bench.welcome();
    expect(said()).toEqual(["early", "early", "second", "second"]);
    expect(bench.sent.at(-1)).toEqual({ type: "say", text: "second", to: "ana" });
  });

  it("is not held up for good by a line with which every connection is lost", async () => {
    const bench = new LinkBench();
    bench.onSend = [notSent];
    bench.link.say("poison");
    bench.link.say("next");
    for (let connection = 0; connection < 4; connection += 1) await bench.welcome();
    const said = bench.sent.flatMap((frame) => (frame.type === "say" ? [frame.text] : []));
    expect(said).toEqual(["poison", "poison", "poison", "next"]);
  });

  it("is bounded: of too many lines the Room hears how many were left out, and a long one is cut visibly", async () => {
    const bench = new LinkBench();
    for (let line = 0; line < 30; line += 1) bench.link.say(`${line} ${"\u00e9".repeat(4_000)}`);
    await bench.welcome();
    const texts = bench.sent.flatMap((f) => (f.type === "say" ? [String(f.text)] : []));
    expect(texts).toHaveLength(21);
    expect(texts[20]).toContain("10 more lines");
    expect(texts[3]).toMatch(/^3 \u00e9+\n\[cut: 8002 bytes in all\]$/);
    expect(Buffer.byteLength(texts[3] ?? "")).toBeLessThanOrEqual(4_000);
  });

  it("knows who is in the Room", async () => {
    const bench = new LinkBench();
    const here = (participantId: string, role: "human" | "resident", present: boolean) => ({
      participantId,
      role,
      name: participantId,
      present,
    });
    await bench.welcome({
      participants: [
        here("ana", "human", true),
        here("ben", "human", false),
        here("bot", "resident", true),
      ],
    });
    expect(bench.link.people).toEqual(["ana"]);
    bench.socket.onFrame({ type: "participant_changed", participant: here("ben", "human", true) });
    bench.socket.onFrame({ type: "participant_changed", participant: here("ana", "human", false) });
    expect(bench.link.people).toEqual(["ben"]);
  });
});
