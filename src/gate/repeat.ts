import { isPassing, reconnectDelay, RoomRefusal, RoomUnreachable } from "../client/index.ts";

/** Between two attempts, whatever the jitter says. */
const MIN_PAUSE_MS = 50;

export type Repeated<T> =
  | { kind: "answered"; value: T }
  /** Repeating is no use. */
  | { kind: "refused"; refusal: RoomRefusal }
  | { kind: "stopped" };

/** Repeats a call over network faults and passing refusals until the Room answers or `signal` aborts. */
export async function repeat<T>(call: () => Promise<T>, signal: AbortSignal): Promise<Repeated<T>> {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    let pauseMs = reconnectDelay(attempt, Math.random) + MIN_PAUSE_MS;
    try {
      return { kind: "answered", value: await call() };
    } catch (error) {
      if (signal.aborted) break;
      if (error instanceof RoomRefusal) {
        if (!isPassing(error)) return { kind: "refused", refusal: error };
        pauseMs = Math.max(pauseMs, error.retryAfterMs ?? 0);
      } else if (!(error instanceof RoomUnreachable)) throw error;
    }
    await pause(pauseMs, signal);
  }
  return { kind: "stopped" };
}

/** Resolves after `ms`, or when `signal` aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}

/** Resolves as `run` does, or with undefined after `ms`, which aborts the signal of `run`. */
export async function within<T>(
  ms: number,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const ended = new AbortController();
  const running = run(ended.signal);
  try {
    return await Promise.race([running, pause(ms, ended.signal).then(() => undefined)]);
  } finally {
    ended.abort();
  }
}
