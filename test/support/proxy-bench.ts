import { PassThrough, Writable } from "node:stream";
import { onTestFinished } from "vitest";
import type { Answer, IncomingAsk } from "../../src/resident/incoming-ask.ts";
import { AcpProxy, type AcpProxyOptions } from "../../src/resident/proxy/acp-proxy.ts";
import type { ProxyBridge } from "../../src/resident/proxy/proxy-bridge.ts";
import { Inbox } from "./inbox.ts";

export const SESSION = "session-1";
export const ALLOW: Answer = { outcome: { outcome: "selected", optionId: "allow-1" } };
export const CANCELLED: Answer = { outcome: { outcome: "cancelled" } };

/** One question that a played bridge was asked. */
export interface PlayedAsk extends IncomingAsk {
  sessionId: unknown;
}

/** A bridge that a test plays. It withdraws as the real one does: an ask has one answer. */
export class PlayedBridge implements ProxyBridge {
  readonly asks = new Inbox<PlayedAsk>();
  /** What it was told, and what the two sides were sent, in order. */
  readonly log: string[];
  readonly turnIds: string[] = [];
  readonly endedTurnIds: string[] = [];
  /** Why questions could not be asked. */
  readonly flaws: string[] = [];
  readonly agentEnded: Promise<void>;
  readonly #open = new Set<PlayedAsk>();
  readonly #noteAgentEnded: () => void;

  constructor(log: string[] = []) {
    this.log = log;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.agentEnded = promise;
    this.#noteAgentEnded = resolve;
  }

  get open(): number {
    return this.#open.size;
  }

  startTurn(sessionId: string, turnId: string): void {
    this.turnIds.push(turnId);
    this.log.push(`start ${sessionId}`);
  }

  cancelTurn(sessionId: string): void {
    this.log.push(`cancel ${sessionId}`);
    this.#cancelAll(sessionId);
  }

  endTurn(sessionId: string, turnId: string): void {
    this.endedTurnIds.push(turnId);
    this.log.push(`end ${sessionId}`);
    this.#cancelAll(sessionId);
  }

  noteUpdate(params: unknown): void {
    this.log.push(`note ${JSON.stringify(params)}`);
  }

  endAgent(): void {
    this.log.push("end agent");
    this.#noteAgentEnded();
    for (const ask of this.#open) void this.answer(ask, CANCELLED).catch(() => undefined);
  }

  ask(incoming: IncomingAsk): void {
    const params = incoming.params as { sessionId?: unknown } | undefined;
    const ask = { ...incoming, sessionId: params?.sessionId };
    if (incoming.flaw !== undefined) {
      this.flaws.push(incoming.flaw);
      // Whatever a bridge says to what it should not be asked.
      void incoming.give(ALLOW).catch(() => undefined);
      return;
    }
    this.#open.add(ask);
    incoming.signal.addEventListener("abort", () => {
      if (this.#open.has(ask)) void this.answer(ask, CANCELLED).catch(() => undefined);
    });
    this.asks.put(ask);
  }

  answer(ask: PlayedAsk, answer: Answer = ALLOW): Promise<void> {
    this.#open.delete(ask);
    return ask.give(answer);
  }

  #cancelAll(sessionId: string): void {
    for (const ask of this.#open) {
      if (ask.sessionId === sessionId) void this.answer(ask, CANCELLED).catch(() => undefined);
    }
  }
}

/** Something that is written to, which a test can hold back. */
class Sink {
  readonly lines = new Inbox<string>();
  readonly #chunks: Buffer[] = [];
  #rest = "";
  #taking: Promise<void> = Promise.resolve();
  #resume: () => void = () => undefined;
  readonly #name: string;
  readonly #log: string[];

  constructor(name: string, log: string[]) {
    this.#name = name;
    this.#log = log;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  pause(): void {
    this.#taking = new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  resume(): void {
    this.#resume();
  }

