/** One turn of the agent: from a prompt to its end. */
export interface Turn {
  turnId: string;
  /** After `session/cancel`: whatever is still asked is answered `cancelled`. */
  cancelling: boolean;
}

/** The turns that run, at most one in each session. */
export class Turns {
  readonly #turns = new Map<string, Turn>();

  get size(): number {
    return this.#turns.size;
  }

  get(sessionId: string): Turn | undefined {
    return this.#turns.get(sessionId);
  }

  start(sessionId: string, turnId: string): void {
    this.#turns.set(sessionId, { turnId, cancelling: false });
  }

  /** Takes the turn out. */
  end(sessionId: string): Turn | undefined {
    const turn = this.#turns.get(sessionId);
    this.#turns.delete(sessionId);
    return turn;
  }
}
