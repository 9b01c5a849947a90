import { type FrameOf, type RoomFrame, roomFrame } from "../../../src/protocol/index.ts";

const FRAME_TIMEOUT_MS = 20_000;

/** A client's socket whose frames are kept until a test asks for them. Every frame is checked against its schema. */
export class TestSocket {
  readonly #socket: WebSocket;
  readonly #frames: RoomFrame[] = [];
  readonly #waiting: (() => void)[] = [];
  #closed: { code: number } | undefined;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      this.#frames.push(roomFrame.parse(JSON.parse(String(data))));
      this.#wake();
    });
    socket.addEventListener("close", ({ code }) => {
      this.#closed = { code };
      this.#wake();
    });
    socket.accept();
  }

  send(frame: object | string): void {
    this.#socket.send(typeof frame === "string" ? frame : JSON.stringify(frame));
  }

  sendBytes(bytes: ArrayBuffer): void {
    this.#socket.send(bytes);
  }

  close(): void {
    this.#socket.close(1000, "test");
  }

  /** Takes the first frame of a type that has come or comes, leaving all others. */
  async next<T extends RoomFrame["type"]>(
    type: T,
    matches: (frame: FrameOf<T>) => boolean = () => true,
  ): Promise<FrameOf<T>> {
    const isIt = (frame: RoomFrame): boolean => frame.type === type && matches(frame as FrameOf<T>);
    await this.#until(() => this.#frames.some(isIt), `no ${type} frame`);
    const index = this.#frames.findIndex(isIt);
    return this.#frames.splice(index, 1)[0] as FrameOf<T>;
  }

  /** The answer to one frame, sent with a ref of its own. */
  async ask(frame: object): Promise<FrameOf<"accepted"> | FrameOf<"rejected">> {
    const ref = crypto.randomUUID();
    this.send({ ...frame, ref });
    const isAnswer = (one: RoomFrame): boolean =>
      (one.type === "accepted" || one.type === "rejected") && one.ref === ref;
    await this.#until(() => this.#frames.some(isAnswer), `no answer to ${JSON.stringify(frame)}`);
    const index = this.#frames.findIndex(isAnswer);
    return this.#frames.splice(index, 1)[0] as FrameOf<"accepted">;
  }

  async closed(): Promise<number> {
    await this.#until(() => this.#closed !== undefined, "socket did not close");
    return (this.#closed as { code: number }).code;
  }

  /**
   * Everything of a type that has come by now: whatever the Room sent before it answered this socket's own harmless frame. The
   * frame names no known type, so that it is rejected.
   */
  async soFar<T extends RoomFrame["type"]>(type: T): Promise<FrameOf<T>[]> {
    await this.ask({ type: "nothing" });
    return this.left(type);
  }

  /** What of a type has come and was not asked for yet; for a socket that is closed. */
  left<T extends RoomFrame["type"]>(type: T): FrameOf<T>[] {
    return this.#frames.filter((frame): frame is FrameOf<T> => frame.type === type);
  }

  /** Everything of a type that has come by now, taken: the next time there is only what is new. */
  async takeAll<T extends RoomFrame["type"]>(type: T): Promise<FrameOf<T>[]> {
    const taken = await this.soFar(type);
    for (const frame of taken) this.#frames.splice(this.#frames.indexOf(frame), 1);
    return taken;
  }

  async #until(isDone: () => boolean, fault: string): Promise<void> {
    while (!isDone()) {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => {
          const types = this.#frames.map((frame) => frame.type).join(", ");
          reject(new Error(`${fault}; there were: ${types || "none"}`));
        }, FRAME_TIMEOUT_MS);
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

/** Opens a participant's socket through the Worker's own entry, as a browser does. */
export async function openSocket(
  worker: Fetcher,
  origin: string,
  token: string,
  headers: Record<string, string> = {
    "sec-websocket-protocol": `handraise.v1, token.${token}`,
  },
): Promise<TestSocket> {
  const response = await worker.fetch(`${origin}/api/room/socket`, {
    headers: { upgrade: "websocket", ...headers },
  });
  if (response.webSocket === null) {
    throw new Error(`no socket: ${response.status} ${await response.text()}`);
  }
  return new TestSocket(response.webSocket);
}
