import type { Readable, Writable } from "node:stream";
import type { AgentStdio } from "../acp-connection.ts";
import { AgentInput } from "./agent-input.ts";
import { readChunks, toBuffer } from "./chunks.ts";
import { ClientRequests } from "./client-requests.ts";
import { FromAgent, type OnSet } from "./from-agent.ts";
import { FromClient } from "./from-client.ts";
import { HeldAsks } from "./held-asks.ts";
import { LineSplitter } from "../line-splitter.ts";
import { Outgoing } from "./outgoing.ts";
import { OwnRequests } from "./own-requests.ts";
import { PassedRequests } from "./passed-requests.ts";
import type { ProxyBridge } from "./proxy-bridge.ts";
import { type ReadLine, readLine, screenLine } from "./screened-line.ts";
import { type OnSessionOpened, SessionGate } from "./session-gate.ts";
import { AGENT_SIDE, CLIENT_SIDE, type Side } from "./side.ts";

/** How long an agent may take to answer a request of the proxy's own. */
const REQUEST_TIMEOUT_MS = 120_000;

/** Why a proxy passes nothing on any more. `closed`: it was told so. */
export type ProxyEnd = "client_closed" | "agent_ended" | "closed" | { error: Error };

export interface AcpProxyOptions {
  agent: AgentStdio;
  /** The editor's side: what it sends, and where it reads. */
  client: { input: Readable; output: Writable };
  bridge: ProxyBridge;
  /** One sentence that names JSON-RPC ids at most, in plain characters. */
  onDiagnostic(text: string): void;
  /** Takes the agent's raw result of the client's `initialize`, before the client has it. */
  onInitialized?: (result: unknown) => void;
  /** Takes what the client had the agent set, and the agent's raw result, before the client has it. */
  onSet?: OnSet;
  /**
   * Called when the agent has opened a session for the client and the client was told. Until it resolves nothing more goes from the
   * client to the agent; if it rejects, the proxy ends with that error.
   */
  onSessionOpened?: OnSessionOpened;
  /** Milliseconds; default 120 000. */
  requestTimeoutMs?: number;
}

/**
 * Stands between an ACP client and its agent. Every line goes on as the bytes that came, in order, both ways, but permission
 * requests, which go to the bridge, and what the client says to a question that it was not asked.
 */
export class AcpProxy {
  readonly done: Promise<ProxyEnd>;
  readonly #options: AcpProxyOptions;
  readonly #agent: AgentInput;
  readonly #output: ReadableStreamDefaultReader<Uint8Array>;
  readonly #own: OwnRequests;
  readonly #gate: SessionGate;
  readonly #fromAgent: FromAgent;
  readonly #fromClient: FromClient;
  readonly #end: (end: ProxyEnd) => void;
  #isAgentGone = false;
  /** Nothing is passed on any more. */
  #isOver = false;

