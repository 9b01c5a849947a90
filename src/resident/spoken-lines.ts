import { RoomRefusal } from "../client/index.ts";
import { limits } from "../protocol/index.ts";
import type { Clock } from "./clock.ts";
import { fittedText } from "./fitted-text.ts";

/** Lines that may wait to be said; of more than these the Room hears how many they were. */
const LINES_WAITING = 20;
/** The Room takes one message a second after a burst. */
const RATE_PAUSE_MS = 1_000;
/** For a message that was lost with its connection; whether it was said is not known, so it is said again, a few times. */
const LOSSES = 3;

interface Line {
  text: string;
  to?: string;
}

interface WaitingLine {
  line: Line;
  /** How often a connection was lost with it. */
  losses: number;
}

export interface SpeechParts {
  /** Resolves when the Room has the message. */
  send(line: Line): Promise<unknown>;
  clock: Clock;
}

/** What a resident says in its Room: one line after the other, at the Room's pace, and never without bound. */
export class SpokenLines {
  readonly #parts: SpeechParts;
  readonly #lines: WaitingLine[] = [];
  #unsaid = 0;
  #isOpen = false;
  #isBusy = false;
  #idle: Promise<void> = Promise.resolve();

  constructor(parts: SpeechParts) {
    this.#parts = parts;
  }

  say(text: string, to?: string): void {
    if (this.#lines.length >= LINES_WAITING) this.#unsaid += 1;
    else {
      const fitted = fittedText(text, limits.MESSAGE_BYTES);
      this.#add({ text: fitted, ...(to === undefined ? {} : { to }) });
    }
    this.#go();
  }

  /** There is a connection: what waits is said. */
  open(): void {
    this.#isOpen = true;
    this.#go();
  }

  /** There is none now. */
  pause(): void {
    this.#isOpen = false;
  }

  /** Resolves when nothing more can be said now. */
  async idle(): Promise<void> {
    await this.#idle;
  }

  #go(): void {
    if (!this.#isBusy) this.#idle = this.#sayAll();
  }

  async #sayAll(): Promise<void> {
    this.#isBusy = true;
    while (this.#isOpen) {
      const next = this.#next();
      if (next === undefined) break;
      const end = await this.#parts.send(next.line).then(
        () => "said" as const,
        (error: unknown) => judge(error),
      );
      if (end === "rate") {
        await new Promise<void>((resolve) => this.#parts.clock.after(RATE_PAUSE_MS, resolve));
        continue;
      }
      // The next connection opens again.
      if (end === "lost") this.#isOpen = false;
      next.losses += 1;
      if (end !== "lost" || next.losses >= LOSSES) this.#lines.shift();
    }
    this.#isBusy = false;
  }

  #add(line: Line): void {
    this.#lines.push({ line, losses: 0 });
  }

  #next(): WaitingLine | undefined {
    if (this.#lines.length === 0 && this.#unsaid > 0) {
      this.#add({ text: `${this.#unsaid} more lines of this kind were left out.` });
      this.#unsaid = 0;
    }
    return this.#lines[0];
  }
}

function judge(error: unknown): "rate" | "refused" | "lost" {
  if (!(error instanceof RoomRefusal)) return "lost";
  return error.code === "rate_limited" ? "rate" : "refused";
}
