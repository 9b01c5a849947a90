/** A queue whose reader waits for what has not come yet. */
export class Inbox<T> {
  readonly #items: T[] = [];
  readonly #readers: ((item: T) => void)[] = [];

  put(item: T): void {
    const reader = this.#readers.shift();
    if (reader === undefined) this.#items.push(item);
    else reader(item);
  }

  next(): Promise<T> {
    const item = this.#items.shift();
    return item === undefined
      ? new Promise((resolve) => this.#readers.push(resolve))
      : Promise.resolve(item);
  }

  /** Takes what is here already. */
  drain(): T[] {
    return this.#items.splice(0);
  }
}
