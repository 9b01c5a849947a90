import {
  acknowledge,
  catchUp,
  decide,
  open,
  statusOf,
  statusOfTombstone,
  type StoredCard,
  withdraw,
} from "../../src/approval/index.ts";
import type { PermissionOption, ResidentWithdrawReason } from "../../src/protocol/index.ts";
import { cardJson, cardOpenedFrame } from "./card-frames.ts";
import type { NewToolCall } from "./card-store.ts";
import type { StoredParticipant } from "./participant-store.ts";
import * as refusals from "./refusals.ts";
import { created, ok, type RoomReply } from "./reply.ts";
import type { RoomParts } from "./room-parts.ts";
import type { Change } from "./settling.ts";

/** A permission request as the Worker hands it over: checked, hashed and serialised there, because hashing is an `await`. */
export interface RequestCommand {
  readonly requestId: string;
  readonly contentHash: string;
  readonly optionsText: string;
  readonly toolCall: NewToolCall;
  readonly turnId?: string | undefined;
  readonly expiresInMs?: number | undefined;
  readonly maxExpiresInMs?: number | undefined;
}

/** What an operation led to: the answer, which on a socket goes out first, and what everyone else is told then. */
export interface Handled {
  readonly reply: RoomReply;
  readonly announce: () => void;
}

/** Read, rule, write, answer, announce: with no `await` anywhere, so that no other event can come between. */
export class Permissions {
  readonly #parts: RoomParts;

  constructor(parts: RoomParts) {
    this.#parts = parts;
  }

  request(resident: StoredParticipant, command: RequestCommand, now: number): Handled {
    const { cards, tombstones, presence } = this.#parts;
    const { participantId, name } = resident;
    const humans = presence.refresh(now);
    const existing = cards.find(command.requestId);
    const answer = open(
      {
        ...command,
        options: JSON.parse(command.optionsText) as PermissionOption[],
        resident: { participantId, name },
      },
      {
        existing,
        tombstone: tombstones.find(command.requestId, now),
        nextSeq: cards.lastSeq() + 1,
        pendingOfResident: () => cards.countPending(now, participantId),
        pendingInRoom: () => cards.countPending(now),
      },
      now,
    );
    switch (answer.code) {
      case "request_conflict":
        return refuse(refusals.requestConflict());
      case "too_many_pending":
        return refuse(refusals.tooManyPending());
      case "withdrawn_before":
        return {
          reply: ok(statusOfTombstone(answer.tombstone, now, humans)),
          announce: NOTHING,
        };
      case "repeated": {
        const change = this.#store(answer.existing, answer.card, now, true);
        return {
          reply: ok(statusOf(change.after, now, humans, true)),
          announce: () => this.#announce(change, now),
        };
      }
      case "opened":
        return {
          reply: created(statusOf(answer.card, now, humans)),
          announce: this.#open(answer.card, command, now),
        };
    }
  }

  /** What a human or the asking resident may know of a request. A human's look delivers nothing. */
  status(asker: StoredParticipant, requestId: string, now: number): Handled {
    const card = this.#find(requestId, asker);
    if (card === undefined) return refuse(refusals.requestNotFound());
    const change = this.#store(card, catchUp(card, now), now, asker.role === "resident");
    return this.#status(change, now);
  }

  decide(human: StoredParticipant, requestId: string, optionId: string, now: number): Handled {
    const { settling, presence } = this.#parts;
    presence.refresh(now);
    const card = this.#find(requestId, human);
    if (card === undefined) return refuse(refusals.requestNotFound());
    const { participantId, name } = human;
    const { card: ruled, answer } = decide(
      card,
      { participantId, name, role: "human" },
      optionId,
      now,
    );
    // The resident first: it holds a waiting agent, and what its socket took is what everyone is told.
    const change = settling.tellResident(this.#store(card, ruled, now), now);
    const announce = (): void => settling.tellHumans(change, now);
    switch (answer.code) {
      case "decided":
      case "repeated":
        return { reply: this.#status(change, now).reply, announce };
      case "already_settled":
        return { reply: refusals.alreadySettled(answer.settlement), announce };
      case "option_not_offered":
        return { reply: refusals.optionNotOffered(), announce };
    }
  }

  withdraw(
    resident: StoredParticipant,
    requestId: string,
    reason: ResidentWithdrawReason,
    now: number,
  ): Handled {
    const { cards, presence, tombstones } = this.#parts;
    const card = this.#find(requestId, resident);
    if (card === undefined) {
      // It may have overtaken its own request: the id, once withdrawn, must not become a card that nobody holds.
      const known = tombstones.find(requestId, now);
      const { participantId: residentId } = resident;
      if (cards.has(requestId) || (known !== undefined && known.residentId !== residentId)) {
        return refuse(refusals.requestNotFound());
      }
      const tombstone = known ?? { requestId, residentId, reason, at: now };
      if (known === undefined) tombstones.insert(tombstone);
      return {
        reply: ok(statusOfTombstone(tombstone, now, presence.humans(now))),
        announce: NOTHING,
      };
    }
    const { card: ruled, answer } = withdraw(card, reason, now);
    const change = this.#store(card, ruled, now, true);
    if (answer.code !== "already_settled") return this.#status(change, now);
    return {
      reply: refusals.alreadySettled(answer.settlement),
      announce: () => this.#announce(change, now),
    };
  }

  acknowledge(
    resident: StoredParticipant,
    requestId: string,
    applied: boolean,
    now: number,
  ): Handled {
    const card = this.#find(requestId, resident);
    if (card === undefined) return refuse(refusals.requestNotFound());
    const { card: ruled, answer } = acknowledge(card, applied, now);
    if (answer.code === "not_settled") return refuse(refusals.notSettled());
    return this.#status(this.#store(card, ruled, now), now);
  }

  /** The stored bytes of a tool call: exactly those that its hash is of. */
  toolCall(requestId: string): RoomReply {
    const text = this.#parts.cards.toolCallText(requestId);
    return text === undefined ? refusals.requestNotFound() : { answer: "ok", json: text };
  }

  /** A card that the asker may know of: to a resident, another's looks unknown. */
  #find(requestId: string, asker: StoredParticipant): StoredCard | undefined {
    const card = this.#parts.cards.find(requestId);
    const isForeign =
      asker.role === "resident" && card?.resident.participantId !== asker.participantId;
    return isForeign ? undefined : card;
  }

  #open(card: StoredCard, command: RequestCommand, now: number): () => void {
    const { cards, deadlines, sockets } = this.#parts;
    cards.insert(card, command.optionsText, command.toolCall);
    deadlines.armBy(card.expiresAt, now);
    const shown = cardJson(card, cards.toolCall(card.requestId));
    return () => sockets.toHumans(cardOpenedFrame(shown, now));
  }

  #store(before: StoredCard, ruled: StoredCard, now: number, isReplyToResident = false): Change {
    return this.#parts.settling.store(before, ruled, now, isReplyToResident);
  }

  #announce(change: Change, now: number): void {
    this.#parts.settling.announce(change, now);
  }

  #status(change: Change, now: number): Handled {
    return {
      reply: ok(statusOf(change.after, now, this.#parts.presence.humans(now))),
      announce: () => this.#announce(change, now),
    };
  }
}

const NOTHING = (): void => {};

function refuse(reply: RoomReply): Handled {
  return { reply, announce: NOTHING };
}
