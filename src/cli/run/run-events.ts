import type { ResidentEvent } from "../../resident/events.ts";
import type { Reporter } from "../resident/reporter.ts";

/** Tells what happens at the resident of a run, without what is only the noise of its own end. */
export class RunEvents {
  readonly #reporter: Pick<Reporter, "emit" | "say">;
  readonly #asJson: boolean;
  #isEnding = false;
  #unrunPrompts = 0;

  constructor(reporter: Pick<Reporter, "emit" | "say">, asJson: boolean) {
    this.#reporter = reporter;
    this.#asJson = asJson;
  }

  /** Whether this process ends the agent now. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** From now on, the agent is ended. */
  end(): void {
    this.#isEnding = true;
  }

  readonly emit = (event: ResidentEvent): void => {
    if (event.type === "turn_ended") {
      const { end } = event;
      const neverRan = end.kind === "not_run";
      // A turn that was stopped has not failed.
      if (this.#isEnding && !neverRan) return;
      if (neverRan && end.reason === "stopped" && !this.#asJson) {
        this.#unrunPrompts += 1;
        return;
      }
    }
    this.#reporter.emit(event);
  };

  /** One line for all the prompts that waited in vain. */
  sayUnrunPrompts(): void {
    const count = this.#unrunPrompts;
    if (count === 0) return;
    const which = count === 1 ? "1 prompt that waited" : `${count} prompts that waited`;
    this.#reporter.say(`${which} did not run: this resident is ending.`);
    this.#unrunPrompts = 0;
  }
}
