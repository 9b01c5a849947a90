import type { ClientClock } from "../../src/client/index.ts";

interface Timer {
  at: number;
  run: () => void;
}

/** Time that moves only when a test says so. */
export class FakeClock implements ClientClock {
  #now = 1_700_000_000_000;
  #timers = new Map<number, Timer>();
  #lastId = 0;
  #watchers: (() => void)[] = [];

  now(): number {
    return this.#now;
  }

  setTimeout(run: () => void, ms: number): unknown {
    this.#lastId += 1;
    this.#timers.set(this.#lastId, { at: this.#now + ms, run });
    this.#tellWatchers();
    return this.#lastId;
  }

  clearTimeout(timer: unknown): void {
    this.#timers.delete(timer as number);
    this.#tellWatchers();
  }

  /** Milliseconds until each running timer is due, soonest first. */
  get running(): number[] {
    return [...this.#timers.values()].map(({ at }) => at - this.#now).sort((a, b) => a - b);
  }

  /** Resolves as soon as `holds` does; looks whenever a timer is set or cleared. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#watchers.push(resolve));
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (let due = this.#due(end); due !== undefined; due = this.#due(end)) {
      const [id, { at, run }] = due;
      this.#now = at;
      this.#timers.delete(id);
      run();
    }
    this.#now = end;
  }

  #due(end: number): [number, Timer] | undefined {
    const due = [...this.#timers].filter(([, { at }]) => at <= end);
    return due.sort(([a, { at: atA }], [b, { at: atB }]) => atA - atB || a - b)[0];
  }

  #tellWatchers(): void {
    for (const tell of this.#watchers.splice(0)) tell();
  }
}
