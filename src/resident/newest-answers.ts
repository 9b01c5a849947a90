/** Answers remembered, to acknowledge a repeated decision with the same value. */
const ANSWERS_REMEMBERED = 1000;

/** The newest answers that an agent was given, and what is to be acknowledged for each. */
export class NewestAnswers {
  readonly #answers = new Map<string, boolean | Promise<boolean>>();

  /** Remembers an answer on its way; `given` resolves to what is to be acknowledged. */
  remember(requestId: string, given: Promise<boolean>): void {
    this.#answers.set(requestId, given);
    const oldest = this.#answers.keys().next();
    if (this.#answers.size > ANSWERS_REMEMBERED && oldest.done !== true) {
      this.#answers.delete(oldest.value);
    }
    void this.#keepResult(requestId, given);
  }

  /** A promise while the answer is on its way to the agent. */
  get(requestId: string): boolean | Promise<boolean> | undefined {
    return this.#answers.get(requestId);
  }

  beingGiven(): string[] {
    return [...this.#answers].flatMap(([id, state]) => (typeof state === "boolean" ? [] : [id]));
  }

  /** Resolves when nothing is on its way any more. */
  async allGiven(): Promise<void> {
    await Promise.all(this.#answers.values());
  }

  async #keepResult(requestId: string, given: Promise<boolean>): Promise<void> {
    const applied = await given;
    if (this.#answers.has(requestId)) this.#answers.set(requestId, applied);
  }
}
