/** One turn of the agent: from a prompt to its end. */
export interface Turn {
  turnId: string;
  /** After `session/cancel`: whatever is still asked is answered `cancelled`. */
  cancelling: boolean;
}

/** The turns whose prompt the agent has not answered. A client may send the next prompt of a session before that. */
export class Turns {
  readonly #turns = new Map<string, Turn[]>();

  /** Sessions in which a turn runs. */
  get sessions(): string[] {
    return [...this.#turns.keys()];
  }

  /** The turn that a session asks in: the newest, but one that is being cancelled as long as there is one. */
  get(sessionId: string): Turn | undefined {
    const turns = this.#turns.get(sessionId);
    // Nothing tells which of them asks: what was cancelled must not be allowed as part of another.
    return turns?.find(({ cancelling }) => cancelling) ?? turns?.at(-1);
  }

  start(sessionId: string, turnId: string): void {
    const turn = { turnId, cancelling: false };
    this.#turns.set(sessionId, [...(this.#turns.get(sessionId) ?? []), turn]);
  }

  /** Marks every turn that runs in a session. */
  cancel(sessionId: string): void {
    for (const turn of this.#turns.get(sessionId) ?? []) turn.cancelling = true;
  }

  /** Takes a turn out: the oldest where none is named. */
  end(sessionId: string, turnId?: string): Turn | undefined {
    const turns = this.#turns.get(sessionId) ?? [];
    const ended = turns.find((turn) => turnId === undefined || turn.turnId === turnId);
    const left = turns.filter((turn) => turn !== ended);
    if (left.length === 0) this.#turns.delete(sessionId);
    else this.#turns.set(sessionId, left);
    return ended;
  }
}
