import type { Outcome } from "../protocol/index.ts";

/** The only two things that an agent is ever answered: ACP `RequestPermissionResponse`. */
export interface Answer {
  outcome: Outcome;
}

/** What is wrong with an ask that was in order when it came: the reason with which its signal aborts. */
export class LateFlaw {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** One `session/request_permission` as it came from the agent. */
export interface IncomingAsk {
  /** Raw, never a validated copy. */
  params: unknown;
  /** What in the agent's message could not be kept as it was sent, in words: such an ask is not asked. */
  flaw?: string | undefined;
  /** Aborts when the agent takes its own request back; with a `LateFlaw` where it is refused for what came after it. */
  signal: AbortSignal;
  /** Called exactly once. Resolves when the agent has the answer, rejects when it could not be given. */
  give(answer: Answer): Promise<void>;
}
