import { limits } from "../protocol/index.ts";
import type { AskedThing } from "./parked-ask.ts";

export interface FinishedCall {
  requestId: string;
  toolKind: string;
}

/** Settled asks of this turn whose tool has not reported its own end yet: that end is another fact than the decision. */
export class UnfinishedCalls {
  readonly #calls = new Map<string, { sessionId: string; toolCallId: string; toolKind: string }>();

  keep(requestId: string, { sessionId, toolCall, toolKind }: AskedThing): void {
    this.#calls.set(requestId, { sessionId, toolCallId: toolCall.toolCallId, toolKind });
    const oldest = this.#calls.keys().next();
    if (this.#calls.size > limits.RESUME_IDS && oldest.done !== true) {
      this.#calls.delete(oldest.value);
    }
  }

  /** Takes out the asks for a call that has ended. */
  finish(sessionId: string, toolCallId: string): FinishedCall[] {
    const finished: FinishedCall[] = [];
    for (const [requestId, call] of this.#calls) {
      if (call.sessionId !== sessionId || call.toolCallId !== toolCallId) continue;
      this.#calls.delete(requestId);
      finished.push({ requestId, toolKind: call.toolKind });
    }
    return finished;
  }

  forget(sessionId: string): void {
    for (const [requestId, call] of this.#calls) {
      if (call.sessionId === sessionId) this.#calls.delete(requestId);
    }
  }
}
