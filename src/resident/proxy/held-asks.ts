import type { Answer } from "../incoming-ask.ts";
import type { AgentInput } from "./agent-input.ts";
import type { MessageId } from "./message.ts";
import type { ProxyBridge } from "./proxy-bridge.ts";

const CANCELLED: Answer = { outcome: { outcome: "cancelled" } };

/** The agent's questions that wait for the Room, by their JSON-RPC ids. */
export class HeldAsks {
  readonly #bridge: ProxyBridge;
  readonly #agent: AgentInput;
  readonly #held = new Map<string, AbortController>();

  constructor(bridge: ProxyBridge, agent: AgentInput) {
    this.#bridge = bridge;
    this.#agent = agent;
  }

  /** Brings a question to the bridge. `flaw`: what of it could not be kept as it was sent. */
  hold(id: MessageId, params: unknown, flaw: string | undefined): void {
    const takenBack = new AbortController();
    this.#held.set(id.key, takenBack);
    this.#bridge.ask({
      params,
      flaw,
      signal: takenBack.signal,
      give: (answer) => {
        if (this.#held.get(id.key) === takenBack) this.#held.delete(id.key);
        return this.#agent.send(answerJson(id, answer));
      },
    });
  }

  /** The agent takes its own question back; it still gets an answer, `cancelled`. Returns whether one was held. */
  takeBack(key: string): boolean {
    const takenBack = this.#held.get(key);
    takenBack?.abort();
    return takenBack !== undefined;
  }

  /** Answers a question that cannot be held `cancelled`, under each of its ids; the bridge says and logs why. */
  refuse(ids: MessageId[], params: unknown, flaw: string): void {
    this.#bridge.ask({
      params,
      flaw,
      signal: new AbortController().signal,
      // Whatever the bridge says.
      give: async () => {
        await Promise.all(ids.map((id) => this.#agent.send(answerJson(id, CANCELLED))));
      },
    });
  }
}

function answerJson(id: MessageId, { outcome }: Answer): string {
  return `{"jsonrpc":"2.0","id":${id.json},"result":${JSON.stringify({ outcome })}}`;
}
