import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { connect } from "node:net";

/** What happens to bytes between a client and a server. */
export type Fault =
  | "none"
  /** Nobody listens. */
  | "refused"
  /** Every connection is reset as soon as it says something. */
  | "reset"
  /** Connections stay open and bring nothing. */
  | "hanging"
  | "500"
  /** As a web app behind a wrong route answers. */
  | "html_404"
  /** A few bytes at a time. */
  | "slow"
  /** What the server sends is cut in its middle, and the connection with it. */
  | "cut";

const REPLIES: Partial<Record<Fault, string>> = {
  "500":
    "HTTP/1.1 500 Oops\r\ncontent-type: text/plain\r\ncontent-length: 4\r\nconnection: close\r\n\r\noops",
  html_404:
    "HTTP/1.1 404 Not Found\r\ncontent-type: text/html\r\ncontent-length: 15\r\nconnection: close\r\n\r\n<h1>No</h1>    ",
};
const SLOW_BYTES = 64;

/** A TCP line to a server, with a fault in it. */
export class FaultLine {
  readonly #target: { port: number };
  readonly #sockets = new Set<Socket>();
  #fault: Fault = "none";
  #server: Server | undefined;
  #port = 0;

  /** @param target the real server's origin */
  constructor(target: string) {
    this.#target = { port: Number(new URL(target).port) };
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async open(): Promise<void> {
    this.#server = createServer((socket) => this.#join(socket));
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** From now on the line has this fault; what was open ends. */
  async become(fault: Fault): Promise<void> {
    const wasRefused = this.#fault === "refused";
    this.#fault = fault;
    for (const socket of this.#sockets) socket.resetAndDestroy();
    if (fault === "refused") await this.close();
    else if (wasRefused) await this.open();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    server.close();
    await once(server, "close");
  }

  #join(client: Socket): void {
    this.#keep(client);
    const reply = REPLIES[this.#fault] ?? "";
    switch (this.#fault) {
      case "reset":
        client.once("data", () => client.resetAndDestroy());
        break;
      case "hanging":
        client.resume();
        break;
      case "500":
      case "html_404":
        client.once("data", () => client.end(reply));
        break;
      default:
        this.#pass(client);
    }
  }

  #pass(client: Socket): void {
    const server = connect(this.#target.port, "127.0.0.1");
    this.#keep(server);
    client.on("data", (bytes) => server.write(bytes));
    server.on("data", (bytes) => void this.#bring(bytes, client));
    client.once("close", () => server.destroy());
    server.once("close", () => client.end());
  }

  async #bring(bytes: Buffer, client: Socket): Promise<void> {
    if (this.#fault === "cut") {
      client.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => client.resetAndDestroy());
      return;
    }
    if (this.#fault !== "slow") {
      client.write(bytes);
      return;
    }
    client.cork();
    for (let at = 0; at < bytes.length; at += SLOW_BYTES) {
      client.write(bytes.subarray(at, at + SLOW_BYTES));
      client.uncork();
      await new Promise<void>((resolve) => setImmediate(resolve));
      client.cork();
    }
    client.uncork();
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay();
    socket.on("error", () => undefined);
    socket.once("close", () => this.#sockets.delete(socket));
  }
}
