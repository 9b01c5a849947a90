import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { client, type ClientConnection, methods, ndJsonStream } from "@agentclientprotocol/sdk";
import { describe, expect, it } from "vitest";
import { AgentProcess } from "../../src/resident/agent-process.ts";
import { AcpProxy } from "../../src/resident/proxy/acp-proxy.ts";
import { Inbox } from "../support/inbox.ts";
import { ALLOW, CANCELLED, PlayedBridge, SESSION } from "../support/proxy-bench.ts";
import type { AgentReport, AgentScript, ScriptStep } from "../support/scripted-agent.ts";

const AGENT = fileURLToPath(new URL("../support/scripted-agent.ts", import.meta.url));
const options = [
  { optionId: "allow-1", name: "Allow once", kind: "allow_once" },
  { optionId: "no-2", name: "Reject", kind: "reject_once" },
];

/** An editor that would allow everything, a proxy, and the process of a scripted agent. */
class Editor implements AsyncDisposable {
  readonly bridge = new PlayedBridge();
  readonly diagnostics: string[] = [];
  readonly reports = new Inbox<AgentReport>();
  readonly updates: unknown[] = [];
  readonly input = new PassThrough();
  readonly proxy: AcpProxy;
  readonly acp: ClientConnection["agent"];
  readonly agent: AgentProcess;
  readonly #folder = mkdtempSync(join(tmpdir(), "handraise-test-"));
  readonly #marker = join(this.#folder, "marker");
  /** Permission requests that reached the editor. */
  asked = 0;

  constructor(...turns: ScriptStep[][]) {
    const script: AgentScript = { marker: this.#marker, turns };
    this.agent = new AgentProcess(
      { file: process.execPath, args: [AGENT, JSON.stringify(script)] },
      {
        cwd: this.#folder,
        onStderr: (line) => this.reports.put(JSON.parse(line) as AgentReport),
      },
    );
    const output = new PassThrough();
    this.proxy = new AcpProxy({
      agent: this.agent,
      client: { input: this.input, output },
      bridge: this.bridge,
      onDiagnostic: (text) => this.diagnostics.push(text),
    });
    const stream = ndJsonStream(
      Writable.toWeb(this.input) as WritableStream<Uint8Array>,
      Readable.toWeb(output) as unknown as ReadableStream<Uint8Array>,
    );
    const editor = client({ name: "editor" })
      .onRequest(methods.client.session.requestPermission, () => {
        this.asked += 1;
        return ALLOW as { outcome: { outcome: "selected"; optionId: string } };
      })
      .onRequest(methods.client.fs.readTextFile, ({ params }) => ({ content: `of ${params.path}` }))
      .onNotification(methods.client.session.update, ({ params }) => {
        this.updates.push(params.update);
      });
    this.acp = editor.connect(stream).agent;
  }

  /** What the agent did because it was allowed to. */
  get ran(): string | undefined {
    return existsSync(this.#marker) ? readFileSync(this.#marker, "utf8") : undefined;
  }

  async open(): Promise<void> {
    const clientCapabilities = { fs: { readTextFile: true } };
    await this.acp.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities });
    await this.acp.request(methods.agent.session.new, { cwd: "/", mcpServers: [] });
  }

  prompt(): Promise<{ stopReason: string }> {
    const prompt = [{ type: "text" as const, text: "go" }];
    return this.acp.request(methods.agent.session.prompt, { sessionId: SESSION, prompt });
  }

