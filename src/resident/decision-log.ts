import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";
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
  readonly #file: string;

  /** @throws where the file cannot be appended to */
  constructor(file: string, agent: string) {
    this.#agent = agent;
    this.#file = file;
    closeSync(openForAppending(file));
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

  /** Opened anew each time, because logs are rotated; in one write, because several processes may append to one file. */
  #append(record: LogRecord): void {
    const descriptor = openForAppending(this.#file);
    try {
      writeSync(descriptor, `${JSON.stringify(record)}\n`);
    } finally {
      closeSync(descriptor);
    }
  }
}

/** Never waits, as opening a pipe without a reader would. */
function openForAppending(file: string): number {
  const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants;
  const descriptor = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);
  const stat = fstatSync(descriptor);
  if (stat.isFile() || stat.isCharacterDevice()) return descriptor;
  closeSync(descriptor);
  throw Object.assign(new Error("not a file"), { code: "not a file" });
}
