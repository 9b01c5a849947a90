import {
  CLOSE,
  type HumanFrame,
  limits,
  type ResidentFrame,
  utf8Bytes,
} from "../../src/protocol/index.ts";
import { log, logFault } from "../log.ts";
import { commandOf } from "../request-content.ts";
import { FrameLimit } from "./frame-limit.ts";
import { type IncomingFrame, readFrame } from "./incoming-frame.ts";
import type { StoredParticipant } from "./participant-store.ts";
import type { Handled, Permissions, RequestCommand } from "./permissions.ts";
import * as refusals from "./refusals.ts";
import { isRefusal, type RoomReply } from "./reply.ts";
import { resumeResident } from "./resuming.ts";
import type { RoomParts } from "./room-parts.ts";
import type { SocketIdentity } from "./sockets.ts";
import type { Talk } from "./talk.ts";

/** A frame that is handled in the block that reads it; a `request` is hashed first, and read again then. */
type Frame = Exclude<HumanFrame | ResidentFrame, { type: "request" }>;
/** What an answer repeats of the frame that it answers. */
type Asked = { ref: string | undefined; requestId?: string | undefined };

/** What participants say over their sockets. Every frame gets one answer, before any frame that it causes on the same socket. */
export class Conversation {
  readonly #parts: RoomParts;
  readonly #permissions: Permissions;
  readonly #talk: Talk;
  readonly #limits = new WeakMap<WebSocket, FrameLimit>();

  constructor(parts: RoomParts, permissions: Permissions, talk: Talk) {
    this.#parts = parts;
    this.#permissions = permissions;
    this.#talk = talk;
  }

  /** @returns a promise only for a frame that has to be hashed first. */
  receive(
    socket: WebSocket,
    message: string | ArrayBuffer,
    now: number,
  ): Promise<void> | undefined {
    const { sockets } = this.#parts;
    sockets.noteFrame(socket, now);
    const speaker = this.#speaker(socket);
    if (speaker === undefined) return undefined;
    if (speaker.identity.isGone) {
      this.#hearLastWords(speaker, message, now);
    } else if (typeof message !== "string") {
      const incoming: IncomingFrame = { ok: false, ref: undefined, reply: refusals.binaryFrame() };
      return this.#hear(socket, speaker, incoming, now);
    } else if (utf8Bytes(message) > limits.FRAME_BYTES) {
      sockets.dismiss(socket, CLOSE.frameTooLarge, "frame too large: use POST");
    } else {
      return this.#hear(socket, speaker, readFrame(message, speaker.participant.role), now);
    }
    return undefined;
  }