  constructor(options: AcpProxyOptions) {
    const { bridge, onDiagnostic, onInitialized, onSet } = options;
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<ProxyEnd>();
    this.done = promise;
    this.#end = resolve;
    const agent = new AgentInput(options.agent.stdin);
    const own = new OwnRequests(agent, options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS);
    const gate = new SessionGate(
      options.onSessionOpened,
      (method, params) => own.send(method, params),
      (error) => {
        // What fails because the agent ended is no failure of its own.
        if (!this.#isAgentGone) this.#fail(error);
      },
    );
    const shared = {
      bridge,
      onDiagnostic,
      gate,
      clientRequests: new ClientRequests(),
      passed: new PassedRequests(),
    };
    const held = new HeldAsks(bridge, agent);
    this.#agent = agent;
    this.#own = own;
    this.#gate = gate;
    this.#fromAgent = new FromAgent({ ...shared, agent, held, own, onInitialized, onSet });
    this.#fromClient = new FromClient(shared);
    this.#output = options.agent.stdout.getReader();
    options.client.output.on("error", () => this.#end("client_closed"));
    this.#passAgentsLines().catch((error: unknown) => this.#fail(error));
    this.#passClientsLines().catch((error: unknown) => this.#fail(error));
  }

  /** Asks the agent to end the turn of a session, as its client would. */
  cancel(sessionId: string): void {
    const message = { jsonrpc: "2.0", method: "session/cancel", params: { sessionId } };
    this.#agent.send(JSON.stringify(message)).catch(() => undefined);
  }

  /** Passes nothing on any more, and lets go of both sides. Answers to the agent still reach it as long as it reads. */
  close(): void {
    this.#finish("closed");
    this.#output.cancel().catch(() => undefined);
    this.#options.client.input.destroy();
  }

  async #passAgentsLines(): Promise<void> {
    const splitter = new LineSplitter();
    const { output } = this.#options.client;
    const client = new Outgoing(
      (bytes) => new Promise((resolve) => output.write(bytes, () => resolve())),
    );
    for (;;) {
      // An output that fails has ended.
      const chunk = await this.#output.read().catch(() => undefined);
      if (this.#isOver) return;
      if (chunk?.value === undefined) break;
      for (const line of splitter.push(toBuffer(chunk.value))) this.#screenAgents(line, client);
      await client.flush();
    }
    const rest = splitter.end();
    if (rest !== undefined) this.#screenAgents(rest, client);
    // Whoever waits for the agent learns of its end at once, also while the client reads slowly.
    this.#isAgentGone = true;
    this.#agent.end();
    this.#own.end();
    this.#options.bridge.endAgent();
    await client.flush();
    this.#end("agent_ended");
  }

  #screenAgents(bytes: Buffer, client: Outgoing): void {
    if (this.#isOver) return;
    this.#pass(readLine(bytes), AGENT_SIDE, client, (message, isBatch) =>
      this.#fromAgent.judge(message, isBatch),
    );
  }

  async #passClientsLines(): Promise<void> {
    const splitter = new LineSplitter();
    const agent = new Outgoing((bytes) => this.#agent.pass(bytes));
    for await (const chunk of readChunks(this.#options.client.input)) {
      if (this.#isOver) return;
      for (const line of splitter.push(chunk)) {
        // Nothing is awaited where nothing holds the line.
        const waiting = this.#screenClients(readLine(line), agent);
        if (waiting !== undefined) await waiting;
      }
      await agent.flush();
    }
    if (this.#isOver) return;
    const rest = splitter.end();
    if (rest !== undefined) await this.#screenClients(readLine(rest), agent);
    await agent.flush();
    // The agent's input stays open: what it has asked is still to be answered.
    this.#end("client_closed");
  }

  #screenClients(line: ReadLine, agent: Outgoing): Promise<void> | undefined {
    if (this.#isOver) return undefined;
    if (this.#fromClient.mustWait(line)) return this.#screenLater(line, agent);
    this.#pass(line, CLIENT_SIDE, agent, (message) => this.#fromClient.judge(message));
    return undefined;
  }

  async #screenLater(line: ReadLine, agent: Outgoing): Promise<void> {
    const { changed } = this.#gate;
    await agent.flush();
    await changed;
    await this.#screenClients(line, agent);
  }

  #pass(line: ReadLine, side: Side, to: Outgoing, judge: Parameters<typeof screenLine>[2]): void {
    const { bytes, after, isSuspect } = screenLine(line, side.word, judge);
    if (isSuspect) this.#options.onDiagnostic(side.suspect);
    if (bytes !== undefined) to.add(bytes);
    if (after.length === 0) return;
    void to.flush();
    for (const run of after) run();
  }

  /** Nothing goes on any more; what is held can still be answered. */
  #fail(error: unknown): void {
    this.#finish({ error: error instanceof Error ? error : new Error(String(error)) });
  }

  #finish(end: ProxyEnd): void {
    this.#end(end);
    this.#isOver = true;
    this.#own.end();
  }
}
