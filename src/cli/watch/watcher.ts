import { type RoomApi, RoomRefusal, type ConnectionState } from "../../client/index.ts";
import type { Card, FrameOf, RoomFrame, Settlement } from "../../protocol/index.ts";
import type { Paint } from "../colour.ts";
import { describeTimeLeft } from "../duration.ts";
import { inLine } from "../safe-text.ts";
import { CardDesk } from "./card-desk.ts";
import type { WaitingCard } from "./desk.ts";
import { People } from "./people.ts";
import type { FrameSocket } from "./press.ts";
import { Presses } from "./presses.ts";
import type { View } from "./screen.ts";
import { clockTime, deliveryWords, residentName, settledWords } from "./settled-words.ts";
import { Talk } from "./talk.ts";
import { headline } from "./tool-call-parts.ts";
import { visibleInLine, visibleLines } from "./visible-lines.ts";

/** Settled cards whose delivery is still told. */
const FOLLOWED = 50;

export interface WatcherOptions {
  screen: View;
  api: RoomApi;
  socket: FrameSocket;
  paint: Paint;
}

/** One person's view of the Room: what it says becomes lines, and what the person types becomes frames. */
export class Watcher {
  readonly #screen: View;
  readonly #api: RoomApi;
  readonly #paint: Paint;
  readonly #people = new People();
  readonly #cards: CardDesk;
  readonly #presses: Presses;
  /** What was settled lately is called, by its id. */
  readonly #followed = new Map<string, string>();
  #clockOffset = 0;
  #isCutOff = false;
  #youId: string | undefined;

