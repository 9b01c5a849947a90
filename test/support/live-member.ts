import { once } from "node:events";
import { EventEmitter } from "node:events";
import { type ClientFrame, joinRoom, RoomApi, RoomSocket } from "../../src/client/index.ts";
import type { FrameOf, RoomFrame } from "../../src/protocol/index.ts";

const FRAME_TIMEOUT_MS = 20_000;

/** One participant of a real Room, over the real client: reconnects by itself, and keeps every frame until a test asks for it. */
export class LiveMember {
  readonly api: RoomApi;
  readonly participantId: string;
  readonly #frames: RoomFrame[] = [];
  readonly #events = new EventEmitter().setMaxListeners(0);
  readonly #server: string;
  readonly #token: string;
  #socket: RoomSocket | undefined;

  static async join(server: string, invite: string, name: string): Promise<LiveMember> {
    const { token, participantId } = await joinRoom({ server }, invite, { name });
    return new LiveMember(server, token, participantId);
  }

  private constructor(server: string, token: string, participantId: string) {
    this.#server = server;
    this.#token = token;
    this.participantId = participantId;
    this.api = new RoomApi({ server, token });
  }

  /** Connects, and resumes with `parked` after every welcome if it is a resident. */
  async connect(parked?: () => string[]): Promise<FrameOf<"welcome">> {
    this.#socket = new RoomSocket({
      server: this.#server,
      token: this.#token,
      onWelcome: (welcome) => {
        this.#keep(welcome);
        if (parked === undefined) return;
        void this.send({ type: "resume", parked: parked(), answered: [] }).catch(() => {});
      },
      onFrame: (frame) => this.#keep(frame),
    });
    return this.next("welcome");
  }

  disconnect(): void {
    this.#socket?.close();
    this.#socket = undefined;
  }

  send(frame: ClientFrame): Promise<FrameOf<"accepted">> {
    if (this.#socket === undefined) throw new Error("not connected");
    return this.#socket.send(frame);
  }

  /** Takes the first frame of a type that has come or comes. */
  async next<T extends RoomFrame["type"]>(
    type: T,
    matches: (frame: FrameOf<T>) => boolean = () => true,
  ): Promise<FrameOf<T>> {
    const signal = AbortSignal.timeout(FRAME_TIMEOUT_MS);
    for (;;) {
      const index = this.#frames.findIndex(
        (frame) => frame.type === type && matches(frame as FrameOf<T>),
      );
      if (index >= 0) return this.#frames.splice(index, 1)[0] as FrameOf<T>;
      await once(this.#events, "frame", { signal }).catch(() => {
        throw new Error(`no ${type} frame came`);
      });
    }
  }

  /** How many frames of a type wait to be taken. */
  count(type: RoomFrame["type"]): number {
    return this.#frames.filter((frame) => frame.type === type).length;
  }

  #keep(frame: RoomFrame): void {
    this.#frames.push(frame);
    this.#events.emit("frame");
  }
}
