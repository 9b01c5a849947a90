import { limits, type Message, utf8Bytes } from "../protocol/index.ts";
import { MESSAGE_CHARACTERS, type TurnEnd } from "./events.ts";
import { fittedText } from "./fitted-text.ts";
import { oneLine } from "./one-line.ts";
import { MAX_QUEUED_PROMPTS } from "./prompt-queue.ts";

export interface TalkPromptsParts {
  /** Turns that run or wait now. */
  ahead(): number;
  run(text: string, by: string): Promise<TurnEnd>;
  /** Hides in what the agent answers what is not to be read in the Room. */
  redact(text: string): string;
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
    const { ahead, run, redact, say } = this.#parts;
    const waiting = ahead();
    const turn = run(text, from.name);
    if (waiting > 0 && waiting <= MAX_QUEUED_PROMPTS) {
      say(`Your message waits: ${count(waiting, "turn")} before it.`, from.participantId);
    }
    say(replyTo(await turn, redact), from.participantId);
  }
}

function replyTo(end: TurnEnd, redact: (text: string) => string): string {
  switch (end.kind) {
    case "answered": {
      const text = redact(end.text);
      if (end.stopReason === "end_turn" && text !== "") {
        return fittedText(text, limits.MESSAGE_BYTES, end.leftOutBytes);
      }
      const ending = `\nThe agent ended its turn (${redact(oneLine(end.stopReason))}).`;
      const room = limits.MESSAGE_BYTES - utf8Bytes(ending);
      return (fittedText(text, room, end.leftOutBytes) + ending).trim();
    }
    case "failed":
      return redact(`The turn failed: ${oneLine(end.message, MESSAGE_CHARACTERS)}`);
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
