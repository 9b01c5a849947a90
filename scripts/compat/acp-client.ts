import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

type Reply = { result?: unknown; error?: { code?: number; message?: string } };

/**
 * A small ACP client on raw JSON-RPC lines, which shares no code with the command under test. It offers nothing and answers every
 * request with -32601: a permission request that reaches it was not taken by the Room.
 */
export class AcpClient {
  readonly #output: Writable;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #lastId = 0;
  #askedHere = 0;
  #isClosed = false;

  constructor(input: Readable, output: Writable) {
    this.#output = output;
    output.on("error", () => undefined);
    const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
    lines.on("line", (line) => this.#take(line));
    lines.on("close", () => this.#close());
  }

  /** How many permission requests came here. */
  get askedHere(): number {
    return this.#askedHere;
  }

  initialize(): Promise<unknown> {
    const clientInfo = { name: "handraise-compat", version: "1" };
    return this.#call("initialize", { protocolVersion: 1, clientCapabilities: {}, clientInfo });
  }

  /** @returns the session's id */
  async openSession(cwd: string): Promise<string> {
    const result = (await this.#call("session/new", { cwd, mcpServers: [] })) as {
      sessionId?: unknown;
    };
    if (typeof result.sessionId !== "string") throw new Error("session/new gave no sessionId");
    return result.sessionId;
  }

  /** Runs a turn to its end. @throws where it failed, or the connection ended first */
  async prompt(sessionId: string, text: string): Promise<void> {
    await this.#call("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  }

  cancel(sessionId: string): void {
    this.#send({ method: "session/cancel", params: { sessionId } });
  }

  #call(method: string, params: object): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(new Error("the connection has ended"));
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result, error }) => {
        if (error === undefined) resolve(result);
        else reject(new Error(`${method}: ${error.message ?? error.code ?? "failed"}`));
      });
      this.#send({ id, method, params });
    });
  }

  #take(line: string): void {
    const message = JSON.parse(line) as Reply & { id?: unknown; method?: string };
    if (message.method !== undefined) {
      if (message.method === "session/request_permission") this.#askedHere += 1;
      if (message.id !== undefined) {
        this.#send({ id: message.id, error: { code: -32601, message: "not offered" } });
      }
    } else if (typeof message.id === "number") {
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
    }
  }

  #close(): void {
    this.#isClosed = true;
    for (const settle of this.#waiting.values()) {
      settle({ error: { message: "the connection ended" } });
    }
    this.#waiting.clear();
  }

  #send(message: object): void {
    this.#output.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }
}
