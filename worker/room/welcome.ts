import type { StoredCard } from "../../src/approval/index.ts";
import { limits, PROTOCOL_VERSION, type RoomView } from "../../src/protocol/index.ts";
import { logFault } from "../log.ts";
import { cardJson } from "./card-frames.ts";
import type { StoredParticipant } from "./participant-store.ts";
import type { RoomParts } from "./room-parts.ts";

/**
 * The Room as one participant may see it, as the JSON of a `RoomView`. Whoever calls it has settled what is due, so that nothing
 * due is shown as pending.
 */
export function roomViewJson(parts: RoomParts, you: StoredParticipant, now: number): string {
  const isHuman = you.role === "human";
  const { roomId, name } = parts.room.get();
  const present = parts.presence.now(now);
  const rest: Omit<RoomView, "cards" | "recent"> = {
    protocol: PROTOCOL_VERSION,
    serverTime: now,
    you,
    room: { roomId, name },
    participants: parts.participants
      .all()
      .map((one) => ({ ...one, present: present.has(one.participantId) })),
    messages: parts.messages.for(you),
    limits: SHOWN_LIMITS,
  };
  const shown = new ShownCards(parts);
  const cards = isHuman ? parts.cards.pending() : parts.cards.pendingOf(you.participantId);
  const pending = shown.json(cards);
  const recent = shown.json(isHuman ? parts.cards.recent() : []);
  return `${JSON.stringify(rest).slice(0, -1)},"cards":${pending},"recent":${recent}}`;
}

export function welcomeFrame(viewJson: string): string {
  return `{"type":"welcome",${viewJson.slice(1)}`;
}

/** Cards of one welcome: whole until WELCOME_TOOL_CALL_BYTES are used up, by reference from there on. */
class ShownCards {
  readonly #parts: RoomParts;
  #left: number = limits.WELCOME_TOOL_CALL_BYTES;

  constructor(parts: RoomParts) {
    this.#parts = parts;
  }

  json(cards: readonly StoredCard[]): string {
    const texts: string[] = [];
    for (const card of cards) {
      try {
        texts.push(this.#text(card));
      } catch (error) {
        // As in the store: one unreadable row must not close the Room to everybody.
        logFault("card_unreadable", error, { requestId: card.requestId });
      }
    }
    return `[${texts.join(",")}]`;
  }

  #text(card: StoredCard): string {
    const toolCall = this.#parts.bodies.shown(card.requestId);
    const inlineLimit = Math.min(limits.INLINE_TOOL_CALL_BYTES, this.#left);
    if (toolCall.bytes <= inlineLimit) this.#left -= toolCall.bytes;
    return cardJson(card, toolCall, inlineLimit);
  }
}

const SHOWN_LIMITS: RoomView["limits"] = {
  bodyBytes: limits.BODY_BYTES,
  frameBytes: limits.FRAME_BYTES,
  toolCallBytes: limits.TOOL_CALL_BYTES,
  messageBytes: limits.MESSAGE_BYTES,
  expiresInMs: {
    default: limits.EXPIRES_IN_DEFAULT_MS,
    min: limits.EXPIRES_IN_MIN_MS,
    max: limits.EXPIRES_IN_MAX_MS,
  },
  pendingPerResident: limits.PENDING_PER_RESIDENT,
};
