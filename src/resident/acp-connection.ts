import { randomUUID } from "node:crypto";
import {
  type AnyMessage,
  client,
  type ClientConnection,
  methods,
  ndJsonStream,
  RequestError,
  type Stream,
} from "@agentclientprotocol/sdk";
import { type AgentInfo, readAgentInfo } from "./agent-info.ts";
import { readAgentLine } from "./agent-line.ts";
import { AgentRefusal } from "./agent-refusal.ts";
import { type Answer, type IncomingAsk, LateFlaw } from "./incoming-ask.ts";
import { isRecord } from "./json-record.ts";
import { OpenAsks } from "./open-asks.ts";
import { splitLines } from "./lines.ts";
import { SessionSettings } from "./session-settings.ts";

/** The only protocol version that this resident speaks. */
export const ACP_VERSION = 1;

/** JSON-RPC: no such method. */
const NOT_FOUND = -32601;
const SHARED_ID = "another request of the agent's has its id";

export interface AgentPatience {
  /** How long an agent may take to introduce itself or to open a session: some download themselves first. */
  openingMs: number;
  /** How long it may take to set a mode or an option. */
  settingMs: number;
}

const PATIENCE: AgentPatience = { openingMs: 120_000, settingMs: 30_000 };

/** The agent's stdio, seen from here. */
export interface AgentStdio {
  stdin: WritableStream<Uint8Array>;
  stdout: ReadableStream<Uint8Array>;
}

/** What an agent sends on its own. */
export interface AgentEvents {
  /** Raw params of a `session/update`. `findFlaw`: what of it could not be kept as it was sent. */
  onUpdate(params: unknown, findFlaw: () => string | undefined): void;
  onAsk(ask: IncomingAsk): void;
  /** A line that is no message; its content is not repeated. */
  onBadLine?(): void;
}

export interface OpenedSession {
  sessionId: string;
  settings: SessionSettings;
}

/**
 * Names that neither the SDK nor the agent knows, in place of two that they do. The SDK checks known ones with schemas, drops what it
 * does not know and prints it; under these the raw params come through, in their order among the messages.
 */
const RAW_UPDATE = `handraise/${randomUUID()}/session_update`;
const RAW_ASK = `handraise/${randomUUID()}/request_permission`;

interface RawUpdate {
  raw: unknown;
  findFlaw: () => string | undefined;
}

interface RawAsk {
  raw: unknown;
  flaw: string | undefined;
  /** Aborts when another request of the agent takes its id. */
  takenOver: AbortSignal;
}

/** The ACP connection to one agent, as its client. */
export class AcpConnection {
  readonly #connection: ClientConnection;
  readonly #events: AgentEvents;
  readonly #patience: AgentPatience;
  readonly #open = new OpenAsks();
  #write: (message: AnyMessage) => Promise<void> = () => Promise.reject(new Error("not open"));
  /** Answers that have not been written to the agent's stdin yet. */
  readonly #unwritten = new Map<unknown, { resolve(): void; reject(error: Error): void }>();

