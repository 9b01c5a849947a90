import { type Attempt, limits, type Role } from "../../src/protocol/index.ts";
import { logFault } from "../log.ts";

/** What a socket carries through hibernation: fields of the object are gone then, this is not. */
export interface SocketIdentity {
  readonly participantId: string;
  readonly role: Role;
  /** Order of acceptance in the Room; the platform promises none. */
  readonly order: number;
  readonly acceptedAt: number;
  /** Which of its client's attempts to connect this is, where the client says. */
  readonly attempt?: Attempt | undefined;
  /** The newest card when this socket was accepted. */
  readonly lastSeqBefore: number;
  /** Set once a newer socket took its place, or it was told to go: frames still arrive for a while. */
  readonly isGone?: true;
  /** With which code it was told to go. */
  readonly goneWith?: number;
}

/** The Room's sockets. Tags find them by role and by participant without waking anything else. */
export class Sockets {
  readonly #context: DurableObjectState;
  readonly #identities = new WeakMap<WebSocket, SocketIdentity>();
  /** When a socket last sent a frame. Only pings survive hibernation, and those are what clients owe us. */
  readonly #heardAt = new WeakMap<WebSocket, number>();

  constructor(context: DurableObjectState) {
    this.#context = context;
  }

  accept(socket: WebSocket, identity: Omit<SocketIdentity, "order">): SocketIdentity {
    const orders = this.#context.getWebSockets().map((other) => this.identity(other)?.order ?? 0);
    const numbered = { ...identity, order: Math.max(0, ...orders) + 1 };
    this.#context.acceptWebSocket(socket, [identity.role, tagOf(identity.participantId)]);
    this.#store(socket, numbered);
    return numbered;
  }

  identity(socket: WebSocket): SocketIdentity | undefined {
    const known = this.#identities.get(socket);
    if (known !== undefined) return known;
    const stored = socket.deserializeAttachment() as SocketIdentity | null;
    if (stored !== null) this.#identities.set(socket, stored);
    return stored ?? undefined;
  }

  /** A participant's live sockets, oldest first. */
  of(participantId: string): WebSocket[] {
    return this.#live(tagOf(participantId)).sort(
      (a, b) => (this.identity(a)?.order ?? 0) - (this.identity(b)?.order ?? 0),
    );
  }

  /** The one socket that speaks for a resident now. */
  ofResident(participantId: string): WebSocket | undefined {
    return this.of(participantId).at(-1);
  }

  /** Whether a participant's client has a newer connection than this attempt: the network held this one back. */
  isOvertaken(participantId: string, attempt: Attempt | undefined): boolean {
    return this.of(participantId).some((socket) => {
      const other = this.identity(socket)?.attempt;
      return other?.clientId === attempt?.clientId && (other?.number ?? 0) > (attempt?.number ?? 0);
    });
  }

  humans(): WebSocket[] {
    return this.#live("human");
  }

  all(): WebSocket[] {
    return this.#live();
  }

  noteFrame(socket: WebSocket, now: number): void {
    this.#heardAt.set(socket, now);
  }

  /** Whether a socket showed life lately: its acceptance, a frame, or a ping, which the runtime answers by itself. */
  isFresh(socket: WebSocket, now: number): boolean {
    const since = now - limits.SOCKET_FRESH_MS;
    return (
      (this.identity(socket)?.acceptedAt ?? 0) > since ||
      (this.#heardAt.get(socket) ?? 0) > since ||
      (this.#context.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0) > since
    );
  }

  /** @returns whether the socket took the frame; that is not yet delivery. */
  send(socket: WebSocket, frame: string): boolean {
    try {
      socket.send(frame);
      return true;
    } catch (error) {
      logFault("send_failed", error);
      return false;
    }
  }

  toHumans(frame: string): void {
    for (const socket of this.humans()) this.send(socket, frame);
  }

  /** Ends a socket of ours. From here on it has no say, whatever it still sends. */
  dismiss(socket: WebSocket, code: number, reason: string): void {
    const identity = this.identity(socket);
    if (identity !== undefined) this.#store(socket, { ...identity, isGone: true, goneWith: code });
    closeQuietly(socket, code, reason);
  }

  /** `getWebSockets` also returns sockets that are closing: a send to one of those throws. */
  #live(tag?: string): WebSocket[] {
    return this.#context
      .getWebSockets(tag)
      .filter(
        (socket) =>
          socket.readyState === WebSocket.OPEN && this.identity(socket)?.isGone === undefined,
      );
  }

  #store(socket: WebSocket, identity: SocketIdentity): void {
    socket.serializeAttachment(identity);
    this.#identities.set(socket, identity);
  }
}

function tagOf(participantId: string): string {
  return `p:${participantId}`;
}

/** Codes that only a runtime may report; echoing one of them throws. */
const UNSENDABLE = new Set([1005, 1006, 1015]);

/** Closes a socket that may be closed already: then `close` throws, and there is nothing left to do. */
export function closeQuietly(socket: WebSocket, code: number, reason: string): void {
  try {
    socket.close(UNSENDABLE.has(code) ? 1000 : code, reason);
  } catch {
    // Already closed.
  }
}
