import type { RoomApi } from "../client/index.ts";
import type { RequestStatus, RoomView } from "../protocol/index.ts";

/** What a question waits for. */
export interface Waiting {
  humansPresent: number;
  /** Of the people there; empty also where they could not be asked for. Text of others: clean it for a terminal. */
  names: string[];
  /** Until the deadline. */
  remainingMs: number;
}

export type OnWaiting = (waiting: Waiting) => void;

/** Tells a caller what its question waits for, beside the waiting itself: nothing that fails here changes an answer. */
export class WaitingTeller {
  readonly #api: Pick<RoomApi, "room">;
  readonly #onWaiting: OnWaiting | undefined;
  readonly #signal: AbortSignal;
  #isTelling = false;

  /** @param signal aborts when there is nothing to wait for any more */
  constructor(api: Pick<RoomApi, "room">, onWaiting: OnWaiting | undefined, signal: AbortSignal) {
    this.#api = api;
    this.#onWaiting = onWaiting;
    this.#signal = signal;
  }

  tell(status: RequestStatus): void {
    if (this.#onWaiting === undefined || this.#isTelling) return;
    this.#isTelling = true;
    void this.#tell(status, this.#onWaiting)
      // A caller's display that fails is no answer.
      .catch(() => undefined)
      .finally(() => {
        this.#isTelling = false;
      });
  }

  async #tell(
    { humansPresent, expiresAt, serverTime }: RequestStatus,
    onWaiting: OnWaiting,
  ): Promise<void> {
    const heardAt = performance.now();
    const names = await this.#api.room(this.#signal).then(namesOfPresentHumans, () => []);
    if (this.#signal.aborted) return;
    const remainingMs = expiresAt - serverTime - Math.round(performance.now() - heardAt);
    // It may be asynchronous all the same, and reject.
    await onWaiting({ humansPresent, names, remainingMs: Math.max(0, remainingMs) });
  }
}

function namesOfPresentHumans({ participants }: RoomView): string[] {
  return participants.flatMap(({ role, present, name }) =>
    role === "human" && present ? [name] : [],
  );
}
