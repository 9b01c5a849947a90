import { isRecord } from "./json-record.ts";
import { oneLine } from "./one-line.ts";
import { terminalText } from "./terminal-text.ts";

const REASON_CHARACTERS = 500;

/** The agent answered a request with an error: its words, told as the agent's. */
export class AgentRefusal extends Error {
  /** JSON-RPC's code of it, as the agent gave it. */
  readonly code: unknown;

  /** @param cause the error of its response, which may be anything */
  constructor(method: string, cause: unknown) {
    const { message, code } = isRecord(cause) ? cause : {};
    const text = typeof message === "string" ? message : "";
    const reason = terminalText(oneLine(text, REASON_CHARACTERS).trim()) || "no reason given";
    super(`The agent refused ${method}: ${reason}`, { cause });
    this.code = code;
  }
}
