import type { PermissionOption, Settlement } from "../../protocol/index.ts";
import type { CardDesk } from "./card-desk.ts";
import type { Choice, WaitingCard } from "./desk.ts";
import { KEYS } from "./keys.ts";
import { optionName } from "./option-words.ts";
import { type FrameSocket, refusedWords, sendFrame } from "./press.ts";
import type { View } from "./screen.ts";
import type { Talk } from "./talk.ts";
import { headline } from "./tool-call-parts.ts";
import { readTyped, type Typed } from "./typed.ts";
import { visibleInLine } from "./visible-lines.ts";

interface Options {
  cards: CardDesk;
  screen: View;
  socket: FrameSocket;
  talk: Talk;
  /** A card has ended; the Room has said so. */
  settled(requestId: string, settlement: Settlement): void;
}

/** What a person types, each line with Enter. */
export class Presses {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  takeLine(line: string): "quit" | undefined {
    const typed = readTyped(line);
    if (typed.type === "quit") return "quit";
    this.#take(typed);
    return undefined;
  }

  #take(typed: Typed): void {
    const { desk } = this.#options.cards;
    if (typed.type === "number") return this.#choose(desk.choose(typed.number));
    if (typed.type === "yes") return this.#choose(desk.confirm());
    desk.forgetAsked();
    switch (typed.type) {
      case "refuse":
        return this.#choose(desk.dismiss());
      case "more_time":
        return void this.#extend();
      case "next":
        return this.#turn(1);
      case "previous":
        return this.#turn(-1);
      case "show":
        if (desk.current === undefined) this.#say("No card waits.");
        return this.#options.cards.show();
      case "help":
        return this.#options.screen.print(KEYS);
      case "say":
        return this.#options.talk.say(typed.text);
      case "to":
        return this.#options.talk.address(typed.name, typed.text);
      case "unknown":
        return this.#say("Not understood, and nothing was pressed. ? for help.");
      default:
    }
  }

  #say(text: string): void {
    this.#options.screen.print([text]);
  }

  #turn(step: 1 | -1): void {
    if (this.#options.cards.desk.turn(step) === undefined) this.#say("No other card waits.");
    else this.#options.cards.show();
  }

  #choose(choice: Choice): void {
    if (choice.type === "no") this.#say(choice.why);
    else if (choice.type === "ask_again") this.#options.cards.openSoon();
    else void this.#press(choice.entry, choice.option);
  }

  async #press(entry: WaitingCard, option: PermissionOption | null): Promise<void> {
    const { card } = entry;
    const { requestId } = card;
    const pressed =
      option === null
        ? "r = dismiss"
        : `${card.options.indexOf(option) + 1} = “${optionName(option)}”`;
    const what = `${pressed} for “${visibleInLine(headline(card.toolCall))}”`;
    this.#say(`${what}: sending …`);
    entry.press = "sending";
    const sent = await sendFrame(
      this.#options.socket,
      option === null
        ? { type: "dismiss", requestId }
        : { type: "decide", requestId, optionId: option.optionId },
    );
    // The card may have ended meanwhile, and the Room's own words have told how.
    entry.press = undefined;
    switch (sent.state) {
      case "accepted":
        if (sent.status?.settlement !== undefined) {
          this.#options.settled(requestId, sent.status.settlement);
        }
        return;
      case "refused":
        this.#say(`${what}: ${refusedWords(sent.error)}`);
        if (sent.error.settlement !== undefined) {
          this.#options.settled(requestId, sent.error.settlement);
        }
        return;
      case "not_sent":
        return this.#say(`${what}: not sent, there is no connection. Press again once it is back.`);
      case "unknown":
        entry.press = "unknown";
        return this.#say(
          `${what}: not known yet. The connection was cut before the Room answered.`,
        );
    }
  }

  async #extend(): Promise<void> {
    const entry = this.#options.cards.desk.current;
    if (entry === undefined) return this.#say("No card waits.");
    const { requestId, expiresAt } = entry.card;
    const sent = await sendFrame(this.#options.socket, { type: "extend", requestId, expiresAt });
    switch (sent.state) {
      case "accepted":
        return;
      case "refused":
        return this.#say(
          sent.error.code === "not_extendable"
            ? "The Room gives this card no more time."
            : `No more time: ${refusedWords(sent.error)}`,
        );
      case "not_sent":
        return this.#say("No more time was asked for: there is no connection.");
      case "unknown":
        return this.#say("Whether there is more time is not known yet: the connection was cut.");
    }
  }
}
