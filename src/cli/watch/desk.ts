import type { Card, PermissionOption } from "../../protocol/index.ts";
import { isDurable, refuses } from "./option-words.ts";
import type { WholeToolCall } from "./whole-tool-call.ts";

/** A card that waits for an answer. */
export interface WaitingCard {
  card: Card;
  /** Its tool call as a whole; `loading` until it has come and its hash is right. */
  whole: WholeToolCall | { state: "loading" };
  isLoading?: boolean;
  /** A press is on its way to the Room, or left before the line was cut. */
  press?: "sending" | "unknown" | undefined;
}

/** What a typed choice comes to. `null` is no option: the card is dismissed. */
export type Choice =
  | { type: "send"; entry: WaitingCard; option: PermissionOption | null }
  | { type: "ask_again"; entry: WaitingCard; option: PermissionOption }
  | { type: "no"; why: string };

/**
 * The cards that wait, the one that is shown, and whether what is typed now may answer it: only what is typed after the card, or
 * the question whether one is sure, was put to the person.
 */
export class Desk {
  readonly #cards = new Map<string, WaitingCard>();
  #current: WaitingCard | undefined;
  #isOpen = false;
  #asked: PermissionOption | undefined;

  get current(): WaitingCard | undefined {
    return this.#current;
  }

  /** The option that a person is asked about once more. */
  get asked(): PermissionOption | undefined {
    return this.#asked;
  }

  get waiting(): readonly WaitingCard[] {
    return [...this.#cards.values()];
  }

  find(requestId: string): WaitingCard | undefined {
    return this.#cards.get(requestId);
  }

  add(card: Card): WaitingCard {
    const whole: WaitingCard["whole"] = card.evidence.inline
      ? { state: "here", toolCall: card.toolCall }
      : { state: "loading" };
    const entry: WaitingCard = { card, whole };
    this.#cards.set(card.requestId, entry);
    return entry;
  }

  /** Takes a card away that has ended. @returns whether it was the one that is shown */
  remove(requestId: string): boolean {
    this.#cards.delete(requestId);
    if (this.#current?.card.requestId !== requestId) return false;
    this.#turnTo(undefined);
    return true;
  }

  /** Turns to a neighbour of the shown card, or to the first; undefined where there is no other. */
  turn(step: 1 | -1): WaitingCard | undefined {
    const all = this.waiting;
    const at = all.findIndex((entry) => entry === this.#current);
    const next = all[at < 0 ? 0 : (at + step + all.length) % all.length];
    if (next === undefined || next === this.#current) return undefined;
    this.#turnTo(next);
    return next;
  }

  #turnTo(entry: WaitingCard | undefined): void {
    this.#current = entry;
    this.close();
  }

  /** Something else was typed than a confirmation. */
  forgetAsked(): void {
    this.#asked = undefined;
  }

  /** From now on nothing that is typed answers the card, until `open`. */
  close(): void {
    this.closeForNow();
    this.#asked = undefined;
  }

  /** The same, but what a person is asked about once more stays. */
  closeForNow(): void {
    this.#isOpen = false;
  }

  /** The person has what they need in front of them: what they begin to type now may answer. */
  open(): void {
    this.#isOpen = this.#current !== undefined;
  }

  /** What a typed number comes to. */
  choose(number: number): Choice {
    const ready = this.#ready(String(number));
    if (ready.type === "no") return ready;
    const { entry } = ready;
    const option = entry.card.options[number - 1];
    if (option === undefined) {
      return { type: "no", why: `This card has no option ${number}. Nothing was pressed.` };
    }
    if (!refuses(option) && entry.whole.state !== "here") {
      const why = "Only a refusal can be pressed until the whole request is here and checked.";
      return { type: "no", why };
    }
    if (!isDurable(option) || this.#asked === option) {
      return { type: "send", entry, option };
    }
    this.#isOpen = false;
    this.#asked = option;
    return { type: "ask_again", entry, option };
  }

  /** What `y` comes to: it only repeats the number that was asked about. */
  confirm(): Choice {
    const ready = this.#ready("y");
    if (ready.type === "no") return ready;
    const option = this.#asked;
    if (option === undefined) return { type: "no", why: "There is nothing to confirm." };
    return { type: "send", entry: ready.entry, option };
  }

  /** What `r` comes to. */
  dismiss(): Choice {
    const ready = this.#ready("r");
    return ready.type === "no" ? ready : { type: "send", entry: ready.entry, option: null };
  }

  #ready(typed: string): { type: "ready"; entry: WaitingCard } | { type: "no"; why: string } {
    const entry = this.#current;
    if (entry === undefined) return { type: "no", why: `No card waits. “${typed}” was not used.` };
    if (!this.#isOpen) {
      const why = `“${typed}” was typed before this card was put to you, and was not used for it.`;
      return { type: "no", why };
    }
    if (entry.press === "sending") {
      return { type: "no", why: `A press is on its way. “${typed}” was not used.` };
    }
    if (entry.press === "unknown") {
      return {
        type: "no",
        why: `Whether your press counted is not known yet. “${typed}” was not used.`,
      };
    }
    return { type: "ready", entry };
  }
}
