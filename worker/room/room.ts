import { DurableObject } from "cloudflare:workers";
import {
  CLOSE,
  limits,
  parseAttempt,
  PING,
  PONG,
  type RequestStatus,
  type ResidentWithdrawReason,
  type Role,
  SUBPROTOCOL,
} from "../../src/protocol/index.ts";
import type { Env } from "../env.ts";
import { log, logFault } from "../log.ts";
import { readSettings } from "../settings.ts";
import type { HistoryPlace } from "./card-store.ts";
import { connect, refusalIfFull } from "./connecting.ts";
import { Conversation } from "./conversation.ts";
import { depart } from "./departure.ts";
import { endRoom, roomEndsAt } from "./ending.ts";
import { historyPage } from "./history.ts";
import {
  type CreateCommand,
  createRoom,
  type JoinCommand,
  joinRoom,
  type RoomCreation,
} from "./membership.ts";
import type { StoredParticipant } from "./participant-store.ts";
import { type Handled, Permissions, type RequestCommand } from "./permissions.ts";
import * as refusals from "./refusals.ts";
import { isRefusal, ok, type RoomReply } from "./reply.ts";
import { buildParts, type RoomParts } from "./room-parts.ts";
import { isCreated, migrate } from "./schema.ts";
import { settleDue } from "./sweep.ts";
import { Talk } from "./talk.ts";
import { roomViewJson } from "./welcome.ts";

