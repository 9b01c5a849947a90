import type { RoomApi } from "../../client/index.ts";
import type { Paint } from "../colour.ts";
import { cardLines } from "./card-lines.ts";
import { Desk, type WaitingCard } from "./desk.ts";
import { optionName } from "./option-words.ts";
import type { View } from "./screen.ts";
import { headline } from "./tool-call-parts.ts";
import { visibleInLine } from "./visible-lines.ts";
import { fetchWhole } from "./whole-tool-call.ts";

/** From when a card is shown until a press may answer it: what is under way when it appears was not meant for it. */
const OPENS_AFTER_MS = 500;

interface Options {
  screen: View;
  api: Pick<RoomApi, "toolCall">;
  paint: Paint;
  /** epoch milliseconds by the Room's clock */
  now(): number;
}

/** Puts cards to the person: shows one, and opens it to an answer only then. */
export class CardDesk {
  readonly desk = new Desk();
  readonly #options: Options;
  #opening: NodeJS.Timeout | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Shows the card that it is the turn of, if none is shown. */
  showNextIfIdle(): void {
    if (this.desk.current === undefined && this.desk.turn(1) !== undefined) this.show();
  }

  /** Shows the current card, whole. */
  show(): void {
    const entry = this.desk.current;
    if (entry === undefined) return;
    const { screen, paint, now } = this.#options;
    this.desk.close();
    const look = { columns: screen.columns, paint, now: now() };
    screen.print(cardLines(entry, this.desk.waiting.length, look));
    this.#loadIfNeeded(entry);
    this.openSoon();
  }

  /** Asks for an answer to what has just been printed, and takes none that was begun before. */
  openSoon(): void {
    this.desk.closeForNow();
    clearTimeout(this.#opening);
    this.#tellDiscarded();
    const opening = setTimeout(() => {
      // What was typed meanwhile is read before this runs, even where the whole process had been stopped.
      setImmediate(() => this.#open(opening));
    }, OPENS_AFTER_MS);
    this.#opening = opening;
  }

  stop(): void {
    clearTimeout(this.#opening);
    this.#opening = undefined;
    this.desk.close();
  }

  #open(opening: NodeJS.Timeout): void {
    const entry = this.desk.current;
    // Something newer may have been shown since.
    if (entry === undefined || this.#opening !== opening) return;
    this.#opening = undefined;
    this.#tellDiscarded();
    this.desk.open();
    this.#options.screen.print([this.#question(entry)]);
  }

  #question({ card }: WaitingCard): string {
    const { paint } = this.#options;
    const { asked } = this.desk;
    const name = visibleInLine(headline(card.toolCall));
    if (asked !== undefined) {
      const number = card.options.indexOf(asked) + 1;
      return paint(
        "yellow",
        `${number} = “${optionName(asked)}” for “${name}”. The agent, not the Room, decides what this covers and how long it lasts. Type ${number} again, or y, to press it.`,
      );
    }
    const { length } = card.options;
    const numbers = length === 1 ? "1" : `1 ${length === 2 ? "or" : "to"} ${length}`;
    return paint("cyan", `Your answer to “${name}”? ${numbers}, r dismiss, ? more`);
  }

  #tellDiscarded(): void {
    const typed = this.#options.screen.discardTyped();
    if (typed === "") return;
    this.#options.screen.print([
      `“${visibleInLine(typed)}” was being typed before this was shown, and is not used.`,
    ]);
  }

  /** Loads what the card only summarises; once it is there, the card is shown anew. */
  #loadIfNeeded(entry: WaitingCard): void {
    const { whole } = entry;
    if (whole.state === "here" || entry.isLoading === true) return;
    if (whole.state === "failed" && !whole.mayPass) return;
    entry.isLoading = true;
    void this.#load(entry);
  }

  async #load(entry: WaitingCard): Promise<void> {
    entry.whole = await fetchWhole(this.#options.api, entry.card);
    entry.isLoading = false;
    if (this.desk.current !== entry) return;
    if (entry.whole.state === "here") this.show();
    else
      this.#options.screen.print([`The whole request: ${entry.whole.why}. Allowing stays locked.`]);
  }
}
