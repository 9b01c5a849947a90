import { jsonLine } from "../json-line.ts";
import { safeText } from "../safe-text.ts";
import type { Output } from "../surroundings.ts";

/** What the agent says, on stdout. */
export class AgentText {
  readonly #output: Output;
  readonly #options: { quiet?: boolean; json?: boolean };
  #isInLine = false;

  constructor(output: Output, options: { quiet?: boolean; json?: boolean }) {
    this.#output = output;
    this.#options = options;
  }

  write(text: string): void {
    if (text === "" || this.#options.quiet === true) return;
    if (this.#options.json === true) {
      this.#output.write(jsonLine({ type: "text", text }));
      return;
    }
    this.#output.write(safeText(text));
    this.#isInLine = !text.endsWith("\n");
  }

  /** Lets another line begin where the agent's has not ended. */
  endLine(): void {
    if (this.#isInLine) this.#output.write("\n");
    this.#isInLine = false;
  }
}
