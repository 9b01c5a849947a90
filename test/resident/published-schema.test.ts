import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, it } from "vitest";
import { z } from "zod";
import { STD } from "../support/fake-room.ts";
import { cancelledReply, ResidentBench, selectedReply } from "../support/resident-bench.ts";
import type { OfferedOption, ScriptStep } from "../support/scripted-agent.ts";

// The schema that the protocol publishes, not a reading of it.
const file = createRequire(import.meta.url).resolve(
  "@agentclientprotocol/sdk/schema/v1/schema.json",
);
const { $defs } = JSON.parse(readFileSync(file, "utf8")) as { $defs: Record<string, object> };
const published = z.fromJSONSchema({ $ref: "#/$defs/RequestPermissionResponse", $defs } as never);

const END: ScriptStep = { do: "end", stopReason: "end_turn" };
const toolCall = { toolCallId: "t1", title: "make marker", kind: "execute" };
const ask = (id: string | number): ScriptStep[] => [
  { do: "ask", id, toolCall, options: STD as OfferedOption[] },
];
const asked = (id: string | number): ScriptStep[] => [...ask(id), { do: "await", id }];

/** The result alone, once the reply is known to be nothing but a JSON-RPC result. */
function resultOf(message: unknown): unknown {
  const { result, ...envelope } = message as { result: unknown };
  expect(Object.keys(envelope).toSorted()).toEqual(["id", "jsonrpc"]);
  return result;
}

it("refuses what is no reply, so that the test below says something", () => {
  for (const wrong of [
    { optionId: "allow-1" },
    { outcome: "allow-1" },
    { outcome: { outcome: "selected" } },
    { outcome: { outcome: "expired" } },
    {},
  ]) {
    expect(published.safeParse(wrong).success).toBe(false);
  }
});

// B12, B30
it("every reply to a permission request has the published shape: allow, reject, expiry, cancel", async () => {
  await using bench = new ResidentBench();
  const last: ScriptStep[] = [...ask("last"), { do: "await_cancel" }, { do: "await", id: "last" }];
  const cancelled: ScriptStep = { do: "end", stopReason: "cancelled" };
  await bench.start({
    turns: [
      [...asked(0), ...asked("1"), ...asked(2), END],
      [...last, cancelled],
    ],
  });
  const turn = bench.resident.prompt("go");
  bench.room.decide(await bench.room.posts.next(), "allow-1");
  bench.room.decide(await bench.room.posts.next(), "no-2");
  bench.room.expire(await bench.room.posts.next());
  await turn;
  const second = bench.resident.prompt("again");
  await bench.room.posts.next();
  await bench.resident.cancel();
  await second;
  const messages: unknown[] = [];
  for (let n = 0; n < 4; n += 1) messages.push((await bench.answers.next()).message);
  for (const message of messages) published.parse(resultOf(message));
  expect(messages).toEqual([
    selectedReply(0, "allow-1"),
    selectedReply("1", "no-2"),
    cancelledReply(2),
    cancelledReply("last"),
  ]);
});
