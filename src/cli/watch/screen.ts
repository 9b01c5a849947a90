import {
  createInterface,
  clearScreenDown,
  cursorTo,
  moveCursor,
  type Interface,
} from "node:readline";
import type { Input, Output } from "../surroundings.ts";

export interface ScreenEvents {
  onLine(line: string): void;
  /** No more input comes. `wasTerminal`: the person closed it (Ctrl-D). */
  onEnd(wasTerminal: boolean): void;
  /** Ctrl-C on a terminal. */
  onInterrupt(): void;
}

/** What a view needs of a screen. */
export type View = Pick<Screen, "print" | "discardTyped" | "ring" | "columns">;

/** Lines that scroll by, above what the person is typing. */
export class Screen {
  readonly #output: Output;
  readonly #lines: Interface;
  readonly #isTerminal: boolean;

  constructor(input: Input, output: Output, events: ScreenEvents) {
    this.#output = output;
    this.#isTerminal = input.isTTY === true && output.isTTY === true;
    this.#lines = createInterface({
      input,
      ...(this.#isTerminal ? { output } : {}),
      terminal: this.#isTerminal,
      // An arrow key must not bring an earlier answer back.
      historySize: 0,
      prompt: "> ",
    });
    this.#lines.on("line", (line) => events.onLine(line));
    this.#lines.on("close", () => events.onEnd(this.#isTerminal));
    this.#lines.on("SIGINT", () => events.onInterrupt());
  }

  /** of the terminal; Infinity for none */
  get columns(): number {
    return this.#output.isTTY === true ? (this.#output.columns ?? 80) : Infinity;
  }

  /** Prints lines that are safe already. What is being typed stays below them. */
  print(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const text = `${lines.join("\n")}\n`;
    if (!this.#isTerminal) {
      this.#output.write(text);
      return;
    }
    moveCursor(this.#output, 0, -this.#lines.getCursorPos().rows);
    cursorTo(this.#output, 0);
    clearScreenDown(this.#output);
    this.#output.write(text);
    this.#lines.prompt(true);
  }

  /** Forgets what is being typed, and gives it back: it was begun before something new was shown. */
  discardTyped(): string {
    const typed = this.#isTerminal ? this.#lines.line : "";
    if (typed === "") return "";
    this.#lines.write(null, { ctrl: true, name: "e" });
    this.#lines.write(null, { ctrl: true, name: "u" });
    return typed;
  }

  ring(): void {
    if (this.#isTerminal) this.#output.write("\u0007");
  }

  close(): void {
    this.#lines.removeAllListeners("close");
    this.#lines.close();
  }
}
