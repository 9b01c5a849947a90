/** Time as the resident sees it: monotonic, so that a changed wall clock moves no deadline. */
export interface Clock {
  /** Milliseconds since some fixed moment. */
  now(): number;
  /** Calls `run` once after `ms`; the returned function takes that back. */
  after(ms: number, run: () => void): () => void;
}

/** Beyond this, a timer of the platform fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const monotonicClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(ms, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};

/** Settles when `promise` does or after `ms`, whichever comes first; never rejects. */
export function settledWithin(promise: Promise<unknown>, ms: number, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const stopWaiting = clock.after(ms, resolve);
    const settled = () => {
      stopWaiting();
      resolve();
    };
    promise.then(settled, settled);
  });
}
