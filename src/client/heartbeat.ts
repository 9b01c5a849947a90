import { limits } from "../protocol/index.ts";
import type { ClientClock } from "./clock.ts";

/** Pings one connection and notices when its pong stays away. */
export class Heartbeat {
  readonly #clock: ClientClock;
  readonly #sendPing: () => void;
  readonly #onLost: () => void;
  #nextPing: unknown;
  #missingPong: unknown;

  constructor(clock: ClientClock, sendPing: () => void, onLost: () => void) {
    this.#clock = clock;
    this.#sendPing = sendPing;
    this.#onLost = onLost;
  }

  start(): void {
    this.#nextPing = this.#clock.setTimeout(() => this.ping(), limits.PING_INTERVAL_MS);
  }

  /** Pings now; where a pong is awaited already it changes nothing. */
  ping(): void {
    if (this.#missingPong !== undefined) return;
    this.#clock.clearTimeout(this.#nextPing);
    this.start();
    this.#missingPong = this.#clock.setTimeout(() => this.#onLost(), limits.PONG_TIMEOUT_MS);
    this.#sendPing();
  }

  pong(): void {
    this.#clock.clearTimeout(this.#missingPong);
    this.#missingPong = undefined;
  }

  stop(): void {
    this.pong();
    this.#clock.clearTimeout(this.#nextPing);
  }
}
