import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Preference } from "../../src/policy/index.ts";
import { describeEvent } from "../../src/resident/events.ts";
import { PolicyFiles } from "../../src/resident/policy-files.ts";
import { BridgeBench, CANCELLED, selected } from "../support/bridge-bench.ts";
import { STD } from "../support/fake-room.ts";

const folder = mkdtempSync(join(tmpdir(), "handraise-policy-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

function policyFile(policy: object | string): string {
  const file = join(folder, `${(files += 1)}.json`);
  writeFileSync(file, typeof policy === "string" ? policy : JSON.stringify(policy));
  return file;
}

function benchWith(
  agent: object | string,
  launch?: object,
  prefer: Preference = "once",
): { bench: BridgeBench; file: string; notices: string[]; policies: PolicyFiles } {
  const file = policyFile(agent);
  const notices: string[] = [];
  const policies = new PolicyFiles({
    agent: file,
    launch: launch === undefined ? undefined : policyFile(launch),
    prefer,
    onNotice: (text) => notices.push(text),
  });
  return { bench: new BridgeBench({}, { policy: policies.answer }), file, notices, policies };
}

const call = (kind: string, title = "x") => ({ toolCallId: "t1", kind, title });

describe("an operator's policy", () => {
  it("answers by itself where it says so, and the log says that it was the policy, never a person", () => {
    const { bench } = benchWith({ default: "ask", read: "auto_allow", delete: "auto_deny" });
    expect(bench.ask(call("read")).answers).toEqual([selected("allow-1")]);
    expect(bench.ask(call("delete")).answers).toEqual([selected("no-2")]);
    expect(bench.ask(call("execute")).answers).toEqual([]);
    expect(bench.room.posts.drain()).toHaveLength(1);
    expect(bench.events.filter(({ type }) => type === "settled")).toMatchObject([
      {
        answeredBy: { who: "policy", policy: "agent", key: "read" },
        reason: "policy_allowed",
        reading: "approve",
        outcome: { outcome: "selected", optionId: "allow-1" },
      },
      {
        answeredBy: { who: "policy", policy: "agent", key: "delete" },
        reason: "policy_denied",
        reading: "reject",
      },
    ]);
  });

  it("asks where no single option of its choice was offered, and cancels where nothing refuses", () => {
    const { bench } = benchWith({ read: "auto_allow", delete: "auto_deny" });
    const twice = [
      { optionId: "a", name: "staging", kind: "allow_once" },
      { optionId: "b", name: "production", kind: "allow_once" },
    ];
    expect(bench.ask(call("read"), twice).answers).toEqual([]);
    expect(bench.room.posts.drain()).toHaveLength(1);
    expect(bench.ask(call("delete"), twice).answers).toEqual([CANCELLED]);
    expect(bench.reasons()).toEqual(["policy_denied"]);
  });

  it.each([
    [
      "reject_once",
      "reject",
      "policy_denied",
      /^A command: not run, refused by the operator's policy/,
    ],
    [
      "allow_persistent",
      "unreadable",
      "unreadable",
      /^A command: answered, .* kind is not known here/,
    ],
  ])(
    "that allows with an option of kind %s is said to have done what the agent was told",
    (kind, reading, reason, line) => {
      const { bench } = benchWith({ execute: "auto_allow" }, undefined, "always");
      expect(bench.ask(call("execute"), [{ optionId: "n", name: "No", kind }]).answers).toEqual([
        selected("n"),
      ]);
      const [settled] = bench.events;
      expect(settled).toMatchObject({ type: "settled", reading, reason });
      expect(describeEvent(settled!)).toMatch(line);
      expect(bench.diagnostics()).toEqual([
        expect.stringContaining("no kind that is known to allow"),
      ]);
    },
  );

  it("is the stricter of two for each request, and says which one", () => {
    const { bench } = benchWith({ default: "auto_allow" }, { execute: "auto_deny" });
    expect(bench.ask(call("execute")).answers).toEqual([selected("no-2")]);
    expect(bench.ask(call("edit")).answers).toEqual([selected("allow-1")]);
    expect(bench.events).toMatchObject([
      { answeredBy: { who: "policy", policy: "launch", key: "execute" } },
      { answeredBy: { who: "policy", policy: "agent", key: "default" } },
    ]);
  });

  it("is read again for every request: tightening it in the middle of a turn holds for the next", () => {
    const { bench, file } = benchWith({ execute: "auto_allow" });
    expect(bench.ask(call("execute")).answers).toEqual([selected("allow-1")]);
    writeFileSync(file, JSON.stringify({ execute: "auto_deny" }));
    expect(bench.ask(call("execute")).answers).toEqual([selected("no-2")]);
  });

  it.each(["", "{", "[]", '{"execute":"auto_allow","execute":"auto_allow"}'])(
    "allows nothing and denies what it denied once it has become unreadable: %j",
    (broken) => {
      const { bench, file, notices } = benchWith({ execute: "auto_allow", delete: "auto_deny" });
      writeFileSync(file, broken);
      expect(bench.ask(call("execute")).answers).toEqual([]);
      expect(bench.ask(call("delete")).answers).toEqual([selected("no-2")]);
      rmSync(file);
      expect(bench.ask(call("execute")).answers).toEqual([]);
      expect(bench.room.posts.drain()).toHaveLength(2);
      expect(notices.join("\n")).toContain("nothing is allowed by it");
    },
  );

  it("does not begin with a file that cannot be read, nor with a launch policy that loosens", () => {
    expect(() => benchWith("no json")).toThrow("Not a policy");
    expect(() => benchWith({ execute: "auto_deny" }, { execute: "ask" })).toThrow('"execute"');
    expect(() => benchWith({ default: "ask" }, { "npm test": "auto_allow" })).toThrow("npm test");
    expect(() => benchWith({ execute: "auto_allow" }, {})).not.toThrow();
  });

  it("says once what is wrong with a file that it does not begin with", () => {
    const notices: string[] = [];
    const onNotice = (text: string): void => void notices.push(text);
    const agent = "/nowhere/policy.json";
    expect(() => new PolicyFiles({ agent, prefer: "once", onNotice })).toThrow(/\(ENOENT\)/);
    expect(notices).toEqual([]);
  });

  it("knows whether it holds anything back", () => {
    expect(benchWith({ default: "auto_allow" }).policies.restricts).toBe(false);
    expect(benchWith({ default: "auto_allow" }, { delete: "ask" }).policies.restricts).toBe(true);
  });

  it("sees what earlier updates said of the call, before its secrets are hidden", () => {
    const seen: unknown[] = [];
    const bench = new BridgeBench(
      {},
      {
        policy: (toolCall) => {
          seen.push(toolCall);
          return { kind: "ask" };
        },
        shape: (toolCall) => ({ ...toolCall, title: "‹TOKEN›" }),
      },
    );
    bench.update({ sessionUpdate: "tool_call", toolCallId: "t1", kind: "delete", title: "s3cret" });
    bench.ask({ toolCallId: "t1" });
    expect(seen).toMatchObject([{ kind: "delete", title: "s3cret" }]);
    expect(bench.room.posts.drain()[0]?.body.toolCall["title"]).toBe("‹TOKEN›");
  });

  it("that names an option which was not offered answers cancelled", () => {
    const by = { policy: "agent", key: "read" } as const;
    const bench = new BridgeBench({}, { policy: () => ({ kind: "allow", optionId: "nope", by }) });
    expect(bench.ask().answers).toEqual([CANCELLED]);
    expect(bench.reasons()).toEqual(["policy_denied"]);
  });
});

describe("an expiry, where the operator chose that it refuses", () => {
  const expire = async (options: unknown): Promise<[unknown, BridgeBench]> => {
    const bench = new BridgeBench({ onExpiry: "reject" });
    const ask = bench.ask({ toolCallId: "t1" }, options);
    bench.room.expire(await bench.room.posts.next());
    await bench.room.acked.next();
    return [ask.answers[0], bench];
  };

  it("answers with the only reject_once, is applied, and is still nobody's answer", async () => {
    const [answer, bench] = await expire(STD);
    expect(answer).toEqual(selected("no-2"));
    expect(bench.room.acks).toEqual([["request-1", true]]);
    expect(bench.events.at(-1)).toMatchObject({
      reason: "expired",
      reading: "reject",
      answeredBy: { who: "nobody" },
    });
  });

  it.each([
    ["reject_always alone", [{ optionId: "never", name: "Never", kind: "reject_always" }]],
    [
      "a choice between two",
      ["a", "b"].map((optionId) => ({ optionId, name: optionId, kind: "reject_once" })),
    ],
    ["allowing options alone", [{ optionId: "y", name: "Yes", kind: "allow_once" }]],
  ])("is cancelled with %s", async (_, options) => {
    expect((await expire(options))[0]).toEqual(CANCELLED);
  });

  it("leaves a dismissal cancelled", async () => {
    const bench = new BridgeBench({ onExpiry: "reject" });
    const ask = bench.ask();
    const { body } = await bench.room.posts.next();
    const by = { participantId: "p-ana", name: "Ana", role: "human" } as const;
    bench.bridge.onDecision({
      type: "decision",
      requestId: body.requestId,
      outcome: { outcome: "cancelled" },
      settlement: { state: "dismissed", at: 1, by },
      delivery: { state: "sent", at: 1 },
      serverTime: 1,
    });
    expect(ask.answers).toEqual([CANCELLED]);
  });
});

describe("an agent of another client", () => {
  const params = (sessionId: string, toolCallId = "t1") => ({
    sessionId,
    toolCall: { toolCallId },
    options: STD,
  });

  it("may ask for any session, each turn closing its own", async () => {
    const bench = new BridgeBench({}, { accepts: "any" });
    bench.bridge.startTurn("other", "turn-2");
    const one = bench.askRaw(params("session-1"));
    const other = bench.askRaw(params("other"));
    const loose = bench.askRaw(params("sub-agent"));
    const turns = [1, 2, 3].map(async () => (await bench.room.posts.next()).body.turnId);
    expect(await Promise.all(turns)).toEqual(["turn-1", "turn-2", undefined]);
    bench.bridge.endTurn("other");
    expect([one.answers, other.answers, loose.answers]).toEqual([[], [CANCELLED], []]);
    bench.bridge.endTurn("session-1");
    expect([one.answers, loose.answers]).toEqual([[CANCELLED], [CANCELLED]]);
  });

  it("refuses what a cancelled turn still asks after the next prompt, until it has settled", async () => {
    const bench = new BridgeBench({}, { accepts: "any" });
    bench.bridge.cancelTurn("session-1");
    bench.bridge.startTurn("session-1", "turn-2");
    expect(bench.askRaw(params("session-1")).answers).toEqual([CANCELLED]);
    expect(bench.reasons()).toEqual(["turn_cancelled"]);
    bench.bridge.endTurn("session-1", "turn-1");
    const next = bench.askRaw(params("session-1"));
    const { body } = await bench.room.posts.next();
    expect([body.turnId, next.answers]).toEqual(["turn-2", []]);
    expect(bench.room.posts.drain()).toEqual([]);
  });

  it("keeps what a turn asks when another of its session settles", async () => {
    const bench = new BridgeBench({}, { accepts: "any" });
    const first = bench.askRaw(params("session-1"));
    bench.bridge.startTurn("session-1", "turn-2");
    const second = bench.askRaw(params("session-1", "t2"));
    bench.bridge.endTurn("session-1", "turn-1");
    expect([first.answers, second.answers]).toEqual([[CANCELLED], []]);
    bench.bridge.endTurn("session-1", "turn-2");
    expect(second.answers).toEqual([CANCELLED]);
    expect(bench.reasons()).toEqual(["turn_ended", "turn_ended"]);
  });

  it("cancels every turn of a session that has not settled", () => {
    const bench = new BridgeBench({}, { accepts: "any" });
    bench.bridge.startTurn("session-1", "turn-2");
    bench.bridge.cancelTurn("session-1");
    bench.bridge.endTurn("session-1", "turn-2");
    expect(bench.askRaw(params("session-1")).answers).toEqual([CANCELLED]);
    expect(bench.reasons()).toEqual(["turn_cancelled"]);
  });

  it("cancels only the session that was cancelled, and what it still asks", async () => {
    const bench = new BridgeBench({}, { accepts: "any" });
    const one = bench.askRaw(params("session-1"));
    const loose = bench.askRaw(params("sub-agent"));
    bench.bridge.cancelTurn("session-1");
    expect(bench.askRaw(params("session-1")).answers).toEqual([CANCELLED]);
    expect([one.answers, loose.answers]).toEqual([[CANCELLED], []]);
  });
});

it("does not ask what could not be kept as it was sent", () => {
  const bench = new BridgeBench();
  const answers: unknown[] = [];
  bench.bridge.ask({
    params: { sessionId: "session-1", toolCall: { toolCallId: "t1" }, options: STD },
    flaw: "it holds a number that cannot be kept exactly",
    signal: new AbortController().signal,
    give: (answer) => {
      answers.push(answer);
      return Promise.resolve();
    },
  });
  expect(answers).toEqual([CANCELLED]);
  expect(bench.reasons()).toEqual(["unreadable"]);
  expect(bench.diagnostics()[0]).toContain("a number");
});
