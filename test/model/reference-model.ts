import type { DeliveryState, Settlement, WithdrawReason } from "../../src/protocol/index.ts";
import { type Answer, type Ask, type CardOp, isHuman, type ModelCard } from "./shapes.ts";
import { newCard, type Op, type Via, type Who } from "./shapes.ts";

const [SECOND, MINUTE, OK] = [1000, 60_000, { code: "ok" } as Answer];
const HUMAN_ONLY = ["decide", "dismiss", "extend", "history", "remove", "close"];
const RESIDENT_ONLY = ["request", "withdraw", "ack", "resume"];

/** protocol.md once more: no sockets, no SQL, and no code of the product. */
export class ReferenceModel {
  now = 0;
  /** Whoever has left is not in here. `seenCards`: how many there were when the newest socket was accepted. */
  people = new Map<Who, { sockets: number; calledAt: number; seenCards: number }>();
  /** In the order of their opening. */
  cards = new Map<string, ModelCard>();
  /** Withdrawals that came before their request. */
  stones = new Map<string, ModelCard>();
  humansHere = false;

  humans(): number {
    return [...this.people].filter(
      ([who, one]) => isHuman(who) && (one.sockets > 0 || one.calledAt > this.now - MINUTE),
    ).length;
  }

  /** When time will next do something to a card: end it, its delivery, or its grace. */
  dueAt({ settlement, delivery, expiresAt, graceEndsAt = Infinity }: ModelCard): number {
    if (settlement === undefined) return Math.min(expiresAt, graceEndsAt);
    return delivery.state === "waiting" ? Math.max(expiresAt, settlement.at + MINUTE) : Infinity;
  }

  /** Does an operation, and says what it is answered. */
  answer(op: Op, via: Via): Answer {
    const { who } = op;
    const you = this.people.get(who);
    if (op.do === "advance") this.now = op.to;
    if (op.do === "evict" && op.cut) for (const one of this.people.values()) one.sockets = 0;
    if (op.do === "alarm") this.#sweep();
    if (op.do === "advance" || op.do === "evict" || op.do === "alarm") return OK;
    if (you === undefined) return { code: "unauthorized" };
    if (HUMAN_ONLY.includes(op.do) && !isHuman(who)) return { code: "human_only" };
    if (RESIDENT_ONLY.includes(op.do) && isHuman(who)) return { code: "resident_only" };
    const isQuiet = you.sockets === 0 && you.calledAt <= this.now - 30 * SECOND;
    if (via === "http" && op.do !== "connect" && isQuiet) you.calledAt = this.now;
    const isShown = op.do === "connect" || op.do === "view" || op.do === "history";
    if (isShown) this.#sweep(isHuman(who) ? undefined : who);
    if (op.do === "connect") {
      you.sockets = isHuman(who) ? you.sockets + 1 : 1;
      you.seenCards = this.cards.size;
      this.humansHere ||= isHuman(who);
    }
    if (op.do === "resume") this.#resume(who, you.seenCards, op.parked, new Map(op.answered));
    if (op.do === "close") this.#giveUp("room_closed");
    const gone = op.do === "leave" ? who : op.do === "remove" ? op.target : undefined;
    if (gone !== undefined && !this.people.has(gone)) return { code: "participant_not_found" };
    const closer = gone ?? (op.do === "disconnect" ? who : "");
    const isSeen = isHuman(closer) && (this.people.get(closer)?.sockets ?? 0) > 0;
    if (op.do === "disconnect") you.sockets -= 1;
    if (op.do === "leave") this.#giveUp("resident_left", who);
    if (op.do === "remove") this.#giveUp("resident_removed", op.target);
    this.people.delete(gone ?? "");
    const isOpen = [...this.people].some(([one, { sockets }]) => isHuman(one) && sockets > 0);
    if (isSeen) this.humansHere &&= isOpen;
    if (op.do === "request") return this.#request(who, op);
    return "requestId" in op ? this.#named(who, op) : OK;
  }

