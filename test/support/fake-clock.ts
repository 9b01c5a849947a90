import type { Clock } from "../../src/resident/clock.ts";

/** A clock that moves only when told to. */
export class FakeClock implements Clock {
  #now = 1_000;
  readonly #timers = new Set<{ at: number; run: () => void }>();

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + ms, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Moves on by `ms` and runs what has become due, in order. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const due = [...this.#timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers.delete(due);
      this.#now = due.at;
      due.run();
    }
    this.#now = until;
  }

  get waiting(): number {
    return this.#timers.size;
  }
}
