import { appendFileSync, closeSync, openSync } from "node:fs";
import type { ResidentEvent } from "./events.ts";

/** Two facts, a line each: how an ask ended, and how the tool ended that it was for. */
export type LogRecord =
  | {
      record: "ask";
      time: string;
      requestId: string;
      agent: string;
      toolKind: string;
      offered: { optionId: string; kind?: string }[];
      answeredBy: object;
      outcome: object;
      reading: string;
      reason: string;
    }
  | { record: "tool"; time: string; requestId: string; agent: string; status: string };

/**
 * The decision log: JSON lines, appended at once. Exactly one `ask` for every ask whatever its end, and a `tool` where the agent
 * reported its tool's end. Never the command, the diff, an option's name or a credential.
 */
export class DecisionLog {
  readonly #agent: string;
  readonly #descriptor: number;

  /** @throws where the file cannot be appended to */
  constructor(file: string, agent: string) {
    this.#agent = agent;
    this.#descriptor = openSync(file, "a", 0o600);
  }

  note(event: ResidentEvent): void {
    const time = new Date().toISOString();
    const agent = this.#agent;
    if (event.type === "settled") {
      const { requestId, toolKind, offered, answeredBy, outcome, reading, reason } = event;
      const end = { offered, answeredBy, outcome, reading, reason };
      this.#append({ record: "ask", time, requestId, agent, toolKind, ...end });
    } else if (event.type === "tool_finished") {
      const { requestId, status } = event;
      this.#append({ record: "tool", time, requestId, agent, status });
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  /** In one write: several processes may append to one file. */
  #append(record: LogRecord): void {
    appendFileSync(this.#descriptor, `${JSON.stringify(record)}\n`);
  }
}
