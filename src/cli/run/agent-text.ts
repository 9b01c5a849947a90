import { jsonLine } from "../json-line.ts";
import { safeText } from "../safe-text.ts";
import type { Output } from "../surroundings.ts";

const UNREAD_BYTES = 1024 * 1024;
const LEFT_OUT = "\n[some of what the agent said was left out: nobody read it]\n";

/** What the agent says, on stdout. */
export class AgentText {
  readonly #output: Output;
  readonly #asJson: boolean;
  #isInLine = false;
  #isLeavingOut = false;

  constructor(output: Output, asJson: boolean) {
    this.#output = output;
    this.#asJson = asJson;
  }

  write(text: string): void {
    if (text === "") return;
    // The agent is never held up by whoever reads this, and its words are not kept for them without bound.
    if (this.#output.writableLength > UNREAD_BYTES) {
      if (!this.#isLeavingOut) this.#output.write(LEFT_OUT);
      this.#isLeavingOut = true;
      return;
    }
    this.#isLeavingOut = false;
    if (this.#asJson) {
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
