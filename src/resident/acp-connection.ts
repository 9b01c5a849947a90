import {
  type AnyMessage,
  client,
  type ClientConnection,
  methods,
  ndJsonStream,
  RequestError,
  type Stream,
} from "@agentclientprotocol/sdk";
import { isRecord } from "./json-record.ts";
import type { Answer, IncomingAsk } from "./incoming-ask.ts";

/** The only protocol version that this resident speaks. */
export const ACP_VERSION = 1;

/** How long an agent may take to introduce itself or to open a session: some download themselves first. */
const OPENING_TIMEOUT_MS = 120_000;

/** The agent's stdio, seen from here. */
export interface AgentStdio {
  stdin: WritableStream<Uint8Array>;
  stdout: ReadableStream<Uint8Array>;
}

/** What an agent sends on its own. */
export interface AgentEvents {
  /** Raw params of a `session/update`. */
  onUpdate(params: unknown): void;
  onAsk(ask: IncomingAsk): void;
}

/**
 * `session/update` under a name that the SDK does not know. It checks the known name with schemas, drops what it does not know
 * and prints it; under this one the raw params come through, in their order among the requests.
 */
const RAW_UPDATE = "handraise/session_update";

/** The ACP connection to one agent, as its client. */
export class AcpConnection {
  readonly #connection: ClientConnection;
  readonly #events: AgentEvents;
  /** Answers that have not been written to the agent's stdin yet. */
  readonly #unwritten = new Map<unknown, { resolve(): void; reject(error: Error): void }>();

  constructor(stdio: AgentStdio, events: AgentEvents) {
    this.#events = events;
    const app = client({ name: "handraise" })
      .onNotification("*", ({ method, params }) => {
        if (method === RAW_UPDATE) events.onUpdate(params);
      })
      .onRequest("*", ({ method, params, signal }) => {
        if (method !== methods.client.session.requestPermission) {
          throw RequestError.methodNotFound(method);
        }
        return this.#ask(params, signal);
      });
    this.#connection = app.connect(this.#tap(ndJsonStream(stdio.stdin, stdio.stdout)));
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
  async initialize(): Promise<void> {
    const { agent } = this.#connection;
    const params = {
      protocolVersion: ACP_VERSION,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: "handraise", version: "1" },
    };
    const answer: unknown = await agent.request(methods.agent.initialize, params, inTime());
    const version = isRecord(answer) ? answer["protocolVersion"] : undefined;
    if (version !== ACP_VERSION) {
      throw new Error(
        `The agent speaks ACP version ${JSON.stringify(version)}, not ${ACP_VERSION}`,
      );
    }
  }

  /** Opens a session in a folder and returns its id. */
  async openSession(cwd: string): Promise<string> {
    const { agent } = this.#connection;
    const params = { cwd, mcpServers: [] };
    const answer: unknown = await agent.request(methods.agent.session.new, params, inTime());
    const sessionId = isRecord(answer) ? answer["sessionId"] : undefined;
    if (typeof sessionId !== "string") throw new Error("The agent opened no session");
    return sessionId;
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

  #ask(params: unknown, taken: AbortSignal): Promise<Answer> {
    return new Promise((resolve) => {
      const takenBack = new AbortController();
      taken.addEventListener("abort", () => {
        // The SDK aborts for the end of the connection too, which is another thing.
        if (!this.#connection.signal.aborted) takenBack.abort();
      });
      this.#events.onAsk({
        params,
        signal: takenBack.signal,
        give: (answer) => {
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

  /** Lets this class see what passes: raw updates on their way in, answers that were written on their way out. */
  #tap({ readable, writable }: Stream): Stream {
    const updatesRenamed = new TransformStream<AnyMessage, AnyMessage>({
      transform(message, controller) {
        const isUpdate =
          "method" in message && !("id" in message) && message.method === "session/update";
        controller.enqueue(isUpdate ? { ...message, method: RAW_UPDATE } : message);
      },
    });
    const writer = writable.getWriter();
    return {
      readable: readable.pipeThrough(updatesRenamed),
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
}

function inTime(): { cancellationSignal: AbortSignal; stopWaitingOnCancel: true } {
  return {
    cancellationSignal: AbortSignal.timeout(OPENING_TIMEOUT_MS),
    stopWaitingOnCancel: true,
  };
}
