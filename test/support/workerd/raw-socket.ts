import { ORIGIN, worker } from "./room.ts";

const TEXT_TIMEOUT_MS = 5000;

/** A client's socket as it is: the texts in the order in which they came, whatever they are. */
export class RawSocket {
  readonly #socket: WebSocket;
  readonly #texts: string[] = [];
  readonly #waiting: (() => void)[] = [];
  #code: number | undefined;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      this.#texts.push(String(data));
      this.#wake();
    });
    socket.addEventListener("close", ({ code }) => {
      this.#code = code;
      this.#wake();
    });
    socket.accept();
  }

  send(data: string | ArrayBuffer): void {
    this.#socket.send(data);
  }

  close(): void {
    this.#socket.close(1000, "test");
  }

  /** The next text, in order. */
  async text(): Promise<string> {
    await this.#until(() => this.#texts.length > 0, "no text came");
    return this.#texts.shift() as string;
  }

  /** The next text as a frame. */
  async frame(): Promise<{ type: string; [field: string]: unknown }> {
    return JSON.parse(await this.text());
  }

  /** All that came before the answer to a harmless frame of this socket's own, in order. */
  async framesSoFar(): Promise<{ type: string; [field: string]: unknown }[]> {
    const ref = crypto.randomUUID();
    this.send(JSON.stringify({ type: "nothing", ref }));
    const frames: { type: string; [field: string]: unknown }[] = [];
    for (;;) {
      const frame = await this.frame();
      if (frame["ref"] === ref) return frames;
      frames.push(frame);
    }
  }

  async closed(): Promise<number> {
    await this.#until(() => this.#code !== undefined, "the socket did not close");
    return this.#code as number;
  }

  async #until(isDone: () => boolean, fault: string): Promise<void> {
    while (!isDone()) {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(fault)), TEXT_TIMEOUT_MS);
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

/** Asks for an upgrade through the Worker's own entry. */
export function upgrade(headers: Record<string, string>): Promise<Response> {
  return worker().fetch(`${ORIGIN}/api/room/socket`, {
    headers: { upgrade: "websocket", ...headers },
  });
}

/** Asks for one with subprotocols, as a browser does. */
export function upgradeWith(...subprotocols: string[]): Promise<Response> {
  return upgrade({ "sec-websocket-protocol": subprotocols.join(", ") });
}

export function rawSocketOf(response: Response): RawSocket {
  if (response.webSocket === null) throw new Error(`no socket: ${response.status}`);
  return new RawSocket(response.webSocket);
}

export async function openRaw(token: string): Promise<RawSocket> {
  return rawSocketOf(await upgradeWith("handraise.v1", `token.${token}`));
}
