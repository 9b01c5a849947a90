import { randomUUID } from "node:crypto";
import { AgentRefusal } from "../agent-refusal.ts";
import type { AgentInput } from "./agent-input.ts";
import { keyOf } from "./message.ts";

interface Pending {
  method: string;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Requests of the proxy's own to the agent, whose responses never reach the client. */
export class OwnRequests {
  readonly #agent: AgentInput;
  readonly #timeoutMs: number;
  readonly #pending = new Map<string, Pending>();
  #isOver = false;

  constructor(agent: AgentInput, timeoutMs: number) {
    this.#agent = agent;
    this.#timeoutMs = timeoutMs;
  }

  /** Resolves to the result. Rejects for an error response, in time where none comes, and when the agent is gone. */
  async send(method: string, params: object): Promise<unknown> {
    if (this.#isOver) throw new Error("The agent is gone");
    // No client could have chosen it.
    const id = `handraise-${randomUUID()}`;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#pending.set(keyOf(id), { method, resolve, reject });
    const late = setTimeout(() => {
      reject(new Error(`The agent did not answer ${method} within ${this.#timeoutMs} ms`));
    }, this.#timeoutMs);
    this.#agent.send(JSON.stringify({ jsonrpc: "2.0", id, method, params })).catch(reject);
    try {
      return await promise;
    } finally {
      clearTimeout(late);
    }
  }

  /** Takes a response of the agent; returns whether it was meant for the proxy. A late one still is. */
  take(key: string, { result, error }: Record<string, unknown>): boolean {
    const pending = this.#pending.get(key);
    if (pending === undefined) return false;
    this.#pending.delete(key);
    if (error === undefined) pending.resolve(result);
    else pending.reject(new AgentRefusal(pending.method, error));
    return true;
  }

  /** The agent is gone, or the proxy has ended. */
  end(): void {
    this.#isOver = true;
    for (const { reject } of this.#pending.values()) reject(new Error("The agent is gone"));
    this.#pending.clear();
  }
}
