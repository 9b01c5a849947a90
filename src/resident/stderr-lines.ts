/** Characters of one line that are handed on; an agent may write any number of them without a line end. */
const LINE_CHARACTERS = 16_384;

/** Cuts what an agent writes to its stderr into lines, each of a length that can be shown. */
export class StderrLines {
  readonly #onLine: (line: string) => void;
  #open = "";
  #left = 0;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(text: string): void {
    const lines = text.split("\n");
    for (const [at, piece] of lines.entries()) {
      this.#keep(piece);
      if (at < lines.length - 1) this.#finish();
    }
  }

  end(): void {
    if (this.#open !== "") this.#finish();
  }

  #keep(piece: string): void {
    const kept = piece.slice(0, LINE_CHARACTERS - this.#open.length);
    this.#open += kept;
    this.#left += piece.length - kept.length;
  }

  #finish(): void {
    const line = this.#open.replace(/\r$/, "");
    this.#onLine(this.#left === 0 ? line : `${line} [${this.#left} characters more]`);
    this.#open = "";
    this.#left = 0;
  }
}
