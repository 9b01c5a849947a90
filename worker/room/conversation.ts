import {
  CLOSE,
  type FrameOf,
  type HumanFrame,
  limits,
  type ResidentFrame,
  utf8Bytes,
} from "../../src/protocol/index.ts";
import { log, logFault } from "../log.ts";
import { readFrame } from "./incoming-frame.ts";
import type { StoredParticipant } from "./participant-store.ts";
import type { Handled, Permissions } from "./permissions.ts";
import * as refusals from "./refusals.ts";
import { isRefusal, type RoomReply } from "./reply.ts";
import { resumeResident } from "./resuming.ts";
import type { RoomParts } from "./room-parts.ts";
import type { SocketIdentity } from "./sockets.ts";

type Frame = HumanFrame | ResidentFrame;

/** What participants say over their sockets. Every frame gets one answer, before any frame that it causes on the same socket. */
export class Conversation {
  readonly #parts: RoomParts;
  readonly #permissions: Permissions;

  constructor(parts: RoomParts, permissions: Permissions) {
    this.#parts = parts;
    this.#permissions = permissions;
  }

  receive(socket: WebSocket, message: string | ArrayBuffer, now: number): void {
    const { sockets, participants } = this.#parts;
    const identity = sockets.identity(socket);
    if (identity === undefined) return;
    sockets.noteFrame(socket, now);
    // The role is the stored row's, read again for every frame: a frame's own word for it is never looked at.
    const speaker = participants.byId(identity.participantId);
    if (speaker === undefined) {
      sockets.dismiss(socket, CLOSE.unauthorized, "this credential is no longer valid");
    } else if (identity.isGone) {
      this.#hearLastWords(speaker, identity, message, now);
    } else if (typeof message !== "string") {
      this.#answer(socket, undefined, undefined, refusals.binaryFrame());
    } else if (utf8Bytes(message) > limits.FRAME_BYTES) {
      sockets.dismiss(socket, CLOSE.frameTooLarge, "frame too large: use POST");
    } else {
      this.#hear(socket, speaker, identity, message, now);
    }
  }

  #hear(
    socket: WebSocket,
    speaker: StoredParticipant,
    identity: SocketIdentity,
    text: string,
    now: number,
  ): void {
    const incoming = readFrame(text, speaker.role);
    if (!incoming.ok) {
      const { participantId, role } = speaker;
      log("frame_refused", { participantId, role, code: incoming.reply.answer });
      this.#answer(socket, incoming.ref, undefined, incoming.reply);
      return;
    }
    const { frame } = incoming;
    let handled: Handled;
    try {
      handled = this.#handle(speaker, identity, frame, now);
    } catch (error) {
      logFault("frame_failed", error, { type: frame.type });
      this.#answer(socket, incoming.ref, frame, refusals.internal());
      return;
    }
    this.#answer(socket, incoming.ref, frame, handled.reply);
    handled.announce();
  }

  /** A replaced socket: what it still confirms counts, everything else is ignored, and nothing is answered. */
  #hearLastWords(
    speaker: StoredParticipant,
    identity: SocketIdentity,
    message: string | ArrayBuffer,
    now: number,
  ): void {
    if (typeof message !== "string") return;
    const incoming = readFrame(message, speaker.role);
    if (incoming.ok && incoming.frame.type === "decision_ack") {
      this.#handle(speaker, identity, incoming.frame, now).announce();
    }
  }

  #handle(
    speaker: StoredParticipant,
    identity: SocketIdentity,
    frame: Frame,
    now: number,
  ): Handled {
    switch (frame.type) {
      case "decide":
        return this.#permissions.decide(speaker, frame.requestId, frame.optionId, now);
      case "decision_ack":
        return this.#permissions.acknowledge(speaker, frame.requestId, frame.applied, now);
      case "resume": {
        const held = {
          parked: new Set(frame.parked),
          answered: new Map(frame.answered.map((one) => [one.requestId, one.applied])),
          lastSeqBefore: identity.lastSeqBefore,
        };
        return resumeResident(this.#parts, speaker.participantId, held, now);
      }
      default:
        return { reply: refusals.notBuilt(), announce: () => {} };
    }
  }

  #answer(
    socket: WebSocket,
    ref: string | undefined,
    frame: Frame | undefined,
    reply: RoomReply,
  ): void {
    const requestId = frame !== undefined && "requestId" in frame ? frame.requestId : undefined;
    const head: { type: "accepted" | "rejected"; ref?: string; requestId?: string } = {
      type: isRefusal(reply) ? "rejected" : "accepted",
      ...(ref === undefined ? {} : { ref }),
      ...(isRefusal(reply) && requestId !== undefined ? { requestId } : {}),
    } satisfies Partial<FrameOf<"accepted"> | FrameOf<"rejected">>;
    const field = isRefusal(reply) ? "error" : "status";
    const hasBody = isRefusal(reply) || requestId !== undefined;
    const body = hasBody ? `,"${field}":${reply.json}` : "";
    this.#parts.sockets.send(socket, `${JSON.stringify(head).slice(0, -1)}${body}}`);
  }
}