  constructor(stdio: AgentStdio, events: AgentEvents, patience = PATIENCE) {
    this.#events = events;
    this.#patience = patience;
    const app = client({ name: "handraise" })
      .onNotification("*", ({ method, params }) => {
        if (method !== RAW_UPDATE) return;
        const { raw, findFlaw } = params as RawUpdate;
        events.onUpdate(raw, findFlaw);
      })
      .onRequest("*", ({ method, params, signal }) => {
        if (method !== RAW_ASK) throw RequestError.methodNotFound(method);
        return this.#ask(params as RawAsk, signal);
      });
    this.#connection = app.connect(this.#streamOf(stdio));
    void this.closed.then(() => this.#failUnwritten());
  }

  /** Resolves when no message can come or go any more. */
  get closed(): Promise<void> {
    return this.#connection.closed;
  }

  get isClosed(): boolean {
    return this.#connection.signal.aborted;
  }

  /** Agrees on the protocol version; throws where the agent speaks another. No capabilities: the agent keeps its own tools. */
  async initialize(): Promise<AgentInfo> {
    const params = {
      protocolVersion: ACP_VERSION,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: "handraise", version: "1" },
    };
    const { openingMs } = this.#patience;
    const answer = await this.#call(methods.agent.initialize, params, openingMs).catch(
      (error: unknown) => {
        if (!(error instanceof AgentRefusal) || error.code !== NOT_FOUND) throw error;
        throw new Error("This command does not speak ACP on stdio", { cause: error });
      },
    );
    const version = isRecord(answer) ? answer["protocolVersion"] : undefined;
    if (version !== ACP_VERSION) {
      throw new Error(
        `The agent speaks ACP version ${String(JSON.stringify(version)).slice(0, 40)}, not ${ACP_VERSION}`,
      );
    }
    return readAgentInfo(answer);
  }

  /** Opens a session in a folder. */
  async openSession(cwd: string): Promise<OpenedSession> {
    const params = { cwd, mcpServers: [] };
    const answer = await this.#call(methods.agent.session.new, params, this.#patience.openingMs);
    const sessionId = isRecord(answer) ? answer["sessionId"] : undefined;
    if (typeof sessionId !== "string") throw new Error("The agent opened no session");
    return { sessionId, settings: new SessionSettings(answer) };
  }

  /** Calls the agent to set something. */
  set(method: string, params: object): Promise<unknown> {
    return this.#call(method, params, this.#patience.settingMs);
  }

  /** Runs one turn to its end and returns the agent's stop reason. */
  async prompt(sessionId: string, text: string): Promise<string> {
    const response: unknown = await this.#connection.agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [{ type: "text", text }],
    });
    const stopReason = isRecord(response) ? response["stopReason"] : undefined;
    return typeof stopReason === "string" ? stopReason : "unknown";
  }

  /** Asks the agent to end its turn. */
  async cancel(sessionId: string): Promise<void> {
    await this.#connection.agent.notify(methods.agent.session.cancel, { sessionId });
  }

  close(): void {
    this.#connection.close();
  }

  async #call(method: string, params: object, timeoutMs: number): Promise<unknown> {
    const late = AbortSignal.timeout(timeoutMs);
    try {
      return await this.#connection.agent.request(method, params, {
        cancellationSignal: late,
        stopWaitingOnCancel: true,
      });
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      // The SDK calls this a cancelled request, but nobody cancelled it.
      if (!late.aborted) throw new AgentRefusal(method, error);
      const text = `The agent did not answer ${method} within ${timeoutMs / 1000} s`;
      throw new Error(text, { cause: error });
    }
  }

  #ask({ raw, flaw, takenOver }: RawAsk, taken: AbortSignal) {
    return new Promise<Answer>((resolve) => {
      const takenBack = new AbortController();
      takenOver.addEventListener("abort", () => takenBack.abort(new LateFlaw(SHARED_ID)));
      taken.addEventListener("abort", () => {
        // The SDK aborts for the end of the connection too, which is another thing.
        if (!this.#connection.signal.aborted) takenBack.abort();
      });
      this.#events.onAsk({
        params: raw,
        // It may have been taken over before it came through here.
        flaw: takenOver.aborted ? SHARED_ID : flaw,
        signal: takenBack.signal,
        give: (answer) => {
          this.#open.close(takenOver);
          const written = this.#untilWritten(answer);
          resolve(answer);
          return written;
        },
      });
    });
  }

  #untilWritten(answer: Answer): Promise<void> {
    if (this.#connection.signal.aborted) return Promise.reject(new Error("The agent is gone"));
    return new Promise((resolve, reject) => this.#unwritten.set(answer, { resolve, reject }));
  }

  #failUnwritten(): void {
    for (const { reject } of this.#unwritten.values()) reject(new Error("The agent is gone"));
    this.#unwritten.clear();
  }

  /** Messages in, read here so that nothing of an ask is lost on the way; messages out, with a word when an answer was written. */
  #streamOf({ stdin, stdout }: AgentStdio): Stream {
    const messages = new TransformStream<Uint8Array, AnyMessage>({
      transform: (line, controller) => {
        const message = this.#readMessage(line);
        if (message !== undefined) controller.enqueue(message);
      },
    });
    const nothing = new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });
    const writer = ndJsonStream(stdin, nothing).writable.getWriter();
    this.#write = (message) => writer.write(message);
    return {
      readable: stdout.pipeThrough(splitLines()).pipeThrough(messages),
      writable: new WritableStream<AnyMessage>({
        write: async (message) => {
          await writer.write(message);
          // The SDK sends the very object that a handler returned.
          const answer = "result" in message ? message.result : undefined;
          this.#unwritten.get(answer)?.resolve();
          this.#unwritten.delete(answer);
        },
      }),
    };
  }

  #readMessage(bytes: Uint8Array): AnyMessage | undefined {
    const line = readAgentLine(bytes);
    if (line === undefined || !isRecord(line.message)) {
      if (bytes.some((byte) => byte > 0x20)) this.#events.onBadLine?.();
      return undefined;
    }
    const { message } = line;
    const isRequest = "id" in message;
    if (message["method"] === "session/update" && !isRequest) {
      const params: RawUpdate = { raw: message["params"], findFlaw: () => line.findFlaw() };
      return { ...message, method: RAW_UPDATE, params } as unknown as AnyMessage;
    }
    if (message["method"] === methods.client.session.requestPermission && isRequest) {
      return this.#readAsk(message, line.findFlaw());
    }
    return message as unknown as AnyMessage;
  }

  #readAsk(message: Record<string, unknown>, flaw: string | undefined): AnyMessage | undefined {
    const { id, params: raw } = message;
    if (typeof id !== "string" && !Number.isFinite(id)) {
      this.#refuseOddId(id, raw);
      return undefined;
    }
    const { takenOver, wasOpen } = this.#open.open(JSON.stringify(id));
    // Which of the two an answer is for, the agent could not say.
    const params: RawAsk = {
      raw,
      flaw: wasOpen ? SHARED_ID : flaw,
      takenOver,
    };
    return { ...message, method: RAW_ASK, params } as unknown as AnyMessage;
  }

  /** The SDK would answer such an id itself, and nobody would know of the question. */
  #refuseOddId(id: unknown, params: unknown): void {
    this.#events.onAsk({
      params,
      flaw: "its id is neither a number nor a text",
      signal: new AbortController().signal,
      give: async (result) => {
        await this.#write({ jsonrpc: "2.0", id, result } as unknown as AnyMessage);
      },
    });
  }
}
