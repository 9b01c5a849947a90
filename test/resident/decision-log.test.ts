import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { DecisionLog } from "../../src/resident/decision-log.ts";
import { BridgeBench } from "../support/bridge-bench.ts";
import { pendingStatus, settledStatus, STD } from "../support/fake-room.ts";

const folder = mkdtempSync(join(tmpdir(), "handraise-log-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

interface Line {
  record: string;
  requestId: string;
  reason?: string;
  reading?: string;
  answeredBy?: { who: string };
}

/** A bridge whose events are logged, and the log as it is read. */
function logged(bench = new BridgeBench()): { bench: BridgeBench; read(): Line[]; file: string } {
  const file = join(folder, `${(files += 1)}.log`);
  const log = new DecisionLog(file, "Agent");
  const read = (): Line[] => {
    for (const event of bench.events.splice(0)) log.note(event);
    const text = readFileSync(file, "utf8");
    return text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Line);
  };
  return { bench, read, file };
}

const SECRET = "rm -rf s3cret";
const CALL = { toolCallId: "t1", kind: "execute", title: SECRET, rawInput: { command: SECRET } };
const NAMED = STD.map((option) => ({ ...option, name: `s3cret ${option.name}` }));

// B121, B119, B123
describe("the decision log has exactly one record for", () => {
  type Way = [string, string, string, (bench: BridgeBench) => Promise<unknown> | void];
  const decide = (optionId: string) => async (bench: BridgeBench) => {
    bench.ask(CALL, NAMED);
    bench.room.decide(await bench.room.posts.next(), optionId);
  };
  const settled =
    (settlement: Parameters<typeof settledStatus>[1]) => async (bench: BridgeBench) => {
      bench.room.opensCards = false;
      bench.ask(CALL, NAMED);
      const post = await bench.room.posts.next();
      post.answer({ kind: "status", status: settledStatus(post.body.requestId, settlement) });
      await new Promise<void>((resolve) => setImmediate(resolve));
    };
  const by = { participantId: "p-ana", name: "Ana", role: "human" } as const;
  const ways: Way[] = [
    ["an allow", "human_allowed", "human", decide("allow-1")],
    ["a refusal", "human_refused", "human", decide("no-2")],
    ["a dismissal", "human_dismissed", "human", settled({ state: "dismissed", at: 1, by })],
    ["an expiry", "expired", "nobody", settled({ state: "expired", at: 1 })],
    [
      "nobody there",
      "no_human",
      "nobody",
      settled({ state: "withdrawn", at: 1, reason: "no_human" }),
    ],
    [
      "a turn that ended",
      "turn_ended",
      "nobody",
      (b) => (b.ask(CALL), b.bridge.endTurn("session-1")),
    ],
    [
      "a cancelled turn",
      "turn_cancelled",
      "nobody",
      (b) => (b.ask(CALL), b.bridge.cancelTurn("session-1")),
    ],
    ["an agent that is gone", "agent_ended", "nobody", (b) => (b.ask(CALL), b.bridge.endAgent())],
    [
      "a Room that ended",
      "room_closed",
      "nobody",
      (b) => (b.ask(CALL), b.bridge.onLost("room_closed")),
    ],
    ["an unreadable request", "unreadable", "nobody", (b) => void b.askRaw(5)],
    [
      "one that is too large",
      "over_limit",
      "nobody",
      (b) => void b.ask({ ...CALL, title: "s3cret".repeat(300_000) }),
    ],
    ["an option that was not offered", "unreadable", "nobody", decide("s3cret")],
    [
      "a refusing Room",
      "over_limit",
      "nobody",
      async (b) => {
        b.room.opensCards = false;
        b.ask(CALL);
        const post = await b.room.posts.next();
        post.answer({ kind: "refused", reason: "over_limit", detail: "too_many_pending" });
        await new Promise<void>((resolve) => setImmediate(resolve));
      },
    ],
  ];
  it.each(ways)("%s", async (_, reason, who, way) => {
    const { bench, read, file } = logged();
    await way(bench);
    const asks = read().filter(({ record }) => record === "ask");
    expect(asks).toMatchObject([{ reason, answeredBy: { who } }]);
    expect(readFileSync(file, "utf8")).not.toContain("s3cret");
  });
});

it("after 500 requests of every fate there are 500 records", async () => {
  const { bench, read } = logged();
  for (let count = 0; count < 500; count += 1) {
    const ask = bench.ask({ ...CALL, toolCallId: `t${count}` }, NAMED);
    const post = await bench.room.posts.next();
    if (count % 5 === 0) bench.room.decide(post, "allow-1");
    else if (count % 5 === 1) bench.room.decide(post, "no-2");
    else if (count % 5 === 2) bench.room.expire(post);
    else if (count % 5 === 3) ask.takeBack.abort();
    else post.answer({ kind: "status", status: pendingStatus(post.body) });
  }
  bench.bridge.endTurn("session-1");
  const asks = read().filter(({ record }) => record === "ask");
  expect(asks).toHaveLength(500);
  expect(new Set(asks.map(({ requestId }) => requestId)).size).toBe(500);
});

it("keeps the tool's own end as a fact of its own, and appends to what is there", async () => {
  const { bench, read, file } = logged();
  bench.ask(CALL, NAMED);
  bench.room.decide(await bench.room.posts.next(), "allow-1");
  bench.update({ sessionUpdate: "tool_call_update", toolCallId: "t1", status: "failed" });
  expect(read()).toMatchObject([
    { record: "ask", agent: "Agent", reading: "approve", toolKind: "execute" },
    { record: "tool", status: "failed" },
  ]);
  void new DecisionLog(file, "Agent");
  expect(read()).toHaveLength(2);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
