import { describeTimeLeft } from "./duration.ts";
import { inLine } from "./safe-text.ts";
import type { Output } from "./surroundings.ts";

/** What it needs of a stream. */
type LineOutput = Pick<Output, "isTTY" | "columns"> & { write(text: string): unknown };

const TICK_MS = 1000;
const PLAIN_INTERVAL_MS = 60_000;
const NAMES_SHOWN = 4;

/**
 * One line that tells how a long wait stands: rewritten every second on a terminal; elsewhere printed when the wait begins, and
 * then at most once a minute.
 */
export class LiveLine {
  readonly #output: LineOutput;
  readonly #describe: () => string;
  #timer: NodeJS.Timeout | undefined;

  /** @param describe the line as it is now, safe to print */
  constructor(output: LineOutput, describe: () => string) {
    this.#output = output;
    this.#describe = describe;
  }

  /** Begins, once. Never keeps the process alive. */
  start(): void {
    if (this.#timer !== undefined) return;
    this.#draw();
    const interval = this.#output.isTTY === true ? TICK_MS : PLAIN_INTERVAL_MS;
    this.#timer = setInterval(() => this.#draw(), interval);
    this.#timer.unref();
  }

  /** Something changed that a terminal is to show at once. */
  refresh(): void {
    if (this.#timer !== undefined && this.#output.isTTY === true) this.#draw();
  }

  /** Ends, and leaves a terminal's line empty. */
  stop(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (this.#output.isTTY === true) this.#output.write("\r\u001B[2K");
  }

  #draw(): void {
    const text = this.#describe();
    if (this.#output.isTTY !== true) {
      this.#output.write(`${text}\n`);
      return;
    }
    this.#output.write(`\r\u001B[2K${fitWidth(text, (this.#output.columns ?? 80) - 1)}`);
  }
}

/** A line that wraps could not be rewritten: beyond ASCII every character counts as two cells wide. */
export function fitWidth(text: string, cells: number): string {
  let used = 0;
  let fitted = "";
  for (const character of text) {
    used += character > "\u007F" ? 2 : 1;
    if (used > cells) return fitted;
    fitted += character;
  }
  return fitted;
}

/** Who could answer. `names`: as the Room gives them; empty where it only told how many. */
export interface Present {
  count: number;
  names: readonly string[];
}

/** `Waiting, 4:31 left: Ana and Ben are here`: what a narrow terminal cuts is a name, not the time. */
export function describeWaiting(present: Present, msLeft: number): string {
  const left = msLeft > 0 ? `${describeTimeLeft(msLeft)} left` : "the time is up";
  return `Waiting, ${left}: ${describePresent(present)}`;
}

function describePresent({ count, names }: Present): string {
  const shown = names.slice(0, NAMES_SHOWN).map(inLine);
  const more = names.length - shown.length;
  if (shown.length === 0) {
    if (count === 0) return "nobody is here";
    return count === 1 ? "one person is here" : `${count} people are here`;
  }
  if (more > 0) return `${shown.join(", ")} and ${more} more are here`;
  if (shown.length === 1) return `${shown[0]} is here`;
  return `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)} are here`;
}
