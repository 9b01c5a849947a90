import { reconnectDelay, RoomUnreachable } from "../../client/index.ts";
import type { KeptPlace } from "../../resident/kept-place.ts";
import { inWords } from "../failure.ts";

/** How long joining is tried while the Room gives no answer. */
const JOIN_FOR_MS = 30_000;

/**
 * Joins, over faults of the network that pass, and returns the participant token.
 * @throws CommandFailure where the Room does not take it or cannot be reached
 */
export async function joinInTime(
  place: KeptPlace,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<string> {
  const giveUpAt = performance.now() + JOIN_FOR_MS;
  for (let attempt = 0; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await place.join(signal);
    } catch (error) {
      signal.throwIfAborted();
      const passes = error instanceof RoomUnreachable && performance.now() < giveUpAt;
      if (!passes) throw inWords(error, "The Room was not joined, and nothing ran.", place.server);
      if (attempt === 0) say(`Room unreachable (${error.status ?? "no answer"}). Trying again.`);
      await pause(reconnectDelay(attempt, Math.random), signal);
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
