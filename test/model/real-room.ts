import { env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { TOKEN_HASH_HEADER } from "../../worker/room/room.ts";
import type { Room } from "../../worker/room/room.ts";
import { encodeRoomId, mintCredential } from "../../worker/credential.ts";
import { commandOf } from "../../worker/request-content.ts";
import { CLOSE, type Settlement } from "../../src/protocol/index.ts";
import { upgradeWith } from "../support/workerd/raw-socket.ts";
import { Client, type Frame } from "./client.ts";
import type { Call } from "./scene.ts";
import { isHuman, type Op, type Who } from "./shapes.ts";
import { answerOfFrame, callWorker, frameOf, type RealAnswer, requestOf, usurp } from "./wire.ts";

export interface StoredRow {
  readonly requestId: string;
  readonly expiresAt: number;
  readonly graceEndsAt: number | null;
  readonly settlement: Settlement | undefined;
  readonly delivery: { readonly state: string; readonly at: number };
}

export interface Stored {
  readonly rows: readonly StoredRow[];
  readonly alarm: number | null;
}

interface Credentials {
  readonly token: string;
  readonly hash: string;
}

type Row = {
  id: string;
  ends: number;
  grace: number | null;
  end: string | null;
  state: string;
  at: number;
};

/** A real Room in workerd, with real sockets. Participants' ids and names are the short names of the model. */
export class RealRoom {
  readonly clients = new Map<Who, Client[]>();
  readonly #stub: DurableObjectStub<Room>;
  readonly #credentials: ReadonlyMap<Who, Credentials>;
  /** The Room's ends of the sockets, as it last had them, and those that it has done with since. */
  #live = new Map<Who, WebSocket[]>();
  #gone = new Map<Who, WebSocket[]>();
  #marks = 0;
  #refs = 0;

  private constructor(stub: DurableObjectStub<Room>, credentials: ReadonlyMap<Who, Credentials>) {
    this.#stub = stub;
    this.#credentials = credentials;
    for (const who of credentials.keys()) this.clients.set(who, []);
  }

  static async create(people: readonly Who[]): Promise<RealRoom> {
    const id = env.ROOMS.newUniqueId();
    const stub = env.ROOMS.get(id);
    const roomId = encodeRoomId(id);
    const credentials = new Map<Who, Credentials>();
    const invites = {
      human: await mintCredential("hi", roomId),
      resident: await mintCredential("ri", roomId),
    };
    for (const who of people) {
      const { credential: token, hash } = await mintCredential(isHuman(who) ? "ht" : "rt", roomId);
      credentials.set(who, { token, hash });
    }
    await runInDurableObject(stub, (room: Room) => {
      const [humanInviteHash, residentInviteHash] = [invites.human.hash, invites.resident.hash];
      room.create({ roomId, name: "Model", humanInviteHash, residentInviteHash });
      for (const [who, { hash }] of credentials) {
        const inviteHash = isHuman(who) ? humanInviteHash : residentInviteHash;
        room.join({ inviteHash, participantId: who, tokenHash: hash, name: who });
      }
    });
    return new RealRoom(stub, credentials);
  }

  #inside<T>(look: (room: Room, state: DurableObjectState) => T | Promise<T>): Promise<T> {
    return runInDurableObject(this.#stub, look);
  }

  hasStale(who: Who): boolean {
    return (this.#gone.get(who)?.length ?? 0) > 0;
  }

  /** Does one step's calls at once. Frames of one socket go out in their order, without waiting for an answer. */
  async perform(calls: readonly Call[], isOrdered: boolean): Promise<(RealAnswer | undefined)[]> {
    if (!isOrdered || calls.every(({ via }) => via === "socket")) {
      return Promise.all(calls.map((one) => this.#do(one)));
    }
    const answers: (RealAnswer | undefined)[] = [];
    for (const one of calls) answers.push(await this.#do(one));
    return answers;
  }

  async #do({
    op,
    via,
    isDirect = false,
    isUsurping = false,
  }: Call): Promise<RealAnswer | undefined> {
    const { who } = op;
    switch (op.do) {
      case "advance":
        throw new Error("the clock is the runner's");
      case "alarm":
        await this.#inside(async (room, { storage }) => {
          await storage.deleteAlarm();
          await room.alarm();
        });
        return undefined;
      case "evict":
        await evictDurableObject(this.#stub, { webSockets: op.cut ? "close" : "hibernate" });
        this.#live = new Map();
        this.#gone = new Map();
        return undefined;
      case "disconnect":
        await this.#disconnect(who);
        return undefined;
      case "connect":
        return this.#connect(who);
    }
    const extra = isUsurping ? usurp(who) : {};
    if (via === "stale") {
      const socket = this.#gone.get(who)?.at(-1);
      if (socket === undefined) throw new Error("no stale socket");
      await this.#inside((room) => room.webSocketMessage(socket, JSON.stringify(frameOf(op))));
      return undefined;
    }
    if (via === "socket") {
      const client = this.clients.get(who)?.at(-1);
      if (client === undefined) throw new Error(`${who} has no socket`);
      this.#refs += 1;
      const ref = `ref-${this.#refs}-`;
      client.send({ ...frameOf(op), ...extra, ref });
      const [answer] = await client.answers([ref]);
      return answerOfFrame(answer as Frame);
    }
    const credentials = this.#credentials.get(who) as Credentials;
    return isDirect
      ? this.#callDirectly(op, credentials.hash)
      : callWorker(op, credentials.token, extra);
  }

  async #callDirectly(op: Op, hash: string): Promise<RealAnswer> {
    const content = op.do === "request" ? await commandOf(requestOf(op)) : undefined;
    if (content?.ok === false) throw new Error("a request was refused before it came to the Room");
    const reply = await this.#inside((room) => {
      switch (op.do) {
        case "request":
          if (content === undefined) break;
          return room.request(hash, content.command);
        case "decide":
          return room.decide(hash, op.requestId, op.optionId);
        case "dismiss":
          return room.dismiss(hash, op.requestId);
        case "extend":
          return room.extend(hash, op.requestId, op.seen);
        case "withdraw":
          return room.withdraw(hash, op.requestId, op.reason);
        case "ack":
          return room.acknowledge(hash, op.requestId, op.applied);
        case "status":
          return room.status(hash, op.requestId, 0);
        case "view":
          return room.view(hash);
        case "history":
          return room.history(hash, { settledAt: -1, seq: -1 });
        case "leave":
          return room.leave(hash);
        case "remove":
          return room.remove(hash, op.target);
        case "close":
          return room.close(hash);
        default:
      }
      throw new Error(`no direct call for ${op.do}`);
    });
    const body = JSON.parse(reply.json) as Record<string, unknown>;
    return { code: reply.answer, body, text: reply.json };
  }

  async #connect(who: Who): Promise<RealAnswer> {
    const { token, hash } = this.#credentials.get(who) as Credentials;
    this.#refs += 1;
    const response =
      this.#refs % 4 === 0
        ? await upgradeWith("handraise.v1", `token.${token}`)
        : await this.#stub.fetch("https://room/", {
            headers: { upgrade: "websocket", [TOKEN_HASH_HEADER]: hash },
          });
    if (response.webSocket === null) {
      const text = await response.text();
      return { code: (JSON.parse(text) as { code: string }).code, body: {}, text };
    }
    const client = new Client(response.webSocket);
    const open = this.clients.get(who) as Client[];
    const first = await client.first();
    // What a refused browser sees: it is let in and closed at once.
    if (first === CLOSE.unauthorized) return { code: "unauthorized", body: {}, text: "" };
    if (typeof first === "number") return { code: `closed ${first}`, body: {}, text: "" };
    if (first.type !== "welcome") return { code: `first ${first.type}`, body: {}, text: "" };
    open.push(client);
    return { code: "ok", body: first, text: JSON.stringify(first) };
  }

  async #disconnect(who: Who): Promise<void> {
    const client = this.clients.get(who)?.pop();
    const server = this.#live.get(who)?.at(-1);
    client?.close();
    await client?.closed();
    if (server === undefined) throw new Error(`${who} has no socket`);
    for (let tries = 0; tries < 1000; tries += 1) {
      const isSeen = await this.#inside(() => attachmentOf(server)?.isGone === true);
      if (isSeen) return;
    }
    throw new Error("the Room did not see a socket end");
  }

  /** What is stored, once everything that was sent before has come to everybody who still listens. */
  async observe(): Promise<Stored> {
    this.#marks += 1;
    const mark = `mark:${this.#marks}`;
    const stored = await this.#inside(async (_, state) => {
      const rows = state.storage.sql
        .exec<Row>(
          `SELECT request_id AS id, expires_at AS ends, no_human_at AS grace, settlement AS end, delivery AS state, delivery_at AS at
           FROM card ORDER BY seq`,
        )
        .toArray();
      this.#noteSockets(state, mark);
      return { rows: rows.map(readRow), alarm: await state.storage.getAlarm() };
    });
    await this.marked(mark);
    return stored;
  }

  async marked(mark = `mark:${this.#marks}`): Promise<void> {
    await Promise.all([...this.clients.values()].flat().map((client) => client.marked(mark)));
  }

  #noteSockets(state: DurableObjectState, mark: string): void {
    const live = new Map<Who, WebSocket[]>();
    const sockets = state.getWebSockets();
    for (const socket of sockets) {
      const attachment = attachmentOf(socket);
      if (attachment === undefined || attachment.isGone || socket.readyState !== WebSocket.OPEN)
        continue;
      live.set(attachment.participantId, [...(live.get(attachment.participantId) ?? []), socket]);
      socket.send(mark);
    }
    for (const [who, sockets] of live) {
      sockets.sort((a, b) => (attachmentOf(a)?.order ?? 0) - (attachmentOf(b)?.order ?? 0));
      live.set(who, sockets);
    }
    for (const [who, before] of this.#live) {
      const gone = before.filter((socket) => !live.get(who)?.includes(socket));
      this.#gone.set(who, [...(this.#gone.get(who) ?? []), ...gone].slice(-2));
    }
    this.#live = live;
  }

  /** As living clients do it all the time: they are heard of, so that the Room does not take them for gone. */
  async touch(): Promise<void> {
    const sent = [...this.clients.values()].flat().map(async (client) => {
      this.#refs += 1;
      const ref = `ref-${this.#refs}-`;
      client.send({ type: "nothing", ref });
      await client.answers([ref]);
      client.take();
    });
    await Promise.all(sent);
  }

  /** From now on no card can be written, as on a full disk; or it can again. */
  async breakWrites(isBroken: boolean): Promise<void> {
    await this.#inside((_, { storage }) => {
      for (const verb of ["INSERT", "UPDATE"]) {
        storage.sql.exec(
          isBroken
            ? `CREATE TRIGGER fail_${verb} BEFORE ${verb} ON card BEGIN SELECT RAISE(ABORT, 'disk full'); END`
            : `DROP TRIGGER fail_${verb}`,
        );
      }
    });
  }

  /** Leaves nothing behind of a Room that has not ended: neither rows, nor sockets, nor an alarm. */
  async delete(): Promise<void> {
    await evictDurableObject(this.#stub, { webSockets: "close" });
    await this.#inside(async (_, { storage }) => {
      await storage.deleteAll();
      await storage.deleteAlarm();
    });
  }
}

interface Attachment {
  readonly participantId: Who;
  readonly order: number;
  readonly isGone?: boolean;
}

function attachmentOf(socket: WebSocket): Attachment | undefined {
  return (socket.deserializeAttachment() as Attachment | null) ?? undefined;
}

function readRow(row: Row): StoredRow {
  return {
    requestId: row.id,
    expiresAt: row.ends,
    graceEndsAt: row.grace,
    settlement: row.end === null ? undefined : (JSON.parse(row.end) as Settlement),
    delivery: { state: row.state, at: row.at },
  };
}