  #request(who: Who, ask: Ask): Answer {
    const { requestId, title, options } = ask;
    const card = this.cards.get(requestId);
    const known = card ?? this.#stone(requestId);
    const isSame =
      JSON.stringify([title, options]) === JSON.stringify([card?.title, card?.options]);
    const isConflict =
      known !== undefined && (known.owner !== who || (card !== undefined && !isSame));
    if (isConflict) return { code: "request_conflict" };
    if (known !== undefined) return this.#on(known, true, () => OK);
    const fresh = newCard(who, ask, this.now);
    this.cards.set(requestId, fresh);
    if (ask.ifNoHuman === "wait" || this.humans() > 0) return { code: "created" };
    if (this.humansHere) fresh.graceEndsAt = this.now + 10 * SECOND;
    else this.#withdraw(fresh, "no_human");
    return { code: "created" };
  }

  #named(who: Who, op: CardOp): Answer {
    const { requestId } = op;
    const card = this.cards.get(requestId);
    if (card !== undefined && (isHuman(who) || card.owner === who)) {
      return this.#on(card, !isHuman(who) && op.do !== "ack", () => this.#rule(card, who, op));
    }
    const stone = this.#stone(requestId) ?? newCard(who, { requestId, expiresInMs: 0 }, this.now);
    const isEarly = op.do === "withdraw" && card === undefined && stone.owner === who;
    if (!isEarly) return { code: "request_not_found" };
    this.stones.set(requestId, stone);
    return this.#withdraw(stone, op.reason);
  }

  /** What one participant does to one card, as time has left it. */
  #rule(card: ModelCard, who: Who, op: CardOp): Answer {
    const { settlement, expiresAt, maxExpiresAt } = card;
    if (op.do === "status") return OK;
    if (op.do === "ack" && settlement === undefined) return { code: "not_settled" };
    if (op.do === "ack") return this.#move(card, "sent", op.applied ? "applied" : "not_applied");
    if (settlement !== undefined) {
      const { state } = settlement;
      const isRepeat =
        (state === "decided" && op.do === "decide" && settlement.option.optionId === op.optionId) ||
        (state === "dismissed" && op.do === "dismiss") ||
        (state === "withdrawn" && op.do === "withdraw" && settlement.reason === op.reason);
      const isOwn = !("by" in settlement) || settlement.by.participantId === who;
      return isRepeat && isOwn ? OK : { code: "already_settled", settlement };
    }
    if (op.do === "extend") {
      if (maxExpiresAt === undefined) return { code: "not_extendable" };
      if (op.seen !== expiresAt) return OK;
      if (expiresAt >= maxExpiresAt) return { code: "not_extendable" };
      card.expiresAt = Math.min(maxExpiresAt, expiresAt + card.each);
      return OK;
    }
    if (op.do === "withdraw") return this.#withdraw(card, op.reason);
    const by = { participantId: who, name: who, role: "human" as const };
    if (op.do === "dismiss") return this.#settle(card, { state: "dismissed", at: this.now, by });
    const option = card.options.find(({ optionId }) => optionId === op.optionId);
    if (option === undefined) return { code: "option_not_offered" };
    return this.#settle(card, { state: "decided", at: this.now, by, option });
  }

  /** Time first, then the rule; then a settlement is sent that the resident's socket, or the reply to it, takes now. */
  #on(card: ModelCard, isReply: boolean, rule: () => Answer): Answer {
    const isNew = card.settlement === undefined;
    if (card.expiresAt <= this.now) this.#settle(card, { state: "expired", at: card.expiresAt });
    const due = this.dueAt(card);
    if (card.settlement && due <= this.now) this.#move(card, "waiting", "not_applied", due);
    const answer = rule();
    const isConnected = (this.people.get(card.owner)?.sockets ?? 0) > 0;
    if (isReply || (isNew && isConnected)) this.#move(card, "waiting", "sent");
    return answer;
  }

  /** Everything that is due; or only one resident's. */
  #sweep(owner?: Who): void {
    for (const card of this.cards.values()) {
      if (this.dueAt(card) > this.now || (owner ?? card.owner) !== card.owner) continue;
      this.#on(card, false, () => {
        if (this.humans() === 0) return this.#withdraw(card, "no_human");
        delete card.graceEndsAt;
        return OK;
      });
    }
  }

  #resume(who: Who, seenCards: number, parked: string[], answered: Map<string, boolean>): void {
    for (const [index, card] of [...this.cards.values()].entries()) {
      const isHeld = parked.includes(card.requestId);
      const applied = answered.get(card.requestId);
      const isOpen = card.settlement === undefined || card.delivery.state === "waiting";
      if (card.owner !== who || (!isHeld && !isOpen && applied === undefined)) continue;
      this.#on(card, isHeld, () => {
        if (applied !== undefined) this.#move(card, "sent", applied ? "applied" : "not_applied");
        if (!isHeld && index < seenCards) this.#withdraw(card, "resident_restarted");
        return isHeld ? OK : this.#move(card, "waiting", "not_applied");
      });
    }
  }

  /** Nobody will be there to hear of it any more. */
  #giveUp(reason: WithdrawReason, owner?: Who): void {
    for (const card of this.cards.values()) {
      if ((owner ?? card.owner) !== card.owner) continue;
      this.#on(card, false, () => {
        this.#withdraw(card, reason);
        return this.#move(card, "waiting", "not_applied");
      });
    }
  }

  #move(card: ModelCard, from: DeliveryState, state: DeliveryState, at = this.now): Answer {
    if (card.delivery.state === from) card.delivery = { state, at };
    return OK;
  }

  #withdraw(card: ModelCard, reason: WithdrawReason): Answer {
    return this.#settle(card, { state: "withdrawn", at: this.now, reason });
  }

  /** The one way in which a card ends: once. */
  #settle(card: ModelCard, settlement: Settlement): Answer {
    const { state, at } = settlement;
    if (card.settlement !== undefined) return OK;
    Object.assign(card, { settlement, graceEndsAt: undefined });
    return this.#move(card, "none", state === "withdrawn" ? "none" : "waiting", at);
  }

  #stone(requestId: string): ModelCard | undefined {
    const stone = this.stones.get(requestId);
    return (stone?.openedAt ?? 0) > this.now - 10 * MINUTE ? stone : undefined;
  }
}
