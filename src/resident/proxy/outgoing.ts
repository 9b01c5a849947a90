/** Lines on their way to one side, written in as few pieces as they came in. */
export class Outgoing {
  readonly #write: (bytes: Buffer) => Promise<void>;
  #lines: Buffer[] = [];
  #written: Promise<void> = Promise.resolve();

  /** `write` keeps the order of its calls; its promise resolves when more can be taken. */
  constructor(write: (bytes: Buffer) => Promise<void>) {
    this.#write = write;
  }

  add(bytes: Buffer): void {
    this.#lines.push(bytes);
  }

  /** Hands over what was added. Resolves when more can be taken. */
  flush(): Promise<void> {
    const [first, ...rest] = this.#lines;
    if (first === undefined) return this.#written;
    const bytes = rest.length === 0 ? first : Buffer.concat(this.#lines);
    this.#lines = [];
    this.#written = this.#write(bytes);
    return this.#written;
  }
}
