import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { makePaint } from "../../src/cli/colour.ts";
import { meetAgent } from "../../src/cli/doctor/meet-agent.ts";
import { LABELS, reportLines } from "../../src/cli/doctor/report-lines.ts";
import { describeStartFailure } from "../../src/cli/doctor/start-failure.ts";
import { type AgentFacts, inspect } from "../../src/resident/inspection.ts";
import type { AgentScript } from "../support/scripted-agent.ts";

const AGENT = fileURLToPath(new URL("../support/scripted-agent.ts", import.meta.url));
const CONTRACT = readFileSync(
  fileURLToPath(new URL("../../src/page/public/agent.md", import.meta.url)),
  "utf8",
);
const NEVER = new AbortController().signal;

function meet(
  args: string[],
  {
    mode,
    config = {},
    timeoutMs = 20_000,
    stopped = NEVER,
    file = process.execPath,
  }: {
    mode?: string;
    config?: Record<string, string>;
    timeoutMs?: number;
    stopped?: AbortSignal;
    file?: string;
  } = {},
): Promise<AgentFacts> {
  const choices = { mode, config: new Map(Object.entries(config)) };
  return meetAgent({ command: { file, args }, cwd: tmpdir(), choices }, { timeoutMs, stopped });
}

function scripted(script: Partial<AgentScript> = {}): string[] {
  return [AGENT, JSON.stringify({ marker: "/nowhere/marker", turns: [], ...script })];
}

const MODES = {
  currentModeId: "auto",
  availableModes: [
    { id: "auto", name: "Auto" },
    { id: "ask", name: "Ask" },
  ],
};

describe("meeting an agent", () => {
  it("takes what it reports, and sets nothing that was not chosen", async () => {
    const refusing = { "session/set_mode": { error: { code: -32_603, message: "no" } } };
    const met = await meet(
      scripted({
        agentInfo: { name: "x", version: "1" },
        session: { modes: MODES },
        replies: refusing,
      }),
    );
    expect(met).toMatchObject({
      kind: "opened",
      info: { name: "x", version: "1" },
      choices: "none",
      asked: false,
      settings: { mode: "auto" },
    });
  });

  it("sets what was chosen, and says where that was not taken", async () => {
    const session = { modes: MODES };
    const taking = { "session/set_mode": { result: {} } };
    const set = await meet(scripted({ session, replies: taking }), { mode: "ask" });
    expect(set).toMatchObject({ choices: "set", settings: { mode: "ask" } });
    const refused = await meet(scripted({ session }), { mode: "ask" });
    expect(refused).toMatchObject({ choices: "not_set", settings: { mode: "auto" } });
    const update = { sessionUpdate: "current_mode_update", currentModeId: "auto" };
    const lying = {
      "session/set_mode": { result: {}, first: [{ do: "update" as const, update }] },
    };
    const notSet = await meet(scripted({ session, replies: lying }), { mode: "ask" });
    expect(notSet).toMatchObject({ choices: "not_set", settings: { mode: "auto" } });
    const unknown = await meet(scripted({ session, replies: taking }), { mode: "none-such" });
    expect(unknown).toMatchObject({ choices: "not_set", settings: { mode: "auto" } });
    const noOption = await meet(scripted({ session }), { config: { fast: "true" } });
    expect(noOption).toMatchObject({ choices: "not_set" });
  });

  it("answers a request that comes all the same with cancelled, and notes it", async () => {
    // It opens its session only once its request has that answer.
    const asking = `
      const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
      let opening;
      require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
        const { id, method, result } = JSON.parse(line);
        if (method === "initialize") send({ id, result: { protocolVersion: 1 } });
        else if (method === "session/new") {
          opening = id;
          const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }];
          send({ id: 0, method: "session/request_permission", params: { sessionId: "s", toolCall: { toolCallId: "t" }, options } });
        } else if (id === 0 && JSON.stringify(result) === '{"outcome":{"outcome":"cancelled"}}') {
          send({ id: opening, result: { sessionId: "s" } });
        }
      });`;
    expect(await meet(["-e", asking])).toMatchObject({ kind: "opened", asked: true });
  });

  it.each([
    ["dies at once", scripted({ exitAtOnce: 7 }), "The agent's process ended (exit code 7)."],
    ["is no ACP agent", ["-e", "console.log('hi')"], "The agent's process ended (exit code 0)."],
    ["speaks another version", scripted({ protocolVersion: 2 }), "The agent speaks ACP version 2."],
  ])("that %s says how it ended", async (_, args, how) => {
    expect(await meet(args)).toMatchObject({ kind: "failed", how });
  });

  it("that cannot be started names no path", async () => {
    expect(await meet([], { file: "/nowhere/at/all" })).toEqual({
      kind: "failed",
      how: "The agent could not be started (ENOENT).",
    });
  });

  it("that hangs is given up in time, and when stopped", async () => {
    const hanging = ["-e", "process.stdin.resume()"];
    const how = "The agent was not ready within 1s, and was ended.";
    expect(await meet(hanging, { timeoutMs: 1000 })).toEqual({ kind: "failed", how });
    expect(await meet(hanging, { stopped: AbortSignal.abort() })).toEqual({
      kind: "failed",
      how: "Stopped before the agent was ready.",
    });
  });

  it("that hangs while it is set is given up too", async () => {
    const hanging = `
      require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
        const { id, method } = JSON.parse(line);
        const modes = ${JSON.stringify(MODES)};
        const results = { initialize: { protocolVersion: 1 }, "session/new": { sessionId: "s", modes } };
        const result = results[method];
        if (result !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
      });`;
    const met = await meet(["-e", hanging], { mode: "ask", timeoutMs: 2000 });
    expect(met).toMatchObject({
      kind: "failed",
      how: expect.stringContaining("not ready within 2s"),
    });
  });
});

