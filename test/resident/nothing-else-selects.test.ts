import * as fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { type Settlement, WITHDRAW_REASONS } from "../../src/protocol/index.ts";
import {
  ANA,
  type Post,
  pendingStatus,
  settledFrame,
  settledStatus,
} from "../support/fake-room.ts";
import { BridgeBench, CANCELLED, SESSION, settle } from "../support/bridge-bench.ts";
import { ResidentBench } from "../support/resident-bench.ts";
import type { OfferedOption, ScriptStep } from "../support/scripted-agent.ts";

/** Offers that invite a guess: nothing refuses, one option alone, names and ids that say yes. */
const OFFERS: OfferedOption[][] = [
  [{ optionId: "yes", name: "Yes", kind: "allow_once" }],
  [
    { optionId: "staging", name: "staging", kind: "allow_once" },
    { optionId: "production", name: "production", kind: "allow_once" },
    { optionId: "no", name: "Neither", kind: "reject_once" },
  ],
  [{ optionId: "reject_once", name: "No", kind: "reject_once" }],
  [{ optionId: "allow", name: "Allow" }],
];

const SETTLEMENTS: Settlement[] = [
  { state: "expired", at: 1 },
  { state: "dismissed", at: 1, by: ANA },
  ...WITHDRAW_REASONS.map((reason) => ({ state: "withdrawn", at: 1, reason }) as const),
];

/** Everything that may come to a bridge but a decision. */
type Happening = (bench: BridgeBench, post: Post) => void;

const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.constantFrom<Happening>(
    (bench) => bench.bridge.endTurn(SESSION),
    (bench) => bench.bridge.cancelTurn(SESSION),
    (bench) => bench.bridge.endAgent(),
    (bench) => bench.bridge.stop(),
    (bench) => bench.bridge.onLost("room_closed"),
    (bench) => bench.clock.advance(1_000_000),
    (_, post) => post.answer({ kind: "refused", reason: "over_limit", detail: "room_full" }),
    (_, post) => post.answer({ kind: "aborted" }),
    (_, { body, answer }) => answer({ kind: "status", status: pendingStatus(body) }),
    (bench, { body }) =>
      bench.bridge.onExtended({
        type: "card_extended",
        requestId: body.requestId,
        expiresAt: 2,
        serverTime: 1,
      }),
    (bench) => {
      for (const status of ["in_progress", "completed", "failed"]) {
        bench.update({ sessionUpdate: "tool_call_update", toolCallId: "t1", status });
      }
    },
  ),
  fc.constantFrom(...SETTLEMENTS).map<Happening>(
    (settlement) =>
      (bench, { body }) =>
        bench.bridge.onDecision(settledFrame(body.requestId, settlement)),
  ),
  fc.constantFrom(...SETTLEMENTS).map<Happening>((settlement) => (_, { body, answer }) => {
    answer({ kind: "status", status: settledStatus(body.requestId, settlement) });
  }),
);

// B2, B99
it("property: whatever happens, no option goes back without a decision, and an ask has one answer", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...OFFERS),
      fc.array(happening, { minLength: 1, maxLength: 6 }),
      async (options, happenings) => {
        const bench = new BridgeBench();
        bench.room.opensCards = false;
        const ask = bench.askRaw({ sessionId: SESSION, toolCall: { toolCallId: "t1" }, options });
        const post = await bench.room.posts.next();
        for (const happen of happenings) {
          happen(bench, post);
          await settle();
        }
        bench.bridge.stop();
        await settle();
        expect(ask.answers).toEqual([CANCELLED]);
        expect(bench.bridge.parked()).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
});

// B2
it("no variable of the environment answers a question", async () => {
  const variables = ["AUTO_APPROVE", "AUTO_ACCEPT", "ALLOW_ALL", "YOLO", "POLICY", "DEFAULT"];
  for (const name of variables.flatMap((name) => [name, `HANDRAISE_${name}`])) {
    const before = process.env[name];
    process.env[name] = "allow_once";
    onTestFinished(() => {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    });
  }
  await using bench = new ResidentBench();
  const options = OFFERS[1] as OfferedOption[];
  const steps: ScriptStep[] = [
    { do: "ask", id: 0, toolCall: { toolCallId: "t1", kind: "execute" }, options },
    { do: "await", id: 0 },
    { do: "end", stopReason: "end_turn" },
  ];
  await bench.start({ turns: [steps] });
  const turn = bench.resident.prompt("go");
  const post = await bench.room.posts.next();
  expect(post.body.options).toEqual(options);
  await settle();
  expect(bench.answers.drain()).toEqual([]);
  bench.room.expire(post);
  await turn;
  expect(bench.reasons()).toEqual(["expired"]);
  expect(bench.ran).toBeUndefined();
});
