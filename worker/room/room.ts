import { DurableObject } from "cloudflare:workers";
import {
  CLOSE,
  limits,
  PING,
  PONG,
  type ResidentWithdrawReason,
  type Role,
  SUBPROTOCOL,
} from "../../src/protocol/index.ts";
import type { Env } from "../env.ts";
import { log } from "../log.ts";
import { Conversation } from "./conversation.ts";
import { type CreateCommand, createRoom, type JoinCommand, joinRoom } from "./membership.ts";
import type { StoredParticipant } from "./participant-store.ts";
import { type Handled, Permissions, type RequestCommand } from "./permissions.ts";
import * as refusals from "./refusals.ts";
import type { RoomReply } from "./reply.ts";
import { buildParts, type RoomParts } from "./room-parts.ts";
import type { StoredRoom } from "./room-store.ts";
import { isCreated, migrate } from "./schema.ts";
import { settleDue } from "./sweep.ts";
import { roomViewJson, welcomeFrame } from "./welcome.ts";

/** How the Worker hands over whom an upgrade is for; the hash of a token, which nobody can turn back into one. */
export const TOKEN_HASH_HEADER = "handraise-token-hash";
/** Names the error code of a refused upgrade, whose body is an `ErrorDetail`. */
export const REFUSAL_HEADER = "handraise-refusal";

/** One Room: adapts the platform's events to the operations. It holds no rules and no SQL. */
export class Room extends DurableObject<Env> {
  readonly #parts: RoomParts;
  readonly #permissions: Permissions;
  readonly #conversation: Conversation;
  #isCreated = false;

  constructor(context: DurableObjectState, env: Env) {
    super(context, env);
    this.#parts = buildParts(context);
    this.#permissions = new Permissions(this.#parts);
    this.#conversation = new Conversation(this.#parts, this.#permissions);
    context.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG));
    void context.blockConcurrencyWhile(async () => {
      this.#isCreated = isCreated(context.storage.sql);
      if (!this.#isCreated) return;
      migrate(context.storage);
      await this.#parts.deadlines.load(this.#parts.cards.nextDue(), Date.now());
    });
  }

  create(command: CreateCommand): StoredRoom {
    migrate(this.ctx.storage);
    this.#isCreated = true;
    return createRoom(this.#parts, command, Date.now());
  }

  join(command: JoinCommand): RoomReply {
    return this.#isCreated ? joinRoom(this.#parts, command, Date.now()) : refusals.roomNotFound();
  }

  view(tokenHash: string): RoomReply {
    return this.#as(tokenHash, undefined, (you, now) => {
      settleDue(this.#parts, now, you.role === "human" ? undefined : you.participantId);
      this.#parts.presence.refresh(now);
      return { reply: { answer: "ok", json: roomViewJson(this.#parts, you, now) } };
    });
  }

  request(tokenHash: string, command: RequestCommand): RoomReply {
    return this.#as(tokenHash, "resident", (you, now) =>
      this.#permissions.request(you, command, now),
    );
  }

  status(tokenHash: string, requestId: string): RoomReply {
    return this.#as(tokenHash, undefined, (you, now) =>
      this.#permissions.status(you, requestId, now),
    );
  }

  toolCall(tokenHash: string, requestId: string): RoomReply {
    return this.#as(tokenHash, "human", () => ({ reply: this.#permissions.toolCall(requestId) }));
  }

  withdraw(tokenHash: string, requestId: string, reason: ResidentWithdrawReason): RoomReply {
    return this.#as(tokenHash, "resident", (you, now) =>
      this.#permissions.withdraw(you, requestId, reason, now),
    );
  }

  acknowledge(tokenHash: string, requestId: string, applied: boolean): RoomReply {
    return this.#as(tokenHash, "resident", (you, now) =>
      this.#permissions.acknowledge(you, requestId, applied, now),
    );
  }

  /** The upgrade of a participant's socket. */
  override fetch(request: Request): Response {
    const hash = request.headers.get(TOKEN_HASH_HEADER) ?? "";
    const you = this.#isCreated ? this.#parts.participants.byTokenHash(hash) : undefined;
    if (you === undefined) {
      const { answer, json } = this.#isCreated ? refusals.unauthorized() : refusals.roomNotFound();
      return new Response(json, { status: 403, headers: { [REFUSAL_HEADER]: answer } });
    }
    const { 0: client, 1: server } = new WebSocketPair();
    this.#welcome(server, you, Date.now());
    const isNamed = request.headers.get("sec-websocket-protocol") !== null;
    return new Response(null, {
      status: 101,
      webSocket: client,
      headers: isNamed ? { "sec-websocket-protocol": SUBPROTOCOL } : {},
    });
  }

  override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
    this.#conversation.receive(socket, message, Date.now());
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    this.#parts.sockets.dismiss(socket, code, "");
    this.#parts.presence.refresh(Date.now());
  }

  override webSocketError(socket: WebSocket): void {
    this.#parts.sockets.dismiss(socket, 1011, "");
    this.#parts.presence.refresh(Date.now());
  }

  override alarm(): void {
    if (!this.#isCreated) return;
    const now = Date.now();
    try {
      settleDue(this.#parts, now);
      this.#parts.presence.refresh(now);
    } finally {
      this.#parts.deadlines.rearm(this.#parts.cards.nextDue(), now);
    }
  }

  /** Accepts a socket and sends its `welcome`, which is the first frame on it. */
  #welcome(socket: WebSocket, you: StoredParticipant, now: number): void {
    const { sockets, cards, presence } = this.#parts;
    const { participantId, role } = you;
    settleDue(this.#parts, now, role === "human" ? undefined : participantId);
    const kept = role === "human" ? limits.SOCKETS_PER_HUMAN - 1 : 0;
    const older = sockets.of(participantId);
    for (const replaced of older.slice(0, Math.max(0, older.length - kept))) {
      sockets.dismiss(replaced, CLOSE.replaced, "a newer connection took over");
    }
    sockets.accept(socket, {
      participantId,
      role,
      acceptedAt: now,
      lastSeqBefore: cards.lastSeq(),
    });
    sockets.send(socket, welcomeFrame(roomViewJson(this.#parts, you, now)));
    presence.refresh(now);
  }

  /** Runs an operation for the participant behind a token, if its role may: nothing else ever grants one. */
  #as(
    tokenHash: string,
    role: Role | undefined,
    operate: (you: StoredParticipant, now: number) => Pick<Handled, "reply"> & Partial<Handled>,
  ): RoomReply {
    if (!this.#isCreated) return refusals.roomNotFound();
    const now = Date.now();
    const { participants, sockets } = this.#parts;
    const you = participants.byTokenHash(tokenHash);
    if (you === undefined) return refusals.unauthorized();
    const { participantId } = you;
    if (role !== undefined && you.role !== role) {
      log("role_refused", { participantId, role: you.role });
      return role === "human" ? refusals.humanOnly() : refusals.residentOnly();
    }
    const hasSocket = sockets.of(participantId).some((socket) => sockets.isFresh(socket, now));
    if (!hasSocket) participants.noteCall(participantId, now);
    const { reply, announce } = operate(you, now);
    announce?.();
    return reply;
  }
}
