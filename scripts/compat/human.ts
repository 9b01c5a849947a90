import { EventEmitter, once } from "node:events";
import { joinRoom, parseInvite, RoomApi, RoomSocket } from "../../src/client/index.ts";
import type { Card, FrameOf } from "../../src/protocol/index.ts";

/** A person in a Room, played over the real client: sees every card once, and presses what it is told to. */
export class Human {
  readonly #socket: RoomSocket;
  readonly #api: RoomApi;
  readonly #events = new EventEmitter().setMaxListeners(0);
  readonly #seen = new Set<string>();
  readonly #pending = new Set<string>();
  readonly #settled = new Map<string, string>();
  readonly #new: Card[] = [];

  /** @param humanUrl as `POST /api/rooms` gives it */
  static async join(server: string, humanUrl: string): Promise<Human> {
    const { invite } = parseInvite(humanUrl) ?? { invite: humanUrl };
    const { token } = await joinRoom({ server }, invite, { name: "A person" });
    const human = new Human(server, token);
    await once(human.#events, "welcome", { signal: AbortSignal.timeout(10_000) });
    return human;
  }

  private constructor(server: string, token: string) {
    this.#api = new RoomApi({ server, token });
    this.#socket = new RoomSocket({
      server,
      token,
      onWelcome: (welcome) => this.#takeWelcome(welcome),
      onFrame: (frame) => {
        if (frame.type === "card_opened") this.#open(frame.card);
        if (frame.type === "card_settled") this.#settle(frame.requestId, frame.settlement.state);
        this.#events.emit("change");
      },
    });
  }

  /** How many cards wait for an answer. */
  get live(): number {
    return this.#pending.size;
  }

  /** How a card ended: the state that it was settled in. */
  endOf(card: Card): string | undefined {
    return this.#settled.get(card.requestId);
  }

  /** The next card that nobody has looked at yet; undefined where `signal` aborts first. */
  async nextCard(signal: AbortSignal): Promise<Card | undefined> {
    await this.until(() => this.#new.length > 0, signal);
    return this.#new.shift();
  }

  /** Waits until something has come true, or `signal` aborts. @returns whether it has */
  async until(isTrue: () => boolean, signal: AbortSignal): Promise<boolean> {
    while (!isTrue() && !signal.aborted) {
      await once(this.#events, "change", { signal }).catch(() => undefined);
    }
    return isTrue();
  }

  /** Presses an option, over HTTP: it is known whether the press counted. @returns whether the Room took it */
  press(card: Card, optionId: string): Promise<boolean> {
    return this.#take(this.#api.decide(card.requestId, optionId));
  }

  dismiss(card: Card): Promise<boolean> {
    return this.#take(this.#api.dismiss(card.requestId));
  }

  /** How many cards wait for an answer, as the Room says when it is asked. */
  async countPending(): Promise<number> {
    return (await this.#api.room()).cards.length;
  }

  leave(): void {
    this.#socket.close();
  }

  async #take(call: Promise<unknown>): Promise<boolean> {
    try {
      await call;
      return true;
    } catch {
      // It had been settled a moment before; how, its settlement tells.
      return false;
    }
  }

  #takeWelcome(welcome: FrameOf<"welcome">): void {
    for (const { requestId, state } of welcome.recent) this.#settle(requestId, state);
    this.#pending.clear();
    for (const card of welcome.cards) this.#open(card);
    this.#events.emit("welcome");
    this.#events.emit("change");
  }

  #open(card: Card): void {
    this.#pending.add(card.requestId);
    if (this.#seen.has(card.requestId)) return;
    this.#seen.add(card.requestId);
    this.#new.push(card);
  }

  #settle(requestId: string, state: string): void {
    this.#pending.delete(requestId);
    this.#settled.set(requestId, state);
  }
}
