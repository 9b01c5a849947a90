import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { client, type ClientConnection, methods, ndJsonStream } from "@agentclientprotocol/sdk";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ROOT } from "../../scripts/project.ts";
import { createRoom } from "../../src/client/index.ts";
import { LiveMember } from "../support/live-member.ts";
import { LiveServer } from "../support/live-server.ts";
import type { AgentScript, ScriptStep } from "../support/scripted-agent.ts";

const AGENT = fileURLToPath(new URL("../support/scripted-agent.ts", import.meta.url));
const SESSION = "session-1";
const options = [
  { optionId: "allow-1", name: "Allow once", kind: "allow_once" },
  { optionId: "no-2", name: "Reject", kind: "reject_once" },
];
const ASK: ScriptStep = {
  do: "ask",
  id: 0,
  toolCall: { toolCallId: "t1", title: "npm test", kind: "execute" },
  options,
};
const END: ScriptStep = { do: "end", stopReason: "end_turn" };

const server = new LiveServer();
const folder = mkdtempSync(join(tmpdir(), "handraise-proxy-"));
const marker = join(folder, "marker");
let ana: LiveMember;
let invite: string;
let proxy: ChildProcessByStdio<Writable, Readable, Readable> | undefined;

beforeAll(() => server.start());
afterAll(async () => {
  await server.end();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  const room = await createRoom({ server: server.url }, {});
  invite = room.residentInvite;
  ana = await LiveMember.join(server.url, room.humanInvite, "Ana");
  await ana.connect();
});
afterEach(async () => {
  ana.disconnect();
  rmSync(marker, { force: true });
  if (proxy === undefined || proxy.exitCode !== null) return;
  proxy.kill("SIGKILL");
  await once(proxy, "close");
});

/** An editor that would allow everything, in front of `handraise proxy`. */
async function openEditor(turn: ScriptStep[]) {
  const script: AgentScript = { marker, turns: [turn] };
  const agent = [process.execPath, AGENT, JSON.stringify(script)];
  const started = spawn(process.execPath, [`${ROOT}src/cli/main.ts`, "proxy", "--", ...agent], {
    cwd: folder,
    env: {
      ...process.env,
      HANDRAISE_SERVER: server.url,
      HANDRAISE_INVITE: invite,
      XDG_STATE_HOME: folder,
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  proxy = started;
  // Read even if no test looks: a full pipe would hold the proxy.
  started.stderr.resume();
  let asked = 0;
  const editor = client({ name: "editor" })
    .onRequest(methods.client.session.requestPermission, () => {
      asked += 1;
      return { outcome: { outcome: "selected" as const, optionId: "allow-1" } };
    })
    .connect(
      ndJsonStream(
        Writable.toWeb(started.stdin) as WritableStream<Uint8Array>,
        Readable.toWeb(started.stdout) as unknown as ReadableStream<Uint8Array>,
      ),
    );
  const acp: ClientConnection["agent"] = editor.agent;
  await acp.request(methods.agent.initialize, { protocolVersion: 1 });
  await acp.request(methods.agent.session.new, { cwd: folder, mcpServers: [] });
  const prompt = [{ type: "text" as const, text: "go" }];
  return {
    acp,
    process: started,
    asked: () => asked,
    prompt: () => acp.request(methods.agent.session.prompt, { sessionId: SESSION, prompt }),
  };
}

function ran(): string | undefined {
  return existsSync(marker) ? readFileSync(marker, "utf8") : undefined;
}

describe("an editor in front of handraise proxy", { timeout: 60_000 }, () => {
  it("has a person in the Room answer its agent, and goes on with the turn", async () => {
    const editor = await openEditor([ASK, { do: "await", id: 0 }, END]);
    const turn = editor.prompt();
    const { card } = await ana.next("card_opened");
    expect(card.options).toEqual(options);
    await ana.send({ type: "decide", requestId: card.requestId, optionId: "allow-1" });
    expect(await turn).toEqual({ stopReason: "end_turn" });
    expect(ran()).toBe("0 allow-1\n");
    expect(editor.asked()).toBe(0);
    const { requestId } = card;
    await ana.next("card_delivery", (frame) => {
      return frame.requestId === requestId && frame.delivery.state === "applied";
    });
  });

  it("cannot answer in their place, and a question of a cancelled turn closes for everybody", async () => {
    const editor = await openEditor([ASK, { do: "await", id: 0 }, END]);
    const turn = editor.prompt();
    const { card } = await ana.next("card_opened");
    const result = { outcome: { outcome: "selected", optionId: "allow-1" } };
    editor.process.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 0, result })}\n`);
    await editor.acp.notify(methods.agent.session.cancel, { sessionId: SESSION });
    expect(await turn).toEqual({ stopReason: "end_turn" });
    const { settlement } = await ana.next("card_settled", ({ requestId }) => {
      return requestId === card.requestId;
    });
    expect(settlement).toMatchObject({ state: "withdrawn", reason: "turn_cancelled" });
    expect(ran()).toBeUndefined();
  });

  it("that quits leaves no question open, also with its agent, and ends the proxy", async () => {
    const editor = await openEditor([ASK, { do: "await", id: 0 }, END]);
    editor.prompt().catch(() => undefined);
    const { card } = await ana.next("card_opened");
    const closed = once(editor.process, "close");
    let log = "";
    editor.process.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
    editor.process.stdin.end();
    const settled = await ana.next("card_settled", ({ requestId }) => requestId === card.requestId);
    expect(settled.settlement.state).toBe("withdrawn");
    expect(await closed).toEqual([0, null]);
    expect(ran()).toBeUndefined();
    expect(log).toMatch(/"saw":"cancel".*\n(?:.*\n)*.*"outcome":"cancelled"/);
  });
});
