import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { WebSocketServer, type WebSocket } from "ws";
import { Inbox } from "./inbox.ts";

/** One call over HTTP as it reached the scripted Room. */
export interface SeenCall {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface ScriptedReply {
  status: number;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

/** What a call gets: a reply, or silence until the client gives up. */
export type Script = (call: SeenCall) => ScriptedReply | "silence";

/** A Room that does only what its test says. The real one is tested in test/worker. */
export interface ScriptedRoom {
  server: string;
  calls: Inbox<SeenCall>;
  /** Sockets in the order in which they opened. */
  sockets: Inbox<RoomEnd>;
  script: Script;
  close(): Promise<void>;
}

/** The Room's end of one socket. */
export class RoomEnd {
  readonly path: string;
  readonly protocols: string;
  /** Every text that came, pings included. */
  readonly messages = new Inbox<string>();
  readonly closed = new Inbox<number>();
  /** Whether `ping` is answered, as the runtime does. */
  answersPings = true;
  readonly #socket: WebSocket;

  constructor(socket: WebSocket, request: IncomingMessage) {
    this.#socket = socket;
    this.path = request.url ?? "";
    this.protocols = request.headers["sec-websocket-protocol"] ?? "";
    socket.on("message", (data) => {
      const text = String(data);
      if (text === "ping" && this.answersPings) socket.send("pong");
      this.messages.put(text);
    });
    socket.on("close", (code) => this.closed.put(code));
    socket.on("error", () => undefined);
  }

  /** The next message that is a frame. */
  async nextFrame(): Promise<Record<string, unknown> & { type: string; ref: string }> {
    for (;;) {
      const text = await this.messages.next();
      if (text !== "ping") return JSON.parse(text);
    }
  }

  send(frame: object): void {
    this.sendText(JSON.stringify(frame));
  }

  sendText(text: string): void {
    this.#socket.send(text);
  }

  sendBytes(bytes: Uint8Array): void {
    this.#socket.send(bytes, { binary: true });
  }

  close(code: number): void {
    this.#socket.close(code);
  }

  /** Cuts the connection without a close frame. */
  cut(): void {
    this.#socket.terminate();
  }
}

export async function startScriptedRoom(): Promise<ScriptedRoom> {
  const connections = new Set<Socket>();
  const http = createServer((request, response) => void answer(room, request, response));
  http.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.on("close", () => connections.delete(socket));
  });
  const upgrades = new WebSocketServer({
    server: http,
    handleProtocols: (offered) => (offered.has("handraise.v1") ? "handraise.v1" : false),
  });
  upgrades.on("connection", (socket, request) => room.sockets.put(new RoomEnd(socket, request)));
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  http.listen(0, "127.0.0.1", resolve);
  await listening;

  const room: ScriptedRoom = {
    server: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    calls: new Inbox(),
    sockets: new Inbox(),
    script: () => ({ status: 404 }),
    close: async () => {
      const { promise: closed, resolve } = Promise.withResolvers<void>();
      http.close(() => resolve());
      for (const socket of connections) socket.destroy();
      await closed;
    },
  };
  return room;
}

async function answer(
  room: ScriptedRoom,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const call = {
    method: request.method ?? "",
    path: request.url ?? "",
    headers: request.headers,
    body: Buffer.concat(chunks).toString("utf8"),
  };
  room.calls.put(call);
  const reply = room.script(call);
  if (reply === "silence") return;
  response.writeHead(reply.status, reply.headers);
  response.end(reply.body);
}
