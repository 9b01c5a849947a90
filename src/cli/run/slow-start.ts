import type { Clock } from "../../resident/clock.ts";

/** After this long, somebody may want to know what is waited for. */
const SLOW_MS = 10_000;

/** What a start waits for, one after the other. */
export type StartStep = "session" | "settings" | "room";

const WORDS: Record<StartStep, string> = {
  session:
    "Still waiting for the agent to open a session. Does this command start an ACP agent on stdio?",
  settings: "Still waiting for the agent to set what --mode and --config chose.",
  room: "Still trying to join the Room. Can its server be reached from here? Ctrl-C gives up.",
};

/** Says what a start waits for, where that takes long. */
export class SlowStart {
  readonly #say: (line: string) => void;
  readonly #clock: Clock;
  #stop: () => void = () => undefined;

  constructor(say: (line: string) => void, clock: Clock) {
    this.#say = say;
    this.#clock = clock;
  }

  /** From now on this is waited for, and what was waited for before is there. */
  waitFor(step: StartStep): void {
    this.#stop();
    this.#stop = this.#clock.after(SLOW_MS, () => this.#say(WORDS[step]));
  }

  /** Nothing is waited for any more. */
  end(): void {
    this.#stop();
  }
}