/** How the Worker hands over whom an upgrade is for; the hash of a token, which nobody can turn back into one. */
export const TOKEN_HASH_HEADER = "handraise-token-hash";
/** How the Worker hands over which of its client's attempts an upgrade is. */
export const ATTEMPT_HEADER = "handraise-attempt";
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
    this.#parts = buildParts(context, readSettings(env));
    this.#permissions = new Permissions(this.#parts);
    this.#conversation = new Conversation(this.#parts, this.#permissions, new Talk(this.#parts));
    context.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG));
    void context.blockConcurrencyWhile(async () => {
      if (!isCreated(context.storage.sql)) return;
      migrate(context.storage);
      this.#isCreated = this.#parts.room.find() !== undefined;
      if (!this.#isCreated) return;
      if (this.#isClosed()) await this.#delete();
      else await this.#parts.deadlines.load(this.#nextDeadline(Date.now()), Date.now());
    });
  }

  create(command: CreateCommand): RoomCreation {
    migrate(this.ctx.storage);
    this.#isCreated = true;
    return createRoom(this.#parts, command, Date.now());
  }

  join(command: JoinCommand): RoomReply {
    if (!this.#isCreated) return refusals.roomNotFound();
    if (!this.#isClosed()) return joinRoom(this.#parts, command, Date.now());
    const isInvite = this.#parts.participants.inviteKind(command.inviteHash) !== undefined;
    return isInvite ? refusals.roomClosed() : refusals.unauthorized();
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

  /** With `waitMs` the answer comes when the request settles or the time is up. */
  async status(tokenHash: string, requestId: string, waitMs: number): Promise<RoomReply> {
    const look = (): RoomReply =>
      this.#as(tokenHash, undefined, (you, now) => this.#permissions.status(you, requestId, now));
    const first = look();
    if (waitMs === 0 || isRefusal(first)) return first;
    if ((JSON.parse(first.json) as RequestStatus).state !== "pending") return first;
    const { longPolls, participants } = this.#parts;
    const { participantId } = participants.byTokenHash(tokenHash) ?? { participantId: "" };
    if (!longPolls.admits(participantId)) return refusals.rateLimited();
    const hasRoomEnded = await longPolls.wait(requestId, participantId, waitMs);
    return hasRoomEnded ? refusals.roomClosed() : look();
  }

  toolCall(tokenHash: string, requestId: string): RoomReply {
    return this.#as(tokenHash, "human", () => ({ reply: this.#permissions.toolCall(requestId) }));
  }

  decide(tokenHash: string, requestId: string, optionId: string): RoomReply {
    return this.#as(tokenHash, "human", (you, now) =>
      this.#permissions.decide(you, requestId, optionId, now),
    );
  }

  dismiss(tokenHash: string, requestId: string): RoomReply {
    return this.#as(tokenHash, "human", (you, now) =>
      this.#permissions.dismiss(you, requestId, now),
    );
  }

  extend(tokenHash: string, requestId: string, seen: number): RoomReply {
    return this.#as(tokenHash, "human", (you, now) =>
      this.#permissions.extend(you, requestId, seen, now),
    );
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

  history(tokenHash: string, after: HistoryPlace): RoomReply {
    return this.#as(tokenHash, "human", (_you, now) => {
      settleDue(this.#parts, now);
      return { reply: ok(historyPage(this.#parts, after)) };
    });
  }

  invite(tokenHash: string, inviteHash: string, role: Role): RoomReply {
    return this.#as(tokenHash, "human", (_you, now) => {
      if (this.#parts.participants.countInvites() >= limits.INVITES) {
        return { reply: refusals.roomFull("invites") };
      }
      this.#parts.participants.insertInvite(inviteHash, role === "human" ? "hi" : "ri", now);
      return { reply: ok({}) };
    });
  }

  remove(tokenHash: string, participantId: string): RoomReply {
    return this.#as(tokenHash, "human", (_you, now) => {
      const participant = this.#parts.participants.byId(participantId);
      if (participant === undefined) return { reply: refusals.participantNotFound() };
      const announce = depart(this.#parts, participant, "resident_removed", now);
      return { reply: ok({}), announce };
    });
  }

  leave(tokenHash: string): RoomReply {
    return this.#as(tokenHash, undefined, (you, now) => ({
      reply: ok({}),
      announce: depart(this.#parts, you, "resident_left", now),
    }));
  }

  async close(tokenHash: string): Promise<RoomReply> {
    const reply = this.#as(tokenHash, "human", (_you, now) => {
      endRoom(this.#parts, now);
      return { reply: ok({}) };
    });
    if (this.#isClosed()) await this.#delete();
    return reply;
  }

  /** The upgrade of a participant's socket. */
  override fetch(request: Request): Response {
    const hash = request.headers.get(TOKEN_HASH_HEADER) ?? "";
    const now = Date.now();
    const admitted = this.#admit(hash);
    const refusal = admitted.ok ? refusalIfFull(this.#parts, admitted.you, now) : admitted.refusal;
    if (!admitted.ok || refusal !== undefined) {
      const { answer, json } = refusal ?? refusals.unauthorized();
      return new Response(json, { status: 403, headers: { [REFUSAL_HEADER]: answer } });
    }
    const { 0: client, 1: server } = new WebSocketPair();
    const attempt = parseAttempt(request.headers.get(ATTEMPT_HEADER) ?? "");
    connect(this.#parts, server, admitted.you, attempt, now);
    const isNamed = request.headers.get("sec-websocket-protocol") !== null;
    return new Response(null, {
      status: 101,
      webSocket: client,
      headers: isNamed ? { "sec-websocket-protocol": SUBPROTOCOL } : {},
    });
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    if (!this.#isCreated || this.#isClosed()) return;
    await this.#conversation.receive(socket, message, Date.now());
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    this.#ended(socket, code);
  }

  override webSocketError(socket: WebSocket): void {
    this.#ended(socket, 1011);
  }

  override async alarm(): Promise<void> {
    if (!this.#isCreated) return;
    const { presence, deadlines, settings } = this.#parts;
    const now = Date.now();
    if (!this.#isClosed()) {
      try {
        settleDue(this.#parts, now);
        presence.refresh(now);
        if (roomEndsAt(this.#parts, now) <= now) endRoom(this.#parts, now);
      } finally {
        // Sockets may go silent without an event: a Room that looks in use is looked at again now and then.
        deadlines.rearm(Math.min(this.#nextDeadline(now), now + settings.life.idleMs), now);
      }
    }
    if (this.#isClosed()) await this.#delete();
  }

  #nextDeadline(now: number): number {
    return Math.min(this.#parts.dueCards.nextAt() ?? Infinity, roomEndsAt(this.#parts, now));
  }

  #isClosed(): boolean {
    return this.#isCreated && this.#parts.room.get().closedAt !== undefined;
  }

  /** The rest of an ending: whatever was told or not, nothing of the Room is kept. */
  async #delete(): Promise<void> {
    for (const socket of this.#parts.sockets.all()) {
      this.#parts.sockets.dismiss(socket, CLOSE.roomClosed, "the Room has ended");
    }
    // The tables are gone at once, before the promise resolves.
    this.#isCreated = false;
    try {
      await this.ctx.storage.deleteAll();
    } catch (error) {
      this.#isCreated = isCreated(this.ctx.storage.sql);
      throw error;
    }
  }

  #ended(socket: WebSocket, code: number): void {
    const { sockets, presence, deadlines } = this.#parts;
    sockets.dismiss(socket, code, "");
    if (!this.#isCreated || this.#isClosed()) return;
    const now = Date.now();
    presence.noteEnd(socket);
    presence.refresh(now);
    deadlines.armBy(roomEndsAt(this.#parts, now), now);
  }

  /** The participant behind a token. A Room that has ended says so to those who were in it, and to nobody else. */
  #admit(
    tokenHash: string,
  ): { ok: true; you: StoredParticipant } | { ok: false; refusal: RoomReply } {
    if (!this.#isCreated) return { ok: false, refusal: refusals.roomNotFound() };
    const you = this.#parts.participants.byTokenHash(tokenHash);
    if (you === undefined) return { ok: false, refusal: refusals.unauthorized() };
    return this.#isClosed() ? { ok: false, refusal: refusals.roomClosed() } : { ok: true, you };
  }

  /** Runs an operation for the participant behind a token, if its role may: nothing else ever grants one. */
  #as(
    tokenHash: string,
    role: Role | undefined,
    operate: (you: StoredParticipant, now: number) => Pick<Handled, "reply"> & Partial<Handled>,
  ): RoomReply {
    const admitted = this.#admit(tokenHash);
    if (!admitted.ok) return admitted.refusal;
    const now = Date.now();
    const { participants, presence, sockets } = this.#parts;
    const { you } = admitted;
    const { participantId } = you;
    if (role !== undefined && you.role !== role) {
      log("role_refused", { participantId, role: you.role });
      return role === "human" ? refusals.humanOnly() : refusals.residentOnly();
    }
    const hasSocket = sockets.of(participantId).some((socket) => sockets.isFresh(socket, now));
    if (!hasSocket) participants.noteCall(participantId, now);
    presence.noteActivity();
    try {
      const { reply, announce } = operate(you, now);
      announce?.();
      return reply;
    } catch (error) {
      // An error that crosses an RPC loses its class and is logged with its data: it ends here.
      logFault("call_failed", error);
      return refusals.internal();
    }
  }
}
