import { limits } from "../protocol/index.ts";

/**
 * How long one question is waited for where the Room is silent, on a monotonic clock: the time to answer and
 * SILENT_ROOM_GRACE_MS. The Room alone judges the deadline.
 */
export class Patience {
  readonly #startedAt = performance.now();
  readonly #over = new AbortController();
  /** When it ends by what the Room said. */
  #endsAt: number | undefined;
  #timer: ReturnType<typeof setTimeout>;

  /** @param answerMs what people are given, as long as the Room has not said */
  constructor(answerMs: number) {
    this.#timer = this.#arm(this.#startedAt + answerMs);
  }

  /** Aborts when it is over. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  get waitedMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** What the Room said last. Deadlines only ever move later, and never beyond what a Room may give. */
  takeRemaining(remainingMs: number): void {
    const endsAt = performance.now() + Math.max(0, remainingMs);
    if (this.#endsAt !== undefined && this.#endsAt >= endsAt) return;
    this.#endsAt = endsAt;
    clearTimeout(this.#timer);
    this.#timer = this.#arm(endsAt);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #arm(endsAt: number): ReturnType<typeof setTimeout> {
    const bounded = Math.min(endsAt, this.#startedAt + limits.EXPIRES_IN_MAX_MS);
    const waitMs = bounded + limits.SILENT_ROOM_GRACE_MS - performance.now();
    return setTimeout(() => this.#over.abort(), waitMs);
  }
}
