/** Bytes of the longest line that is looked into. One that is longer could hold a permission request that nobody sees. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

const LF = 0x0a;
const NOTHING = Buffer.alloc(0);

/** Cuts a stream of bytes into lines, each with its own end ("\n" or "\r\n"). */
export class LineSplitter {
  readonly #maxBytes: number;
  /** The unfinished line, at the start of a buffer that grows by doubling: many small chunks cost linear time and space. */
  #open = NOTHING;
  #openBytes = 0;

  constructor(maxBytes = MAX_LINE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Returns the lines that `chunk` finishes. Throws a RangeError for a line that is too long. */
  push(chunk: Buffer): Buffer[] {
    const lines: Buffer[] = [];
    let from = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, from)) {
      lines.push(this.#finish(chunk.subarray(from, end + 1)));
      from = end + 1;
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
    return lines;
  }

  /** Returns what follows the last line end, if anything does. */
  end(): Buffer | undefined {
    return this.#openBytes === 0 ? undefined : this.#take();
  }

  #finish(rest: Buffer): Buffer {
    if (this.#openBytes === 0) {
      this.#check(rest.length);
      return rest;
    }
    this.#keep(rest);
    return this.#take();
  }

  #keep(piece: Buffer): void {
    const bytes = this.#openBytes + piece.length;
    this.#check(bytes);
    if (bytes > this.#open.length) {
      const grown = Buffer.allocUnsafe(Math.max(bytes, this.#open.length * 2));
      this.#open.copy(grown, 0, 0, this.#openBytes);
      this.#open = grown;
    }
    piece.copy(this.#open, this.#openBytes);
    this.#openBytes = bytes;
  }

  #take(): Buffer {
    const line = this.#open.subarray(0, this.#openBytes);
    this.#open = NOTHING;
    this.#openBytes = 0;
    return line;
  }

  #check(bytes: number): void {
    if (bytes <= this.#maxBytes) return;
    throw new RangeError(`A line of more than ${this.#maxBytes} bytes cannot be looked into`);
  }
}