  async take(chunk: Uint8Array): Promise<void> {
    await this.#taking;
    this.#chunks.push(Buffer.from(chunk));
    const lines = (this.#rest + Buffer.from(chunk).toString("latin1")).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      this.#log.push(`${this.#name} ${line}`);
      this.lines.put(line);
    }
  }
}

/** A proxy between a played agent, a played client and a played bridge. */
export class ProxyBench {
  readonly log: string[] = [];
  readonly bridge = new PlayedBridge(this.log);
  readonly diagnostics: string[] = [];
  readonly toAgent = new Sink("to agent:", this.log);
  readonly toClient = new Sink("to client:", this.log);
  readonly proxy: AcpProxy;
  readonly client = new PassThrough();
  #agentOutput!: ReadableStreamDefaultController<Uint8Array>;

  constructor(options: Partial<AcpProxyOptions> = {}) {
    const stdin = new WritableStream<Uint8Array>({ write: (chunk) => this.toAgent.take(chunk) });
    const stdout = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#agentOutput = controller;
      },
    });
    const output = new Writable({
      write: async (chunk: Buffer, _, done) => {
        await this.toClient.take(chunk);
        done();
      },
    });
    this.proxy = new AcpProxy({
      agent: { stdin, stdout },
      client: { input: this.client, output },
      bridge: this.bridge,
      onDiagnostic: (text) => this.diagnostics.push(text),
      ...options,
    });
    onTestFinished(() => this.proxy.close());
  }

  /** The agent writes bytes, text as it stands, or a message as a line. */
  agentSends(what: Uint8Array | string | object): void {
    this.#agentOutput.enqueue(toBytes(what));
  }

  clientSends(what: Uint8Array | string | object): void {
    this.client.write(toBytes(what));
  }

  endAgent(): void {
    this.#agentOutput.close();
  }

  /** Ends the agent's output and returns everything that the client was sent. */
  async allOfAgent(): Promise<Buffer> {
    this.endAgent();
    await this.bridge.agentEnded;
    // The last unfinished line goes on right after that.
    await new Promise((resolve) => setImmediate(resolve));
    return this.toClient.bytes;
  }

  /** The agent asks; returns the question as it reached the bridge. */
  ask(id: unknown, params: object = {}): Promise<PlayedAsk> {
    this.agentSends(askMessage(id, params));
    return this.bridge.asks.next();
  }

  /** Resolves when what the agent sent so far has been passed on: a marker has followed it. Returns every line before it. */
  async untilClientHas(): Promise<string[]> {
    this.agentSends({ jsonrpc: "2.0", method: "_marker" });
    return readUntilMarker(this.toClient.lines);
  }

  async untilAgentHas(): Promise<string[]> {
    this.clientSends({ jsonrpc: "2.0", method: "_marker" });
    return readUntilMarker(this.toAgent.lines);
  }
}

async function readUntilMarker(inbox: Inbox<string>): Promise<string[]> {
  const lines: string[] = [];
  for (;;) {
    const line = await inbox.next();
    if (line === lineOf({ jsonrpc: "2.0", method: "_marker" })) return lines;
    lines.push(line);
  }
}

function toBytes(what: Uint8Array | string | object): Uint8Array {
  if (what instanceof Uint8Array) return what;
  return Buffer.from(typeof what === "string" ? what : `${lineOf(what)}\n`);
}

export function lineOf(message: object): string {
  return JSON.stringify(message);
}

export function askMessage(id: unknown, params: object = {}): object {
  return {
    jsonrpc: "2.0",
    id,
    method: "session/request_permission",
    params: { sessionId: SESSION, toolCall: { toolCallId: "t1" }, options: [], ...params },
  };
}

/** The line that answers a question of the agent. */
export function answerLine(id: unknown, { outcome }: Answer): string {
  return lineOf({ jsonrpc: "2.0", id, result: { outcome } });
}
