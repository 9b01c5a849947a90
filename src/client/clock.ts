/** Time as a client sees it: epoch milliseconds and timers. */
export interface ClientClock {
  now(): number;
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

// Browsers refuse their timer functions as methods of another object, so each is called by its own name.
export const systemClock: ClientClock = {
  now: () => Date.now(),
  setTimeout: (run, ms) => globalThis.setTimeout(run, ms),
  clearTimeout: (timer) => globalThis.clearTimeout(timer as number),
};
