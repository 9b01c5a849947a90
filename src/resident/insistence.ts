import { RoomRefusal, RoomUnreachable, reconnectDelay } from "../client/index.ts";
import type { RequestStatus } from "../protocol/index.ts";
import type { Clock } from "./clock.ts";
import type { Emit } from "./events.ts";
import { judgeRefusal } from "./refusals.ts";
import type { EndReason } from "./reasons.ts";

/** Between two attempts, whatever the jitter says. */
const MIN_PAUSE_MS = 50;
/** A Room that answers only that it takes nothing now is told of when that has lasted this long, or is going to. */
const LONG_REFUSAL_MS = 5_000;

export type Insisted =
  | { kind: "answered"; status: RequestStatus }
  /** Repeating is no use. */
  | { kind: "refused"; reason: EndReason; refusal: RoomRefusal }
  | { kind: "aborted" };

export interface InsistenceParts {
  clock: Clock;
  /** In [0, 1). */
  random: () => number;
  emit: Emit;
  /** A call was told that the Room is gone for this resident. */
  onLost(reason: EndReason): void;
}

/** Repeats calls over network faults and passing refusals, and tells once when the Room cannot be reached and when it can again. */
export class Insistence {
  readonly #parts: InsistenceParts;
  /** Ends every pause before the next attempt. */
  #wake = new AbortController();
  #isUnreachable = false;

  constructor(parts: InsistenceParts) {
    this.#parts = parts;
  }

  /** Calls until the Room answers or `signal` aborts. */
  async repeat(call: () => Promise<RequestStatus>, signal: AbortSignal): Promise<Insisted> {
    const { clock } = this.#parts;
    const startedAt = clock.now();
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      let pauseMs = reconnectDelay(attempt, this.#parts.random) + MIN_PAUSE_MS;
      try {
        const status = await call();
        this.noteReachable();
        return { kind: "answered", status };
      } catch (error) {
        if (signal.aborted) break;
        if (error instanceof RoomUnreachable) this.noteUnreachable(error.status);
        else if (error instanceof RoomRefusal) {
          const judged = judgeRefusal(error);
          if (judged.kind === "lost") this.#parts.onLost(judged.reason);
          if (judged.kind === "final") {
            return { kind: "refused", reason: judged.reason, refusal: error };
          }
          pauseMs = Math.max(error.retryAfterMs ?? 0, pauseMs);
          const lastsMs = clock.now() + pauseMs - startedAt;
          if (lastsMs >= LONG_REFUSAL_MS) this.noteUnreachable(error.status);
        } else throw error;
      }
      await this.#pause(pauseMs, signal);
    }
    return { kind: "aborted" };
  }

  /** The Room can be reached: nobody pauses any longer. */
  hurry(): void {
    this.noteReachable();
    this.#wake.abort();
    this.#wake = new AbortController();
  }

  noteUnreachable(status: number | undefined): void {
    if (this.#isUnreachable) return;
    this.#isUnreachable = true;
    this.#parts.emit({ type: "room_unreachable", status });
  }

  noteReachable(): void {
    if (!this.#isUnreachable) return;
    this.#isUnreachable = false;
    this.#parts.emit({ type: "room_reached" });
  }

  #pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = AbortSignal.any([signal, this.#wake.signal]);
      if (wake.aborted) {
        resolve();
        return;
      }
      const stop = this.#parts.clock.after(ms, resolve);
      wake.addEventListener("abort", () => {
        stop();
        resolve();
      });
    });
  }
}
