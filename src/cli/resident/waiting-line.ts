import { describeWaiting, LiveLine } from "../live-line.ts";
import type { Output } from "../surroundings.ts";

interface Sources {
  /** Names of who could answer. */
  people(): readonly string[];
  /** What is asked now. */
  asks(): readonly { remainingMs: number }[];
}

const LOOK_MS = 500;

/** While people are asked something: one live line that says who is there and how long they have. */
export class WaitingLine {
  readonly #line: LiveLine;
  readonly #timer: NodeJS.Timeout | undefined;
  #sources: Sources = { people: () => [], asks: () => [] };
  #isShown = false;

  /** @param isTyped somebody types on the same terminal: what is typed must not be drawn over */
  constructor(
    output: Output,
    { quiet, json }: { quiet?: boolean; json?: boolean },
    isTyped = false,
  ) {
    const plain = { isTTY: false, write: (text: string) => output.write(text) };
    this.#line = new LiveLine(isTyped ? plain : output, () => this.#describe());
    if (quiet === true || json === true) return;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  get people(): readonly string[] {
    return this.#sources.people();
  }

  watch(sources: Partial<Sources>): void {
    this.#sources = { ...this.#sources, ...sources };
  }

  /** Makes way for another line. */
  clear(): void {
    this.#line.stop();
    this.#isShown = false;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.clear();
  }

  #look(): void {
    const isWaiting = this.#sources.asks().length > 0;
    if (isWaiting === this.#isShown) return;
    this.#isShown = isWaiting;
    if (isWaiting) this.#line.start();
    else this.#line.stop();
  }

  #describe(): string {
    const names = this.#sources.people();
    const left = this.#sources.asks().map(({ remainingMs }) => remainingMs);
    const line = describeWaiting({ count: names.length, names }, Math.min(...left));
    return left.length > 1 ? `${line} (${left.length} requests)` : line;
  }
}
