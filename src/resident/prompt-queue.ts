/** Prompts that may wait while one runs. */
export const MAX_QUEUED_PROMPTS = 20;

/** Too many prompts wait: this one was not taken. */
export class QueueFull extends Error {
  override readonly name = "QueueFull";

  constructor() {
    super(`Not taken: ${MAX_QUEUED_PROMPTS} prompts are waiting already`);
  }
}

/** The resident was stopped before this prompt had its turn. */
export class QueueClosed extends Error {
  override readonly name = "QueueClosed";

  constructor() {
    super("Not run: the resident was stopped");
  }
}

/** Runs turns one after the other. */
export class PromptQueue {
  readonly #waiting: { begin(): void; drop(): void }[] = [];
  #isBusy = false;
  #isClosed = false;

  async add<T>(run: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new QueueClosed();
    if (this.#isBusy) {
      if (this.#waiting.length >= MAX_QUEUED_PROMPTS) throw new QueueFull();
      await new Promise<void>((resolve, reject) => {
        this.#waiting.push({ begin: resolve, drop: () => reject(new QueueClosed()) });
      });
    }
    this.#isBusy = true;
    try {
      return await run();
    } finally {
      // Handed over without a gap: nobody who comes now may pass those who wait.
      const next = this.#waiting.shift();
      if (next === undefined) this.#isBusy = false;
      else next.begin();
    }
  }

  /** Whoever still waits is turned away; the turn that runs goes on to its end. */
  close(): void {
    this.#isClosed = true;
    for (const waiting of this.#waiting.splice(0)) waiting.drop();
  }
}