  #hear(
    socket: WebSocket,
    speaker: Speaker,
    incoming: IncomingFrame,
    now: number,
  ): Promise<void> | undefined {
    const { ref } = incoming;
    if (!this.#isWithinLimit(socket, incoming, now)) return undefined;
    if (!incoming.ok) {
      const { participantId, role } = speaker.participant;
      log("frame_refused", { participantId, role, code: incoming.reply.answer });
      this.#answer(socket, { ref }, incoming.reply);
      return undefined;
    }
    const { frame } = incoming;
    if (frame.type === "request") {
      return this.#hash(socket, { ref, requestId: frame.requestId }, frame);
    }
    const requestId = "requestId" in frame ? frame.requestId : undefined;
    this.#respond(socket, { ref, requestId }, () => this.#handle(speaker, frame, now));
    return undefined;
  }

  /** Other events come in while a request is hashed: who speaks is read again in the block that handles it. */
  async #hash(
    socket: WebSocket,
    asked: Asked,
    frame: Extract<ResidentFrame, { type: "request" }>,
  ): Promise<void> {
    const content = await commandOf(frame);
    // Before anything is read: a Room that has ended has nothing to read any more.
    if (this.#parts.sockets.identity(socket)?.isGone) return;
    const speaker = this.#speaker(socket);
    if (speaker === undefined) return;
    if (!content.ok) {
      this.#answer(socket, asked, content.reply);
      return;
    }
    const command: RequestCommand = content.command;
    this.#respond(socket, asked, () =>
      this.#permissions.request(speaker.participant, command, Date.now()),
    );
  }

  /** Handles, answers, announces: in this order, in one block. */
  #respond(socket: WebSocket, asked: Asked, handle: () => Handled): void {
    let handled: Handled;
    try {
      handled = handle();
    } catch (error) {
      logFault("frame_failed", error);
      this.#answer(socket, asked, refusals.internal());
      return;
    }
    this.#answer(socket, asked, handled.reply);
    handled.announce();
  }

  /** A replaced or closed socket: what it still confirms counts, everything else is ignored, and nothing is answered. */
  #hearLastWords(speaker: Speaker, message: string | ArrayBuffer, now: number): void {
    // One that was sent away has nothing to say any more.
    if (SENT_AWAY.has(speaker.identity.goneWith ?? 0)) return;
    if (typeof message !== "string" || utf8Bytes(message) > limits.FRAME_BYTES) return;
    const incoming = readFrame(message, speaker.participant.role);
    if (!incoming.ok || incoming.frame.type !== "decision_ack") return;
    try {
      this.#handle(speaker, incoming.frame, now).announce();
    } catch (error) {
      logFault("frame_failed", error);
    }
  }

  #handle({ participant, identity }: Speaker, frame: Frame, now: number): Handled {
    switch (frame.type) {
      case "decide":
        return this.#permissions.decide(participant, frame.requestId, frame.optionId, now);
      case "dismiss":
        return this.#permissions.dismiss(participant, frame.requestId, now);
      case "extend":
        return this.#permissions.extend(participant, frame.requestId, frame.expiresAt, now);
      case "say":
        return this.#talk.say(participant, frame.text, frame.to, now);
      case "decision_ack":
        return this.#permissions.acknowledge(participant, frame.requestId, frame.applied, now);
      case "withdraw":
        return this.#permissions.withdraw(participant, frame.requestId, frame.reason, now);
      case "resume": {
        const held = {
          parked: new Set(frame.parked),
          answered: new Map(frame.answered.map((one) => [one.requestId, one.applied])),
          lastSeqBefore: identity.lastSeqBefore,
        };
        return resumeResident(this.#parts, participant.participantId, held, now);
      }
    }
  }

  /** Who a socket speaks for. The role is the stored row's, read again for every frame: a frame's own word for it is never looked at. */
  #speaker(socket: WebSocket): Speaker | undefined {
    const { sockets, participants } = this.#parts;
    const identity = sockets.identity(socket);
    if (identity === undefined) return undefined;
    const participant = participants.byId(identity.participantId);
    if (participant !== undefined) return { identity, participant };
    sockets.dismiss(socket, CLOSE.unauthorized, "this credential is no longer valid");
    return undefined;
  }

  /** Acknowledgements and withdrawals are never held up: they only ever make things safer. */
  #isWithinLimit(socket: WebSocket, incoming: IncomingFrame, now: number): boolean {
    if (!this.#parts.settings.hasRateLimits) return true;
    if (incoming.ok && UNCOUNTED.has(incoming.frame.type)) return true;
    const limit = this.#limits.get(socket) ?? new FrameLimit();
    this.#limits.set(socket, limit);
    const verdict = limit.take(now);
    if (verdict === "ok") return true;
    if (verdict === "abuse") {
      this.#parts.sockets.dismiss(socket, CLOSE.abuse, "too many frames; back off");
    } else {
      this.#answer(socket, { ref: incoming.ref }, refusals.rateLimited());
    }
    return false;
  }

  #answer(socket: WebSocket, { ref, requestId }: Asked, reply: RoomReply): void {
    const isRefused = isRefusal(reply);
    const head = JSON.stringify({
      type: isRefused ? "rejected" : "accepted",
      ...(ref === undefined ? {} : { ref }),
      ...(isRefused && requestId !== undefined ? { requestId } : {}),
    });
    const field = isRefused ? "error" : requestId === undefined ? undefined : "status";
    const body = field === undefined ? "" : `,"${field}":${reply.json}`;
    this.#parts.sockets.send(socket, `${head.slice(0, -1)}${body}}`);
  }
}

interface Speaker {
  readonly identity: SocketIdentity;
  readonly participant: StoredParticipant;
}

const UNCOUNTED: ReadonlySet<string> = new Set(["decision_ack", "withdraw"]);

const SENT_AWAY: ReadonlySet<number> = new Set([CLOSE.frameTooLarge, CLOSE.abuse]);
