import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { STD } from "../support/fake-room.ts";
import { ResidentBench } from "../support/resident-bench.ts";
import type { AgentScript, OfferedOption, ScriptStep } from "../support/scripted-agent.ts";

const AGENT = fileURLToPath(new URL("../support/scripted-agent.ts", import.meta.url));
const OPTIONS: OfferedOption[][] = [
  STD as OfferedOption[],
  ["a", "b"].map((optionId) => ({ optionId, name: optionId, kind: "allow_once" })),
  [{ optionId: "reject_once", name: "Yes", kind: "allow_once" }],
];
/** Some alike, some not: the same command twice, an id used again, an option of each place. */
const ASKS = Array.from({ length: 9 }, (_, at) => ({
  toolCall: {
    toolCallId: `t${at % 4}`,
    kind: "execute",
    title: at % 3 === 0 ? "npm test" : `${at}`,
  },
  options: OPTIONS[at % 3] ?? [],
}));
const chosenOf = (options: { optionId: string }[], at: number): string =>
  options[at % options.length]?.optionId ?? "";
const STEPS: ScriptStep[] = [
  ...ASKS.flatMap((ask, id): ScriptStep[] => [
    { do: "ask", id, ...ask },
    { do: "await", id },
  ]),
  { do: "end", stopReason: "end_turn" },
];

interface Exchange {
  toolCallId: string;
  offered: string[];
  answered: string;
}

/** What a client of a few lines is asked and answers. */
async function throughBareClient(): Promise<Exchange[]> {
  const folder = mkdtempSync(join(tmpdir(), "handraise-bare-"));
  const script: AgentScript = { marker: join(folder, "marker"), turns: [STEPS] };
  const agent = spawn(process.execPath, [AGENT, JSON.stringify(script)], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const send = (message: object) =>
    agent.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  send({ id: 0, method: "initialize", params: { protocolVersion: 1 } });
  send({ id: 1, method: "session/new", params: { cwd: folder, mcpServers: [] } });
  send({ id: 2, method: "session/prompt", params: { sessionId: "session-1", prompt: [] } });
  const exchanges: Exchange[] = [];
  for await (const line of createInterface({ input: agent.stdout })) {
    const message = JSON.parse(line) as {
      id: number;
      method?: string;
      params: { toolCall: { toolCallId: string }; options: { optionId: string }[] };
    };
    if (message.method === undefined && message.id === 2) break;
    if (message.method !== "session/request_permission") continue;
    const { toolCall, options } = message.params;
    const answered = chosenOf(options, exchanges.length);
    const offered = options.map(({ optionId }) => optionId);
    exchanges.push({ toolCallId: toolCall.toolCallId, offered, answered });
    send({ id: message.id, result: { outcome: { outcome: "selected", optionId: answered } } });
  }
  agent.kill();
  rmSync(folder, { recursive: true, force: true });
  return exchanges;
}

// B104, B100
it("asks people as often, and answers with the same ids, as a client without any Room: no rule of its own", async () => {
  const bare = await throughBareClient();
  expect(bare).toHaveLength(ASKS.length);
  await using bench = new ResidentBench();
  await bench.start({ turns: [STEPS] });
  const turn = bench.resident.prompt("go");
  const roomed: Exchange[] = [];
  for (const at of ASKS.keys()) {
    const post = await bench.room.posts.next();
    const offered = post.body.options.map(({ optionId }) => optionId);
    bench.room.decide(post, chosenOf(post.body.options, at));
    const { message } = await bench.answers.next();
    const { result } = message as { result: { outcome: { optionId: string } } };
    const { toolCallId } = post.body.toolCall;
    roomed.push({ toolCallId, offered, answered: result.outcome.optionId });
  }
  await turn;
  expect(roomed).toEqual(bare);
});
