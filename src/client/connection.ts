import {
  limits,
  PING,
  PONG,
  utf8Bytes,
  type FrameOf,
  type HumanFrame,
  type ResidentFrame,
  type RoomFrame,
} from "../protocol/index.ts";
import { Answers } from "./answers.ts";
import type { ClientClock } from "./clock.ts";
import { NotSent } from "./errors.ts";
import { Heartbeat } from "./heartbeat.ts";
import { readFrame, type LostCard } from "./read-frame.ts";

/** A connection without its welcome after this long is given up. */
export const HANDSHAKE_TIMEOUT_MS = 10_000;

type WithoutRef<T> = T extends unknown ? Omit<T, "ref"> : never;
/** A frame that a participant may send; its `ref` is given to it as it leaves. */
export type ClientFrame = WithoutRef<HumanFrame | ResidentFrame>;

export interface Dial {
  url: string;
  protocols: string[];
  WebSocket: typeof WebSocket;
  clock: ClientClock;
}

export interface ConnectionEvents {
  onWelcome(welcome: FrameOf<"welcome">): void;
  onFrame(frame: RoomFrame): void;
  onBadFrame(type: string | undefined): void;
  /** After the frame that it was left out of, where there is one. */
  onLostCard(card: LostCard): void;
  /** Once, and nothing after it. `code` is undefined where there was no close event: a time-out, a handshake that failed. */
  onEnd(code: number | undefined): void;
}

/** One WebSocket from dialling to its end. Once it has ended, whatever its WebSocket still brings is ignored. */
export class Connection {
  readonly #socket: WebSocket;
  readonly #clock: ClientClock;
  readonly #events: ConnectionEvents;
  readonly #handshakeTimer: unknown;
  readonly #heartbeat: Heartbeat;
  readonly #answers: Answers;
  #progress: "connecting" | "welcomed" | "ended" = "connecting";
  #refs = 0;

  constructor(dial: Dial, events: ConnectionEvents) {
    const giveUp = () => this.#end(undefined);
    this.#clock = dial.clock;
    this.#events = events;
    this.#answers = new Answers(dial.clock, giveUp);
    this.#socket = new dial.WebSocket(dial.url, dial.protocols);
    this.#heartbeat = new Heartbeat(dial.clock, () => this.#socket.send(PING), giveUp);
    this.#handshakeTimer = dial.clock.setTimeout(giveUp, HANDSHAKE_TIMEOUT_MS);
    let opened = false;
    this.#socket.addEventListener("open", () => {
      opened = true;
    });
    this.#socket.addEventListener("message", (event) => this.#receive(event.data));
    this.#socket.addEventListener("close", (event) => this.#end(event.code));
    this.#socket.addEventListener("error", () => {
      // Node 22 brings no close event after a handshake that failed. After an open one there is one, and it has the code.
      if (!opened) this.#end(undefined);
    });
  }

  /** Sends at once, before it returns. */
  send(frame: ClientFrame): Promise<FrameOf<"accepted">> {
    // A socket that is closing takes a frame and drops it in silence.
    if (this.#progress !== "welcomed" || this.#socket.readyState !== this.#socket.OPEN) {
      return Promise.reject(new NotSent());
    }
    this.#refs += 1;
    const ref = String(this.#refs);
    const text = JSON.stringify({ ...frame, ref });
    if (utf8Bytes(text) > limits.FRAME_BYTES) {
      return Promise.reject(new NotSent(`Not sent: a frame over ${limits.FRAME_BYTES} bytes`));
    }
    const answer = this.#answers.expect(ref);
    this.#socket.send(text);
    return answer;
  }

  /** Asks for a pong now, in place of at the next ping. */
  check(): void {
    if (this.#progress === "welcomed") this.#heartbeat.ping();
  }

  /** Ends it without `onEnd`. */
  drop(): void {
    if (this.#progress === "ended") return;
    this.#progress = "ended";
    this.#clock.clearTimeout(this.#handshakeTimer);
    this.#heartbeat.stop();
    this.#answers.giveUp();
    this.#socket.close(1000);
  }

  #end(code: number | undefined): void {
    if (this.#progress === "ended") return;
    this.drop();
    this.#events.onEnd(code);
  }

  #receive(data: unknown): void {
    if (this.#progress === "ended") return;
    if (data === PONG) {
      this.#heartbeat.pong();
      return;
    }
    const message = readFrame(data);
    if (message.read === "unknown") return;
    if (message.read === "frame") this.#take(message.frame);
    else this.#events.onBadFrame(message.type);
    if (this.#progress !== "welcomed") return;
    for (const lost of message.lost) this.#events.onLostCard(lost);
  }

  #take(frame: RoomFrame): void {
    // A welcome comes first and once: anything else breaks the order that resynchronising rests on.
    if ((frame.type === "welcome") === (this.#progress === "welcomed")) {
      this.#events.onBadFrame(frame.type);
    } else if (frame.type === "welcome") {
      this.#progress = "welcomed";
      this.#clock.clearTimeout(this.#handshakeTimer);
      this.#heartbeat.start();
      this.#events.onWelcome(frame);
    } else if (frame.type === "accepted" || frame.type === "rejected") {
      if (!this.#answers.take(frame)) this.#events.onBadFrame(frame.type);
    } else {
      this.#events.onFrame(frame);
    }
  }
}
