import type { FrameOf } from "../protocol/index.ts";
import type { ClientClock } from "./clock.ts";
import { AnswerUnknown, RoomRefusal } from "./errors.ts";

/**
 * How long a frame may stay without its answer. The runtime answers pings while the Room itself may be stuck, so a pong does
 * not bound this wait.
 */
export const ANSWER_TIMEOUT_MS = 15_000;

interface Waiting {
  resolve(accepted: FrameOf<"accepted">): void;
  reject(error: Error): void;
  timer: unknown;
}

/** The frames of one connection that have left and have no answer yet, by `ref`. */
export class Answers {
  readonly #clock: ClientClock;
  readonly #onTimeout: () => void;
  readonly #waiting = new Map<string, Waiting>();

  constructor(clock: ClientClock, onTimeout: () => void) {
    this.#clock = clock;
    this.#onTimeout = onTimeout;
  }

  expect(ref: string): Promise<FrameOf<"accepted">> {
    return new Promise((resolve, reject) => {
      const timer = this.#clock.setTimeout(() => this.#onTimeout(), ANSWER_TIMEOUT_MS);
      this.#waiting.set(ref, { resolve, reject, timer });
    });
  }

  /** Hands an answer to whoever waits for it; false where nobody does. */
  take(answer: FrameOf<"accepted"> | FrameOf<"rejected">): boolean {
    const { ref } = answer;
    const waiting = ref === undefined ? undefined : this.#waiting.get(ref);
    if (ref === undefined || waiting === undefined) return false;
    this.#waiting.delete(ref);
    this.#clock.clearTimeout(waiting.timer);
    if (answer.type === "accepted") waiting.resolve(answer);
    else waiting.reject(new RoomRefusal(answer.error, 0));
    return true;
  }

  /** No answer can come any more. */
  giveUp(): void {
    for (const { reject, timer } of this.#waiting.values()) {
      this.#clock.clearTimeout(timer);
      reject(new AnswerUnknown());
    }
    this.#waiting.clear();
  }
}