  constructor({ screen, api, socket, paint }: WatcherOptions) {
    this.#screen = screen;
    this.#api = api;
    this.#paint = paint;
    this.#cards = new CardDesk({ screen, api, paint, now: () => Date.now() + this.#clockOffset });
    this.#presses = new Presses({
      cards: this.#cards,
      screen,
      socket,
      talk: new Talk({
        screen,
        socket,
        others: () => this.#people.present.filter((one) => one.participantId !== this.#youId),
      }),
      settled: (requestId, settlement) => this.#settle(requestId, settlement),
    });
  }

  takeLine(line: string): "quit" | undefined {
    return this.#presses.takeLine(line);
  }

  stop(): void {
    this.#cards.stop();
  }

  takeWelcome(welcome: FrameOf<"welcome">): void {
    const isFirst = this.#youId === undefined;
    this.#clockOffset = welcome.serverTime - Date.now();
    this.#youId = welcome.you.participantId;
    this.#isCutOff = false;
    this.#people.replace(welcome.participants);
    const where = isFirst
      ? `You are ${inLine(welcome.you.name)} in “${inLine(welcome.room.name)}”.`
      : "Connected again.";
    this.#screen.print([`${where} ${this.#people.describe()}`]);
    this.#compare(welcome);
    for (const card of welcome.cards) this.#open(card);
    if (isFirst && welcome.cards.length === 0) this.#screen.print(["Nothing waits. ? for help."]);
    if (this.#cards.desk.current === undefined) this.#cards.showNextIfIdle();
    else this.#cards.openSoon();
  }

  takeFrame(frame: RoomFrame): void {
    switch (frame.type) {
      case "card_opened":
        this.#open(frame.card);
        this.#cards.showNextIfIdle();
        return;
      case "card_settled":
        return this.#settle(frame.requestId, frame.settlement, frame.delivery.state);
      case "card_extended":
        return this.#extend(frame);
      case "card_delivery":
        return this.#tellDelivery(frame);
      case "participant_changed":
        if (!this.#people.change(frame.participant)) return;
        return this.#screen.print([
          `${inLine(frame.participant.name)} ${frame.participant.present ? "is here" : "is gone"}.`,
        ]);
      case "message_posted": {
        const { from, to, text } = frame.message;
        const toWhom =
          to === undefined ? "" : ` to ${this.#people.nameOf(to) ?? "somebody who is gone"}`;
        const role = from.role === "resident" ? " (agent)" : "";
        return this.#screen.print([
          `${inLine(from.name)}${role} says${toWhom}, which answers no card:`,
          ...visibleLines(text, this.#screen.columns),
        ]);
      }
    }
  }

  takeState(connection: ConnectionState): void {
    if (connection.state === "waiting" && !this.#isCutOff) {
      this.#isCutOff = true;
      this.#screen.print([
        this.#paint("yellow", "Connection lost. Nothing can be pressed; trying again …"),
      ]);
    }
  }

  #open(card: Card): void {
    const { desk } = this.#cards;
    const known = desk.find(card.requestId);
    if (known !== undefined) {
      known.card = { ...known.card, expiresAt: card.expiresAt };
      return;
    }
    const isOther = desk.current !== undefined;
    desk.add(card);
    this.#screen.ring();
    if (isOther) {
      const name = visibleInLine(headline(card.toolCall));
      this.#screen.print([`${residentName(card)} asks too: “${name}”. n shows the next card.`]);
    }
  }

  #extend({ requestId, expiresAt }: FrameOf<"card_extended">): void {
    const entry = this.#cards.desk.find(requestId);
    if (entry === undefined || entry.card.expiresAt === expiresAt) return;
    entry.card = { ...entry.card, expiresAt };
    const left = describeTimeLeft(expiresAt - Date.now() - this.#clockOffset);
    this.#screen.print([
      `“${nameOf(entry)}” has until ${clockTime(expiresAt)} now (${left} left).`,
    ]);
  }

  #settle(requestId: string, settlement: Settlement, delivery?: Card["delivery"]["state"]): void {
    const { desk } = this.#cards;
    const entry = desk.find(requestId);
    if (entry === undefined) return;
    desk.remove(requestId);
    const how = delivery === undefined ? undefined : deliveryWords(delivery);
    const said = settledWords(settlement, this.#youId);
    this.#follow(requestId, nameOf(entry));
    this.#screen.print([
      this.#paint("bold", `“${nameOf(entry)}”: ${said}.${how === undefined ? "" : ` ${how}.`}`),
    ]);
    this.#cards.showNextIfIdle();
  }

  #follow(requestId: string, name: string): void {
    this.#followed.set(requestId, name);
    const [oldest] = this.#followed.keys();
    if (this.#followed.size > FOLLOWED && oldest !== undefined) this.#followed.delete(oldest);
  }

  #tellDelivery({ requestId, delivery }: FrameOf<"card_delivery">): void {
    const name = this.#followed.get(requestId);
    const words = deliveryWords(delivery.state);
    if (name !== undefined && words !== undefined) this.#screen.print([`“${name}”: ${words}.`]);
  }

  /** After a cut line: what became of the cards that were held, and of presses whose answer was lost. */
  #compare(welcome: FrameOf<"welcome">): void {
    const pending = new Set(welcome.cards.map((card) => card.requestId));
    const recent = new Map(welcome.recent.map((card) => [card.requestId, card]));
    for (const entry of this.#cards.desk.waiting) {
      const { requestId } = entry.card;
      const ended = recent.get(requestId);
      if (pending.has(requestId)) this.#tellNotArrived(entry);
      else if (ended?.settlement !== undefined) {
        this.#settle(requestId, ended.settlement, ended.delivery.state);
      } else void this.#check(requestId);
    }
  }

  #tellNotArrived(entry: WaitingCard): void {
    if (entry.press === undefined) return;
    entry.press = undefined;
    this.#screen.print([
      `Your press for “${nameOf(entry)}” did not reach the Room. It can be pressed again.`,
    ]);
  }

  async #check(requestId: string): Promise<void> {
    try {
      const { settlement, delivery } = await this.#api.status(requestId);
      if (settlement !== undefined) this.#settle(requestId, settlement, delivery.state);
    } catch (error) {
      if (!(error instanceof RoomRefusal) || error.status !== 404) return;
      const entry = this.#cards.desk.find(requestId);
      if (entry === undefined) return;
      this.#cards.desk.remove(requestId);
      this.#screen.print([`The Room does not know “${nameOf(entry)}” any more.`]);
      this.#cards.showNextIfIdle();
    }
  }
}

function nameOf({ card }: WaitingCard): string {
  return visibleInLine(headline(card.toolCall));
}