describe("a failure to start", () => {
  const answered = (code: number) => Object.assign(new Error("MARK /home/ana"), { code });

  it.each([
    [
      answered(-32_000),
      "The agent opened no session: it wants to be signed in first (error -32000).",
    ],
    [answered(-32_603), "The agent opened no session: it answered error -32603."],
    [
      new Error('The agent speaks ACP version "MARK", not 1'),
      "The agent tells no ACP version as ACP does.",
    ],
    [
      new Error('The agent speaks ACP version "\n", not 1'),
      "The agent tells no ACP version as ACP does.",
    ],
    [new Error("The agent's process ended (SIGKILL)"), "The agent's process ended (SIGKILL)."],
    [new Error("The agent's process ended (MARK)"), "The agent opened no session."],
    [
      new Error("The agent could not be started: spawn MARK EACCES"),
      "The agent could not be started (EACCES).",
    ],
    [new Error("The agent could not be started: MARK"), "The agent could not be started."],
    [new DOMException("MARK", "TimeoutError"), "The agent opened no session."],
    [new Error("MARK"), "The agent opened no session."],
    ["MARK", "The agent opened no session."],
  ])("is told without anything that it may quote: %s", (error, how) => {
    expect(describeStartFailure(error).how).toBe(how);
  });
});

describe("the report", () => {
  it("uses the words of the setup contract", () => {
    const [, inspecting = ""] = CONTRACT.split("## 2. Inspect");
    const [section = ""] = inspecting.split("## 3.");
    const terms = [...section.matchAll(/^- \*\*(.+?)\*\*:/gm)].flatMap(([, term = ""]) =>
      term.split(", "),
    );
    const labels: string[] = Object.values(LABELS).map((label) => label.toLowerCase());
    expect(terms.length).toBeGreaterThan(6);
    for (const term of terms) expect(labels).toContain(term.toLowerCase());
  });

  it("gives each line a value or unknown, and where it was seen", () => {
    const agent: AgentFacts = { kind: "failed", how: "The agent opened no session." };
    const report = inspect({ agent, node: "24.0.0", room: undefined, secrets: [] });
    const lines = reportLines(report, makePaint(false));
    for (const label of Object.values(LABELS)) {
      const at = lines.findIndex((line) => line.startsWith(`${label}: `));
      const next = lines.slice(at + 1).findIndex((line) => !line.startsWith("  "));
      const below = next < 0 ? lines.slice(at + 1) : lines.slice(at + 1, at + 1 + next);
      expect(below.at(-1)).toMatch(/^ {2}Seen in: ./);
    }
  });
});
