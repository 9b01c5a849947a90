import {
  acknowledge,
  catchUp,
  decide,
  dismiss,
  extend,
  open,
  statusOf,
  statusOfTombstone,
  type StoredCard,
  withdraw,
} from "../../src/approval/index.ts";
import {
  type Decider,
  limits,
  type PermissionOption,
  type PermissionRequest,
  type ResidentWithdrawReason,
} from "../../src/protocol/index.ts";
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
  readonly ifNoHuman?: PermissionRequest["ifNoHuman"];
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
    return this.#looking(now, (humans) => this.#request(resident, command, humans, now));
  }

  #request(
    resident: StoredParticipant,
    command: RequestCommand,
    humans: number,
    now: number,
  ): Handled {
    const { cards, tombstones, presence } = this.#parts;
    const { participantId, name } = resident;
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
        humans: presence.humanPresence(humans),
        times: this.#parts.settings.times,
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
      case "records_full":
        return refuse(refusals.roomFull("records"));
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
        return this.#open(answer.card, command, humans, now);
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
    return this.#rule(human, requestId, now, (card, by) => {
      const { card: ruled, answer } = decide(card, by, optionId, now);
      switch (answer.code) {
        case "decided":
        case "repeated":
          return { ruled };
        case "already_settled":
          return { ruled, refusal: refusals.alreadySettled(answer.settlement) };
        case "option_not_offered":
          return { ruled, refusal: refusals.optionNotOffered() };
      }
    });
  }

  dismiss(human: StoredParticipant, requestId: string, now: number): Handled {
    return this.#rule(human, requestId, now, (card, by) => {
      const { card: ruled, answer } = dismiss(card, by, now);
      return answer.code === "already_settled"
        ? { ruled, refusal: refusals.alreadySettled(answer.settlement) }
        : { ruled };
    });
  }

  /** `seen`: the deadline that the human saw. */
  extend(human: StoredParticipant, requestId: string, seen: number, now: number): Handled {
    return this.#rule(human, requestId, now, (card) => {
      const { card: ruled, answer } = extend(card, seen, now);
      switch (answer.code) {
        case "extended":
        case "unchanged":
          return { ruled };
        case "already_settled":
          return { ruled, refusal: refusals.alreadySettled(answer.settlement) };
        case "not_extendable":
          return { ruled, refusal: refusals.notExtendable() };
      }
    });
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
    const text = this.#parts.bodies.text(requestId);
    return text === undefined ? refusals.requestNotFound() : { answer: "ok", json: text };
  }

  /** A card that the asker may know of: to a resident, another's looks unknown. */
  #find(requestId: string, asker: StoredParticipant): StoredCard | undefined {
    const card = this.#parts.cards.find(requestId);
    const isForeign =
      asker.role === "resident" && card?.resident.participantId !== asker.participantId;
    return isForeign ? undefined : card;
  }

  #open(card: StoredCard, command: RequestCommand, humans: number, now: number): Handled {
    const { bodies, cards, deadlines, settling, sockets, transaction } = this.#parts;
    const { toolCall, optionsText } = command;
    const pending: StoredCard = { ...card, settlement: undefined };
    const change = transaction(() => {
      if (!bodies.makeRoom(toolCall.bytes, limits.ROOM_TOOL_CALL_BYTES)) return undefined;
      cards.insert(pending, optionsText, toolCall);
      bodies.added(toolCall.bytes);
      return settling.store(pending, card, now);
    });
    if (change === undefined) return refuse(refusals.roomFull("tool calls"));
    deadlines.armBy(Math.min(card.expiresAt, card.noHumanAt ?? Infinity), now);
    const shown = cardJson(card, bodies.shown(card.requestId));
    return {
      reply: created(statusOf(change.after, now, humans)),
      announce: () => sockets.toHumans(cardOpenedFrame(shown, now)),
    };
  }

  /** What a human does to a card. */
  #rule(
    human: StoredParticipant,
    requestId: string,
    now: number,
    rule: (card: StoredCard, by: Decider) => { ruled: StoredCard; refusal?: RoomReply },
  ): Handled {
    return this.#looking(now, (humans) => {
      const { settling } = this.#parts;
      const card = this.#find(requestId, human);
      if (card === undefined) return refuse(refusals.requestNotFound());
      const { participantId, name } = human;
      const { ruled, refusal } = rule(card, { participantId, name, role: "human" });
      // The resident first: it holds a waiting agent, and what its socket took is what everyone is told.
      const change = settling.tellResident(this.#store(card, ruled, now), now);
      return {
        reply: refusal ?? ok(statusOf(change.after, now, humans)),
        announce: () => settling.tellHumans(change, now),
      };
    });
  }

  /** An operation that also looks who is here; a change that is found is told last, after the answer and the card. */
  #looking(now: number, operate: (humansPresent: number) => Handled): Handled {
    const { presence } = this.#parts;
    const seen = presence.look(now);
    const { reply, announce } = operate(seen.humans);
    return {
      reply,
      announce: () => {
        announce();
        presence.announceChanges(seen);
      },
    };
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
