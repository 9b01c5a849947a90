import type { RoomApi } from "../client/index.ts";
import { repeat, within } from "./repeat.ts";

/** How long one is repeated: without it the Room shows the answer as sent, not confirmed. */
const ACK_MS = 10_000;

/** Tells the Room what became of its answers, beside whatever is done with them. */
export class Acknowledgements {
  readonly #api: Pick<RoomApi, "ack">;
  readonly #underWay = new Set<Promise<void>>();

  constructor(api: Pick<RoomApi, "ack">) {
    this.#api = api;
  }

  send(requestId: string, applied: boolean): void {
    const sent = within(ACK_MS, (signal) => repeat(() => this.#api.ack(requestId, applied), signal))
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => this.#underWay.delete(sent));
    this.#underWay.add(sent);
  }

  /** Waits at most `ms` for those that are under way. */
  async flush(ms: number): Promise<void> {
    await within(ms, () => Promise.all(this.#underWay));
  }
}
