import {
  ABUSE_BACKOFF_MS,
  attemptSubprotocol,
  CLOSE,
  isTerminalClose,
  SUBPROTOCOL,
  TOKEN_SUBPROTOCOL_PREFIX,
  type FrameOf,
  type RoomFrame,
} from "../protocol/index.ts";
import { reconnectDelay, STABLE_CONNECTION_MS } from "./backoff.ts";
import { systemClock, type ClientClock } from "./clock.ts";
import { Connection, type ClientFrame, type Dial } from "./connection.ts";
import { NotSent } from "./errors.ts";

export type ConnectionState =
  | { state: "connecting" }
  /** Welcomed. */
  | { state: "open" }
  /** Offline until `retryAt`, epoch milliseconds by this client's clock. */
  | { state: "waiting"; retryAt: number }
  /** For good: by a terminal close code, or undefined after `close()`. */
  | { state: "closed"; code: number | undefined };

export interface RoomSocketOptions {
  /** http(s) origin */
  server: string;
  token: string;
  /**
   * Called with each welcome, before any other frame of that socket and before `onState`. The place to resynchronise: a resident
   * sends its withdraws, acks and `resume` here.
   */
  onWelcome(welcome: FrameOf<"welcome">): void;
  /** Every later frame except `accepted` and `rejected`. Frames of unknown types never reach it. */
  onFrame(frame: RoomFrame): void;
  /** Every change of state; the first, `connecting`, is no change. */
  onState?(state: ConnectionState): void;
  /** A message that is no proper frame, for logs: its type at most, never its content. */
  onBadFrame?(type: string | undefined): void;
  /** A card waits that this client cannot read: its request, where that much can be read. Each welcome tells them anew. */
  onLostCard?(requestId: string | undefined): void;
  clock?: ClientClock;
  /** In [0, 1). */
  random?: () => number;
  WebSocket?: typeof WebSocket;
}

/** A participant's live line to the Room: reconnects until it is closed or the Room says that it must not. */
export class RoomSocket {
  readonly #options: RoomSocketOptions;
  readonly #clock: ClientClock;
  readonly #random: () => number;
  readonly #dial: Dial;
  readonly #clientId = randomId();
  /** Connections dialled so far: the Room tells a late one by its number. */
  #dialled = 0;
  #state: ConnectionState = { state: "connecting" };
  #connection: Connection | undefined;
  #welcomedAt: number | undefined;
  #attempt = 0;
  #retryTimer: unknown;
  #mayHurry = true;

  constructor(options: RoomSocketOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#dial = {
      url: socketUrl(options.server),
      protocols: [SUBPROTOCOL, tokenSubprotocol(options.token)],
      WebSocket: options.WebSocket ?? globalThis.WebSocket,
      clock: this.#clock,
    };
    this.#connect();
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /**
   * Sends a frame with a fresh `ref`, at once: frames leave in the order of the calls. Resolves with the Room's `accepted`;
   * rejects with RoomRefusal, NotSent or AnswerUnknown. Every lost connection rejects what it leaves unanswered: handle it even
   * where nothing depends on it.
   */
  send(frame: ClientFrame): Promise<FrameOf<"accepted">> {
    return this.#connection?.send(frame) ?? Promise.reject(new NotSent());
  }

  /**
   * For when the page becomes visible or the network is back: connects at once if waiting (never before the end of a wait for
   * abuse), and if open asks for a pong now, because a socket can die unnoticed while a device sleeps.
   */
  reconnectNow(): void {
    this.#connection?.check();
    if (this.#state.state === "waiting" && this.#mayHurry) this.#reconnect();
  }

  close(): void {
    if (this.#state.state === "closed") return;
    this.#clock.clearTimeout(this.#retryTimer);
    this.#connection?.drop();
    this.#connection = undefined;
    this.#become({ state: "closed", code: undefined });
  }

  #reconnect(): void {
    this.#clock.clearTimeout(this.#retryTimer);
    this.#connect();
    this.#become({ state: "connecting" });
  }

  #connect(): void {
    this.#welcomedAt = undefined;
    this.#dialled += 1;
    const attempt = attemptSubprotocol({ clientId: this.#clientId, number: this.#dialled });
    const dial = { ...this.#dial, protocols: [...this.#dial.protocols, attempt] };
    this.#connection = new Connection(dial, {
      onWelcome: (welcome) => this.#welcomed(welcome),
      onFrame: (frame) => this.#options.onFrame(frame),
      onBadFrame: (type) => this.#options.onBadFrame?.(type),
      onLostCard: (requestId) => this.#options.onLostCard?.(requestId),
      onEnd: (code) => this.#ended(code),
    });
  }

  #welcomed(welcome: FrameOf<"welcome">): void {
    const open = { state: "open" } as const;
    this.#welcomedAt = this.#clock.now();
    this.#state = open;
    this.#options.onWelcome(welcome);
    // `onWelcome` may have closed this socket.
    if (this.#state === open) this.#become(open);
  }

  #ended(code: number | undefined): void {
    this.#connection = undefined;
    if (code !== undefined && isTerminalClose(code)) {
      this.#become({ state: "closed", code });
      return;
    }
    const now = this.#clock.now();
    if (this.#welcomedAt !== undefined && now - this.#welcomedAt >= STABLE_CONNECTION_MS) {
      this.#attempt = 0;
    }
    const abused = code === CLOSE.abuse;
    const delay = reconnectDelay(this.#attempt, this.#random) + (abused ? ABUSE_BACKOFF_MS : 0);
    this.#attempt += 1;
    this.#mayHurry = !abused;
    this.#retryTimer = this.#clock.setTimeout(() => this.#reconnect(), delay);
    this.#become({ state: "waiting", retryAt: now + delay });
  }

  #become(state: ConnectionState): void {
    this.#state = state;
    this.#options.onState?.(state);
  }
}

/** Not `randomUUID`, which browsers offer only where the page came by https or from this machine. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function socketUrl(server: string): string {
  const url = new URL("/api/room/socket", server);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new TypeError("the server must be an http(s) origin");
  }
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}

function tokenSubprotocol(token: string): string {
  // A subprotocol that WebSocket refuses would stand, secret and all, in its error message.
  if (!/^[\w.-]+$/.test(token)) throw new TypeError("not a participant token");
  return TOKEN_SUBPROTOCOL_PREFIX + token;
}
