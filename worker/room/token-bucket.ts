/** A burst, then a steady rate. Kept in memory: an object that was idle long enough to lose it has a full bucket anyway. */
export class TokenBucket {
  readonly #burst: number;
  readonly #intervalMs: number;
  #tokens: number;
  #filledAt: number | undefined;

  constructor(burst: number, intervalMs: number) {
    this.#burst = burst;
    this.#intervalMs = intervalMs;
    this.#tokens = burst;
  }

  /** Takes one, if there is one. */
  take(now: number): boolean {
    const elapsed = Math.max(0, now - (this.#filledAt ?? now));
    this.#tokens = Math.min(this.#burst, this.#tokens + elapsed / this.#intervalMs);
    this.#filledAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
