/** Prompts that may wait while one runs. */
export const MAX_QUEUED_PROMPTS = 20;

/** A prompt that never had its turn: too many waited already, or the resident was stopped first. */
export interface NotRun {
  kind: "not_run";
  reason: "queue_full" | "stopped";
}

/** Runs turns one after the other. */
export class PromptQueue {
  readonly #waiting: ((mayRun: boolean) => void)[] = [];
  #isBusy = false;
  #isClosed = false;

  /** Turns that run or wait. */
  get size(): number {
    return this.#waiting.length + (this.#isBusy ? 1 : 0);
  }

  async add<T>(run: () => Promise<T>): Promise<T | NotRun> {
    if (this.#isClosed) return { kind: "not_run", reason: "stopped" };
    if (this.#isBusy) {
      if (this.#waiting.length >= MAX_QUEUED_PROMPTS) {
        return { kind: "not_run", reason: "queue_full" };
      }
      const mayRun = await new Promise<boolean>((resolve) => this.#waiting.push(resolve));
      if (!mayRun) return { kind: "not_run", reason: "stopped" };
    }
    this.#isBusy = true;
    try {
      return await run();
    } finally {
      // Handed over without a gap: nobody who comes now may pass those who wait.
      const next = this.#waiting.shift();
      if (next === undefined) this.#isBusy = false;
      else next(true);
    }
  }

  /** Whoever still waits is turned away; the turn that runs goes on to its end. */
  close(): void {
    this.#isClosed = true;
    for (const turnAway of this.#waiting.splice(0)) turnAway(false);
  }
}