  /** The agent's next report of an answer that it got. */
  async answer(): Promise<unknown> {
    for (;;) {
      const report = await this.reports.next();
      if (report.saw === "answer") return report.message;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.proxy.close();
    await this.agent.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function ask(id: string | number): ScriptStep {
  return { do: "ask", id, toolCall: { toolCallId: `t-${id}`, title: "x" }, options };
}

const END: ScriptStep = { do: "end", stopReason: "end_turn" };

describe("an editor's own ACP client in front of an agent's process", { timeout: 30_000 }, () => {
  it("never sees a question, and has everything else", async () => {
    const text = { type: "text", text: "hello" };
    await using editor = new Editor([
      { do: "update", update: { sessionUpdate: "agent_message_chunk", content: text } },
      {
        do: "request",
        id: 7,
        method: "fs/read_text_file",
        params: { sessionId: SESSION, path: "/a" },
      },
      { do: "await", id: 7 },
      ask(0),
      { do: "await", id: 0 },
      END,
    ]);
    await editor.open();
    const turn = editor.prompt();
    const question = await editor.bridge.asks.next();
    await editor.bridge.answer(question, ALLOW);
    expect(await turn).toEqual({ stopReason: "end_turn" });
    expect(await editor.answer()).toEqual({ jsonrpc: "2.0", id: 7, result: { content: "of /a" } });
    expect(await editor.answer()).toEqual({ jsonrpc: "2.0", id: 0, result: ALLOW });
    expect(editor.ran).toBe("0 allow-1\n");
    expect(editor.asked).toBe(0);
    expect(editor.updates).toHaveLength(1);
    expect(editor.diagnostics).toEqual([]);
  });

  it("holds 0, the text 0 and a UUID at once, and uses an id again", async () => {
    const uuid = "550e8400-e29b-41d4-a716-446655440000";
    const ids = [0, "0", uuid];
    const wait = ids.map((id): ScriptStep => ({ do: "await", id }));
    await using editor = new Editor([
      ...ids.map(ask),
      ...wait,
      ask(0),
      { do: "await", id: 0 },
      END,
    ]);
    await editor.open();
    const turn = editor.prompt();
    const zero = await editor.bridge.asks.next();
    const text = await editor.bridge.asks.next();
    await editor.bridge.answer(await editor.bridge.asks.next(), ALLOW);
    await editor.bridge.answer(text, CANCELLED);
    await editor.bridge.answer(zero, CANCELLED);
    await editor.bridge.answer(await editor.bridge.asks.next(), ALLOW);
    expect(await turn).toEqual({ stopReason: "end_turn" });
    expect(editor.ran).toBe(`"${uuid}" allow-1\n0 allow-1\n`);
  });

  it("that sends an answer of its own runs nothing", async () => {
    await using editor = new Editor([ask(0), { do: "await", id: 0 }, END]);
    await editor.open();
    const turn = editor.prompt();
    const question = await editor.bridge.asks.next();
    editor.input.write(`${JSON.stringify({ jsonrpc: "2.0", id: 0, result: ALLOW })}\n`);
    // Once this has its response, whatever was written before it has reached the agent.
    await expect(editor.acp.request("_unknown", {})).rejects.toThrow("not found");
    await editor.bridge.answer(question, CANCELLED);
    await turn;
    expect(await editor.answer()).toEqual({ jsonrpc: "2.0", id: 0, result: CANCELLED });
    expect(editor.ran).toBeUndefined();
    expect(editor.diagnostics).toHaveLength(1);
  });

  it("that cancels ends the turn before the question is answered", async () => {
    const cancelled: ScriptStep = { do: "end", stopReason: "cancelled" };
    await using editor = new Editor([
      ask(0),
      { do: "await_cancel" },
      { do: "await", id: 0 },
      cancelled,
    ]);
    await editor.open();
    const turn = editor.prompt();
    await editor.bridge.asks.next();
    await editor.acp.notify(methods.agent.session.cancel, { sessionId: SESSION });
    expect(await turn).toEqual({ stopReason: "cancelled" });
    expect((await editor.reports.next()).saw).toBe("prompt");
    expect((await editor.reports.next()).saw).toBe("cancel");
    expect(await editor.answer()).toEqual({ jsonrpc: "2.0", id: 0, result: CANCELLED });
  });

  it("learns of the turn's end although a question dangles, which is closed", async () => {
    await using editor = new Editor([ask(0), END]);
    await editor.open();
    expect(await editor.prompt()).toEqual({ stopReason: "end_turn" });
    expect(await editor.answer()).toEqual({ jsonrpc: "2.0", id: 0, result: CANCELLED });
    expect(editor.bridge.open).toBe(0);
  });

  it("that ends lets the agent end, after it has its answer", async () => {
    await using editor = new Editor([ask(0), { do: "await", id: 0 }, END]);
    await editor.open();
    editor.prompt().catch(() => undefined);
    const question = await editor.bridge.asks.next();
    editor.input.end();
    expect(await editor.proxy.done).toBe("client_closed");
    await editor.bridge.answer(question, CANCELLED);
    expect(await editor.answer()).toEqual({ jsonrpc: "2.0", id: 0, result: CANCELLED });
    await editor.agent.stop();
    expect(await editor.agent.ended).toEqual({ kind: "exited", code: 0, signal: null });
  });

  it("learns that the agent died in the middle, and the question is closed", async () => {
    await using editor = new Editor([ask(0), { do: "exit", code: 3 }]);
    await editor.open();
    const turn = editor.prompt();
    turn.catch(() => undefined);
    const question = await editor.bridge.asks.next();
    expect(await editor.proxy.done).toBe("agent_ended");
    await editor.bridge.agentEnded;
    expect(editor.bridge.open).toBe(0);
    await expect(question.give(ALLOW)).rejects.toThrow("gone");
  });
});
