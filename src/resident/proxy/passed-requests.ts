/**
 * The agent's requests that were passed on and that the client has not answered, by their JSON-RPC ids. Nothing else that looks like a
 * client's answer goes back: it would be one to a question that the proxy holds, or never saw.
 */
export class PassedRequests {
  readonly #waiting = new Map<string, number>();

  add(key: string): void {
    this.#waiting.set(key, (this.#waiting.get(key) ?? 0) + 1);
  }

  /** Returns whether the client owes one answer, and counts it as given. */
  take(key: string): boolean {
    const count = this.#waiting.get(key) ?? 0;
    if (count <= 1) this.#waiting.delete(key);
    else this.#waiting.set(key, count - 1);
    return count > 0;
  }

  /** Forgets an id under which the agent asks for permission as well; returns whether the client owed an answer. */
  forget(key: string): boolean {
    return this.#waiting.delete(key);
  }
}
