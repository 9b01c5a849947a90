import { oneLine } from "./one-line.ts";

const REASON_CHARACTERS = 500;

/** The agent answered a request with an error: its words, told as the agent's. */
export class AgentRefusal extends Error {
  /** JSON-RPC's code of it. */
  readonly code: number;

  constructor(method: string, cause: { code: number; message: string }) {
    const reason = oneLine(cause.message, REASON_CHARACTERS).trim() || "no reason given";
    super(`The agent refused ${method}: ${reason}`, { cause });
    this.code = cause.code;
  }
}
