// B99, on real connections and in real time: whatever stands in the Room's place, nothing runs.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type AskOptions, type GateAnswer, RoomGate } from "../../src/gate/index.ts";
import { type Script, startScriptedRoom } from "../support/scripted-room.ts";
import { INVITE, TOKEN } from "./played-room.ts";

/** What a Room gives people at least, and what a silent Room is given on top. */
const DEADLINE_MS = 1_000 + 10_000;
/** For a withdrawal, and for a machine that is busy. */
const SLACK_MS = 10_000;

/** Writes a marker only if it was allowed: what any agent that uses the gate does. */
async function deploy(gate: RoomGate, marker: string, options?: AskOptions): Promise<GateAnswer> {
  const answer = await gate.ask(
    { title: "Deploy", kind: "execute" },
    { expiresInMs: 1_000, ...options },
  );
  if (answer.reply.kind === "approve") writeFileSync(marker, "deployed");
  return answer;
}

const html = { "content-type": "text/html" };
const jsonType = { "content-type": "application/json" };

/** Opens every card and says nothing more. */
const openOnly: Script = ({ method, path, body }) => {
  if (method !== "POST" || !path.endsWith("/request")) return "silence";
  const { requestId } = JSON.parse(body) as { requestId: string };
  const status = {
    requestId,
    state: "pending",
    openedAt: 0,
    expiresAt: 1_000,
    serverTime: 0,
    humansPresent: 1,
    delivery: { state: "none", at: 0 },
  };
  return { status: 201, headers: jsonType, body: JSON.stringify(status) };
};

// As many as vitest runs at a time.
describe.concurrent("a question ends refused within its time", () => {
  test.for<[string, Script | "closed", AskOptions?]>([
    ["nobody listens", "closed"],
    ["a server that hangs", () => "silence"],
    ["HTML 404", () => ({ status: 404, headers: html, body: "<h1>Not found</h1>" })],
    ["bare 500s", () => ({ status: 500 })],
    [
      "a Room that falls silent, and a listener that throws",
      openOnly,
      {
        onWaiting: () => {
          throw new Error("no terminal");
        },
      },
    ],
  ])("%s", { timeout: 60_000 }, async ([, script, options], { onTestFinished }) => {
    const folder = mkdtempSync(join(tmpdir(), "handraise-test-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const room = await startScriptedRoom();
    onTestFinished(() => room.close());
    if (script === "closed") await room.close();
    else room.script = script;
    const marker = join(folder, "marker");
    const started = performance.now();
    const answer = await deploy(
      new RoomGate({ server: room.server, token: TOKEN }),
      marker,
      options,
    );
    const waitedMs = performance.now() - started;
    expect(answer).toMatchObject({ reply: { kind: "teardown" }, end: "unreachable" });
    expect(existsSync(marker)).toBe(false);
    // Timers may fire a millisecond early.
    expect(waitedMs).toBeGreaterThanOrEqual(DEADLINE_MS - 5);
    expect(waitedMs).toBeLessThan(DEADLINE_MS + SLACK_MS);
  });
});

test("without a Room there is no gate to ask", async () => {
  const room = await startScriptedRoom();
  await room.close();
  await expect(RoomGate.join({ server: room.server, invite: INVITE, name: "bot" })).rejects.toThrow(
    "Room unreachable (no connection)",
  );
});
