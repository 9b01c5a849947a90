import {
  deliverBy,
  isSettled,
  markSent,
  restoreWaiting,
  type SettledCard,
  type StoredCard,
} from "../../src/approval/index.ts";
import { RESIDENT_WITHDRAW_REASONS } from "../../src/protocol/index.ts";
import {
  cardDeliveryFrame,
  cardExtendedFrame,
  cardSettledFrame,
  decisionFrame,
} from "./card-frames.ts";
import type { CardStore } from "./card-store.ts";
import type { Deadlines } from "./deadlines.ts";
import type { LongPolls } from "./long-polls.ts";
import type { Sockets } from "./sockets.ts";

/** A card as it was and as it is stored now. */
export interface Change {
  readonly before: StoredCard;
  readonly after: StoredCard;
}

/**
 * The critical section. `store` writes what a rule decided; `tellResident` and `tellHumans` announce it. All of it is
 * synchronous and called in one block, so nothing can come between the write and the frames, and the output gate holds the
 * frames until the write is durable.
 */
export class Settling {
  readonly #cards: CardStore;
  readonly #sockets: Sockets;
  readonly #deadlines: Deadlines;
  readonly #longPolls: LongPolls;

  constructor(cards: CardStore, sockets: Sockets, deadlines: Deadlines, longPolls: LongPolls) {
    this.#cards = cards;
    this.#sockets = sockets;
    this.#deadlines = deadlines;
    this.#longPolls = longPolls;
  }

  /**
   * Stores a card's next state. A settlement that is about to be taken by the resident's open socket, or by an HTTP reply to it
   * (`isReplyToResident`), is stored as sent at once: one write for one event.
   */
  store(before: StoredCard, ruled: StoredCard, now: number, isReplyToResident = false): Change {
    if (!isSettled(ruled)) {
      if (isAmended(before, ruled)) {
        mustHold(this.#cards.amend(before, ruled), "a deadline moved twice");
        this.#deadlines.armBy(Math.min(ruled.expiresAt, ruled.noHumanAt ?? Infinity), now);
      }
      return { before, after: ruled };
    }
    const isNew = !isSettled(before);
    const isTaken = isReplyToResident || (isNew && this.#hasSocket(ruled));
    const after = isTaken ? markSent(ruled, now) : ruled;
    if (isNew) {
      mustHold(this.#cards.settle(after), "a card was settled twice");
    } else if (before.delivery.state !== after.delivery.state) {
      mustHold(this.#cards.moveDelivery(before, after), "a delivery moved twice");
    }
    this.#armForDelivery(after, now);
    return { before, after };
  }

  /** Sends a new settlement or deadline to the one resident that asked. */
  tellResident({ before, after }: Change, now: number): Change {
    if (!isSettled(after) && after.expiresAt !== before.expiresAt) {
      const socket = this.#sockets.ofResident(after.resident.participantId);
      if (socket !== undefined) this.#sockets.send(socket, cardExtendedFrame(after, now));
    }
    if (isSettled(before) || !isSettled(after) || isOwnWithdrawal(after)) return { before, after };
    return { before, after: this.sendDecision(after, now) };
  }

  /** Sends a settlement to its resident's open socket; a send that throws leaves it waiting. */
  sendDecision(card: SettledCard, now: number): SettledCard {
    const socket = this.#sockets.ofResident(card.resident.participantId);
    if (socket === undefined) return card;
    if (this.#sockets.send(socket, decisionFrame(card, now))) return card;
    const waiting = restoreWaiting(card);
    if (waiting !== card) this.#cards.moveDelivery(card, waiting);
    this.#armForDelivery(waiting, now);
    return waiting;
  }

  announce(change: Change, now: number): void {
    this.tellHumans(this.tellResident(change, now), now);
  }

  tellHumans({ before, after }: Change, now: number): void {
    if (!isSettled(after)) {
      if (after.expiresAt !== before.expiresAt) {
        this.#sockets.toHumans(cardExtendedFrame(after, now));
      }
      return;
    }
    if (!isSettled(before)) {
      this.#sockets.toHumans(cardSettledFrame(after, now));
      this.#longPolls.wake(after.requestId);
    } else if (before.delivery.state !== after.delivery.state) {
      this.#sockets.toHumans(cardDeliveryFrame(after));
    }
  }

  #armForDelivery(card: SettledCard, now: number): void {
    if (card.delivery.state === "waiting") this.#deadlines.armBy(deliverBy(card), now);
  }

  #hasSocket(card: StoredCard): boolean {
    return this.#sockets.ofResident(card.resident.participantId) !== undefined;
  }
}

function isAmended(before: StoredCard, after: StoredCard): boolean {
  return before.expiresAt !== after.expiresAt || before.noHumanAt !== after.noHumanAt;
}

const OWN_REASONS: ReadonlySet<string> = new Set(RESIDENT_WITHDRAW_REASONS);

/** A resident needs no word of what it did itself. */
function isOwnWithdrawal({ settlement }: SettledCard): boolean {
  return settlement.state === "withdrawn" && OWN_REASONS.has(settlement.reason);
}

function mustHold(condition: boolean, fault: string): void {
  if (!condition) throw new Error(fault);
}
