import { type FrameOf, limits, type Message } from "../../src/protocol/index.ts";
import type { StoredParticipant } from "./participant-store.ts";
import type { Handled } from "./permissions.ts";
import * as refusals from "./refusals.ts";
import { ok } from "./reply.ts";
import type { RoomParts } from "./room-parts.ts";
import { TokenBucket } from "./token-bucket.ts";

/** Ordinary messages. Nothing here can reach a card: a "yes" is a word like any other. */
export class Talk {
  readonly #parts: RoomParts;
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(parts: RoomParts) {
    this.#parts = parts;
  }

  say(from: StoredParticipant, text: string, to: string | undefined, now: number): Handled {
    const { messages, participants, settings } = this.#parts;
    const { participantId, name, role } = from;
    const nothing = (): void => {};
    if (to !== undefined && participants.byId(to) === undefined) {
      return { reply: refusals.participantNotFound(), announce: nothing };
    }
    if (settings.hasRateLimits && !this.#bucketOf(participantId).take(now)) {
      return { reply: refusals.rateLimited(), announce: nothing };
    }
    const message: Message = {
      messageId: crypto.randomUUID(),
      from: { participantId, name, role },
      text,
      ...(to === undefined ? {} : { to }),
      at: now,
    };
    messages.insert(message);
    return { reply: ok({}), announce: () => this.#post(message) };
  }

  /** A human's message goes to everyone; a resident's to humans and itself. */
  #post(message: Message): void {
    const { sockets } = this.#parts;
    const frame: FrameOf<"message_posted"> = { type: "message_posted", message };
    const text = JSON.stringify(frame);
    const { participantId, role } = message.from;
    const hearers =
      role === "human" ? sockets.all() : [...sockets.humans(), ...sockets.of(participantId)];
    for (const socket of hearers) sockets.send(socket, text);
  }

  #bucketOf(participantId: string): TokenBucket {
    const known = this.#buckets.get(participantId);
    if (known !== undefined) return known;
    const bucket = new TokenBucket(limits.MESSAGE_BURST, limits.MESSAGE_INTERVAL_MS);
    this.#buckets.set(participantId, bucket);
    return bucket;
  }
}
