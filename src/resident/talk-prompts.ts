import type { Message } from "../protocol/index.ts";
import { MAX_QUEUED_PROMPTS } from "./prompt-queue.ts";
import type { TurnEnd } from "./events.ts";

export interface TalkPromptsParts {
  /** Turns that run or wait now. */
  ahead(): number;
  run(text: string, by: string): Promise<TurnEnd>;
  /** Says something in the Room to one participant. */
  say(text: string, to: string): void;
}

/** Prompts that a human addresses to this agent in the Room. Each is answered there, whatever becomes of it. */
export class TalkPrompts {
  readonly #parts: TalkPromptsParts;

  constructor(parts: TalkPromptsParts) {
    this.#parts = parts;
  }

  /** Never throws; `to` is attention, so everybody in the Room reads the reply. */
  async take({ text, from }: Message): Promise<void> {
    const { ahead, run, say } = this.#parts;
    const waiting = ahead();
    const turn = run(text, from.name);
    if (waiting > 0 && waiting <= MAX_QUEUED_PROMPTS) {
      say(`Your message waits: ${count(waiting, "turn")} before it.`, from.participantId);
    }
    say(replyTo(await turn), from.participantId);
  }
}

function replyTo(end: TurnEnd): string {
  switch (end.kind) {
    case "answered": {
      if (end.stopReason === "end_turn" && end.text !== "") return end.text;
      return `${end.text}\nThe agent ended its turn (${end.stopReason}).`.trim();
    }
    case "failed":
      return `The turn failed: ${end.message}`;
    case "not_run":
      return NOT_RUN[end.reason];
  }
}

const NOT_RUN = {
  queue_full: `Not taken: ${MAX_QUEUED_PROMPTS} messages wait already. Send it again when one is done.`,
  stopped: "Not taken: this resident is ending.",
};

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
