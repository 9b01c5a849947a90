/** The agent's questions that have no answer yet, by their JSON-RPC ids. */
export class OpenAsks {
  readonly #open = new Map<string, AbortController>();

  /** One more. Where another is open under that id, it is taken over: `wasOpen`. */
  open(key: string): { takenOver: AbortSignal; wasOpen: boolean } {
    const before = this.#open.get(key);
    const controller = new AbortController();
    this.#open.set(key, controller);
    before?.abort();
    return { takenOver: controller.signal, wasOpen: before !== undefined };
  }

  /** It has its answer. */
  close(takenOver: AbortSignal): void {
    for (const [key, { signal }] of this.#open) if (signal === takenOver) this.#open.delete(key);
  }
}
