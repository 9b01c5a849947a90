import { describe, expect, it } from "vitest";
import { CLOSE, limits } from "../../src/protocol/index.ts";
import { ask, createRoom, ORIGIN, statusAs, worker } from "../support/workerd/room.ts";
import {
  openRaw,
  type RawSocket,
  rawSocketOf,
  upgrade,
  upgradeWith,
} from "../support/workerd/raw-socket.ts";
import { openSocket, type TestSocket } from "../support/workerd/socket.ts";

const NO_ROOM = `hr1.ht.${"A".repeat(43)}.${"A".repeat(43)}`;

describe("opening a socket", () => {
  it("with the credential in a subprotocol selects handraise.v1, never the token", async () => {
    const room = await createRoom();
    const ana = await room.human();
    const token = `token.${ana.token}`;
    for (const offered of [
      ["handraise.v1", token],
      [token, "handraise.v1"],
      ["handraise.v2", "handraise.v1", token],
    ]) {
      const response = await upgradeWith(...offered);
      expect(response.status).toBe(101);
      expect(response.headers.get("sec-websocket-protocol")).toBe("handraise.v1");
      expect(await rawSocketOf(response).frame()).toMatchObject({ type: "welcome" });
    }
  });

  it("with an Authorization needs no subprotocol, and selects it where it is offered", async () => {
    const room = await createRoom();
    const { token } = await room.resident();
    const authorization = `Bearer ${token}`;
    const bare = await upgrade({ authorization });
    expect(bare.status).toBe(101);
    expect(bare.headers.get("sec-websocket-protocol")).toBeNull();
    const named = await upgrade({ authorization, "sec-websocket-protocol": "handraise.v1" });
    expect(named.headers.get("sec-websocket-protocol")).toBe("handraise.v1");
    for (const response of [bare, named]) {
      expect(await rawSocketOf(response).frame()).toMatchObject({ type: "welcome" });
    }
  });

  it.each<[string, (ana: string, claude: string) => string[], number]>([
    [
      "a credential with another secret",
      (ana) => ["handraise.v1", `token.${withOtherSecret(ana)}`],
      CLOSE.unauthorized,
    ],
    ["no credential behind token.", () => ["handraise.v1", "token."], CLOSE.unauthorized],
    ["token.undefined", () => ["handraise.v1", "token.undefined"], CLOSE.unauthorized],
    [
      "two credentials",
      (ana, claude) => ["handraise.v1", `token.${ana}`, `token.${claude}`],
      CLOSE.unauthorized,
    ],
    [
      "the same credential twice",
      (ana) => ["handraise.v1", `token.${ana}`, `token.${ana}`],
      CLOSE.unauthorized,
    ],
    ["a Room that there is not", () => ["handraise.v1", `token.${NO_ROOM}`], CLOSE.roomNotFound],
    ["another version", (ana) => ["handraise.v2", `token.${ana}`], CLOSE.versionNotSpoken],
    ["no version", (ana) => [`token.${ana}`], CLOSE.versionNotSpoken],
  ])("with %s in a subprotocol is accepted and closed at once", async (_, offer, code) => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const offered = offer(ana.token, claude.token);
    const response = await upgradeWith(...offered);
    expect(response.status).toBe(101);
    // A browser fails a socket that selects none of what it offered, and then tells no code.
    const named = offered.find((one) => one.startsWith("handraise."));
    expect(response.headers.get("sec-websocket-protocol")).toBe(named ?? null);
    expect(await rawSocketOf(response).closed()).toBe(code);
    expect(await room.inside((_, state) => state.getWebSockets().length)).toBe(0);
  });

  it("with an invite is refused: it only joins", async () => {
    const { created } = await createRoom();
    const response = await upgradeWith("handraise.v1", `token.${created.humanInvite}`);
    expect(await rawSocketOf(response).closed()).toBe(CLOSE.unauthorized);
    const inHeader = await upgrade({ authorization: `Bearer ${created.humanInvite}` });
    expect(inHeader.status).toBe(401);
  });

  it.each<[string, (token: string) => Record<string, string>, number, string]>([
    ["no credential", () => ({}), 401, "unauthorized"],
    [
      "no credential but a version",
      () => ({ "sec-websocket-protocol": "handraise.v1" }),
      401,
      "unauthorized",
    ],
    [
      "another secret",
      (token) => ({ authorization: `Bearer ${withOtherSecret(token)}` }),
      401,
      "unauthorized",
    ],
    [
      "two in one header",
      (token) => ({ authorization: `Bearer ${token}, Bearer ${token}` }),
      401,
      "unauthorized",
    ],
    [
      "a Room that there is not",
      () => ({ authorization: `Bearer ${NO_ROOM}` }),
      404,
      "room_not_found",
    ],
    [
      "another version",
      (token) => ({ authorization: `Bearer ${token}`, "sec-websocket-protocol": "handraise.v2" }),
      400,
      "invalid_request",
    ],
  ])("with %s in a header is an HTTP error", async (_, headers, status, code) => {
    const room = await createRoom();
    const ana = await room.human();
    const response = await upgrade(headers(ana.token));
    expect(response.status).toBe(status);
    expect(response.webSocket).toBeNull();
    expect(await response.json()).toMatchObject({ error: { code } });
    expect(response.headers.get("handraise-protocol")).toBe("1");
  });

  it("with one credential in a subprotocol and one in a header is refused", async () => {
    const room = await createRoom();
    const { token } = await room.human();
    const response = await upgrade({
      authorization: `Bearer ${token}`,
      "sec-websocket-protocol": `handraise.v1, token.${token}`,
    });
    expect(await rawSocketOf(response).closed()).toBe(CLOSE.unauthorized);
  });

  it("without an upgrade is a 426 that says which", async () => {
    const room = await createRoom();
    const { token } = await room.human();
    for (const headers of [{}, { upgrade: "h2c" }] as Record<string, string>[]) {
      const response = await worker().fetch(`${ORIGIN}/api/room/socket`, {
        headers: { ...headers, authorization: `Bearer ${token}` },
      });
      expect(response.status).toBe(426);
      expect(response.headers.get("upgrade")).toBe("websocket");
      expect(await response.json()).toMatchObject({ error: { code: "upgrade_required" } });
    }
  });

  it("is welcomed before anything else, even where other things happen at once", async () => {
    const room = await createRoom();
    const claude = await room.resident();
    const humans = await Promise.all(Array.from({ length: 4 }, (_, n) => room.human(`H${n}`)));
    const [sockets] = await Promise.all([
      Promise.all(humans.map((human) => openRaw(human.token))),
      ...Array.from({ length: 4 }, () => ask(claude)),
    ]);
    for (const socket of sockets) {
      expect((await socket.frame()).type).toBe("welcome");
      const later = (await socket.framesSoFar()).map(({ type }) => type);
      expect(later).not.toContain("welcome");
    }
  });
});

describe("a frame that cannot be used", () => {
  const UNUSABLE: [string, (requestId: string) => string | ArrayBuffer, string][] = [
    ["binary", (id) => bytes(JSON.stringify(decide(id))), "invalid_request"],
    ["empty", () => "", "invalid_json"],
    ["no JSON", () => "allow", "invalid_json"],
    ["half of a frame", (id) => JSON.stringify(decide(id)).slice(0, -1), "invalid_json"],
    ["PING in capitals", () => "PING", "invalid_json"],
    ["ping with a space", () => "ping ", "invalid_json"],
    ["a list", (id) => JSON.stringify([decide(id)]), "invalid_request"],
    ["null", () => "null", "invalid_request"],
    ["a text", (id) => JSON.stringify(JSON.stringify(decide(id))), "invalid_request"],
    [
      "without a type",
      (id) => JSON.stringify({ ...decide(id), type: undefined }),
      "invalid_request",
    ],
    [
      "of a type that there is not",
      (id) => JSON.stringify({ ...decide(id), type: "approve" }),
      "invalid_request",
    ],
    [
      "of a type in another case",
      (id) => JSON.stringify({ ...decide(id), type: "Decide" }),
      "invalid_request",
    ],
    [
      "of a type that is no text",
      (id) => JSON.stringify({ ...decide(id), type: 1 }),
      "invalid_request",
    ],
    ["of a name on Object.prototype", () => '{"type":"toString"}', "invalid_request"],
    [
      "of a type that only the Room sends",
      (id) => JSON.stringify({ type: "card_settled", requestId: id }),
      "invalid_request",
    ],
    // B18
    [
      "without a requestId",
      (id) => JSON.stringify({ ...decide(id), requestId: undefined }),
      "invalid_request",
    ],
    [
      "without an optionId",
      (id) => JSON.stringify({ ...decide(id), optionId: undefined }),
      "invalid_request",
    ],
    [
      "with an empty optionId",
      (id) => JSON.stringify({ ...decide(id), optionId: "" }),
      "invalid_request",
    ],
    [
      "with a list of optionIds",
      (id) => JSON.stringify({ ...decide(id), optionId: ["allow-1"] }),
      "invalid_request",
    ],
    [
      "with a ref of 65 bytes",
      (id) => JSON.stringify({ ...decide(id), ref: "r".repeat(65) }),
      "invalid_request",
    ],
    [
      "with a ref of 33 two-byte letters",
      (id) => JSON.stringify({ ...decide(id), ref: "é".repeat(33) }),
      "invalid_request",
    ],
    [
      "with a ref that is no text",
      (id) => JSON.stringify({ ...decide(id), ref: 1 }),
      "invalid_request",
    ],
    [
      "with a lone surrogate",
      (id) => JSON.stringify(decide(id)).replace("allow-1", String.raw`\ud800`),
      "invalid_request",
    ],
    [
      "with one where nobody looks",
      (id) => JSON.stringify({ ...decide(id), x: "X" }).replace('"X"', String.raw`"\ud800"`),
      "invalid_request",
    ],
    [
      "with a number out of range",
      (id) => JSON.stringify({ ...decide(id), x: 0 }).replace(":0}", ":1e999}"),
      "invalid_request",
    ],
    [
      "of 5 000 levels",
      (id) =>
        JSON.stringify({ ...decide(id), x: 0 }).replace(
          ":0}",
          `:${"[".repeat(5000)}${"]".repeat(5000)}}`,
        ),
      "invalid_request",
    ],
  ];

  it.each(UNUSABLE)("%s: is rejected once, and the socket stays", async (_, makeFrame, code) => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const requestId = await ask(claude);
    const a = await openRaw(ana.token);
    await a.framesSoFar();
    a.send(makeFrame(requestId));
    const [rejected, ...more] = await a.framesSoFar();
    expect(rejected).toMatchObject({ type: "rejected", error: { code } });
    expect(more).toEqual([]);
    expect((await statusAs(ana, requestId)).body.state).toBe("pending");
    a.send(JSON.stringify({ ...decide(requestId), ref: "after" }));
    expect(await a.frame()).toMatchObject({ type: "accepted", ref: "after" });
  });

  it("is rejected with its ref, where that can be told", async () => {
    const room = await createRoom();
    const ana = await room.human();
    const a = await openRaw(ana.token);
    await a.framesSoFar();
    for (const ref of ["", "r".repeat(64), "é".repeat(32)]) {
      a.send(JSON.stringify({ type: "decide", ref }));
      expect(await a.frame()).toMatchObject({ type: "rejected", ref });
    }
    a.send(JSON.stringify({ type: "decide" }));
    expect(await a.frame()).not.toHaveProperty("ref");
  });
});

describe("a frame's size", () => {
  it("may be the limit; one byte more closes the socket, and counts bytes, not letters", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const requestId = await ask(claude);
    const frameOf = (size: number, letter: string): string => {
      const empty = JSON.stringify({ ...decide(requestId), optionId: "nope", pad: "" });
      const letters = Math.floor((size - empty.length) / new TextEncoder().encode(letter).length);
      const frame = empty.replace('"pad":""', `"pad":"${letter.repeat(letters)}"`);
      return frame + " ".repeat(size - new TextEncoder().encode(frame).length);
    };
    for (const letter of ["a", "é", "😀"]) {
      const a = await openRaw(ana.token);
      await a.framesSoFar();
      a.send(frameOf(limits.FRAME_BYTES, letter));
      expect(await a.frame()).toMatchObject({
        type: "rejected",
        error: { code: "option_not_offered" },
      });
      a.send(frameOf(limits.FRAME_BYTES + 1, letter));
      expect(await a.closed()).toBe(CLOSE.frameTooLarge);
    }
    expect((await statusAs(ana, requestId)).body.state).toBe("pending");
  });

  it("that closes one socket leaves all others alone", async () => {
    const room = await createRoom();
    const [ana, ben] = [await room.human("Ana"), await room.human("Ben")];
    const [a1, a2, b] = [await openRaw(ana.token), await ana.socket(), await ben.socket()];
    a1.send("x".repeat(limits.FRAME_BYTES + 1));
    expect(await a1.closed()).toBe(CLOSE.frameTooLarge);
    for (const socket of [a2, b]) {
      expect(await socket.ask({ type: "nothing" })).toMatchObject({ type: "rejected" });
    }
  });
});

describe("how many sockets", () => {
  it("a human has: sixteen, and one more closes the oldest, in order of acceptance", async () => {
    const room = await createRoom();
    const [ana, ben] = [await room.human("Ana"), await room.human("Ben")];
    const other = await ben.socket();
    const sockets: RawSocket[] = [];
    for (let n = 0; n < limits.SOCKETS_PER_HUMAN; n += 1) sockets.push(await openRaw(ana.token));
    for (const socket of sockets) await socket.framesSoFar();
    for (const oldest of sockets.slice(0, 3)) {
      sockets.push(await openRaw(ana.token));
      expect(await oldest.closed()).toBe(CLOSE.replaced);
      // The order is kept where the object has lost its memory in between.
      await room.evict();
    }
    for (const socket of sockets.slice(3)) await socket.framesSoFar();
    expect(await other.ask({ type: "nothing" })).toMatchObject({ type: "rejected" });
  });

  it("a human has: one that closed by itself makes room", async () => {
    const room = await createRoom();
    const ana = await room.human();
    const sockets: RawSocket[] = [];
    for (let n = 0; n < limits.SOCKETS_PER_HUMAN; n += 1) sockets.push(await openRaw(ana.token));
    sockets[5]?.close();
    await sockets[5]?.closed();
    sockets.splice(5, 1, await openRaw(ana.token));
    for (const socket of sockets) {
      expect((await socket.framesSoFar())[0]).toMatchObject({ type: "welcome" });
    }
  });

  // B47
  it("a resident has: one, and a newer one closes the older", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const [a, first] = [await ana.socket(), await claude.socket()];
    const requestId = await ask(claude);
    const second = await openSocket(worker(), ORIGIN, claude.token);
    expect(await first.closed()).toBe(CLOSE.replaced);
    await a.ask({ type: "decide", requestId, optionId: "allow-1" });
    expect((await second.next("decision")).requestId).toBe(requestId);
  });
});

describe("ping", () => {
  it("is answered pong, before and after the object has lost its memory", async () => {
    const room = await createRoom();
    const ana = await room.human();
    const a = await openRaw(ana.token);
    await a.framesSoFar();
    a.send("ping");
    expect(await a.text()).toBe("pong");
    await room.evict();
    a.send("ping");
    expect(await a.text()).toBe("pong");
    a.send(JSON.stringify({ type: "nothing", ref: "still here" }));
    expect(await a.frame()).toMatchObject({ type: "rejected", ref: "still here" });
  });

  it("is left to the runtime by a resident's socket too", async () => {
    const room = await createRoom();
    const claude = await room.resident();
    const r = await openRaw(claude.token);
    await r.framesSoFar();
    r.send("ping");
    expect(await r.text()).toBe("pong");
  });
});

describe("the answer to a frame", () => {
  it("comes before everything that the frame causes on the same socket", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const [a, r] = [await openRaw(ana.token), await openRaw(claude.token)];
    const requestId = await ask(claude);
    await Promise.all([a.framesSoFar(), r.framesSoFar()]);
    a.send(JSON.stringify({ ...decide(requestId), ref: "mine" }));
    expect(await a.frame()).toMatchObject({ type: "accepted", ref: "mine", status: { requestId } });
    expect(await a.frame()).toMatchObject({ type: "card_settled", requestId });
    expect(await r.frame()).toMatchObject({ type: "decision", requestId });
    r.send(JSON.stringify({ type: "decision_ack", requestId, applied: true, ref: "ack" }));
    expect(await r.frame()).toMatchObject({ type: "accepted", ref: "ack", status: { requestId } });
    expect(await a.frame()).toMatchObject({ type: "card_delivery", requestId });
    r.send(JSON.stringify({ type: "resume", parked: [requestId], answered: [], ref: "back" }));
    expect(await r.frame()).toEqual({ type: "accepted", ref: "back" });
    expect(await r.frame()).toMatchObject({ type: "decision", requestId });
    expect(await a.framesSoFar()).toEqual([]);
  });

  it("of a frame without a ref has none, and each frame gets one, in order", async () => {
    const room = await createRoom();
    const ana = await room.human();
    const a = await openRaw(ana.token);
    await a.framesSoFar();
    for (let n = 0; n < 20; n += 1) {
      a.send(JSON.stringify(n % 2 === 0 ? { type: "x" } : { type: "x", ref: `${n}` }));
    }
    const refs = (await a.framesSoFar()).map(({ ref }) => ref);
    expect(refs).toEqual(Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? undefined : `${n}`)));
  });
});

function decide(requestId: string): { type: string; requestId: string; optionId: string } {
  return { type: "decide", requestId, optionId: "allow-1" };
}

function bytes(text: string): ArrayBuffer {
  return new TextEncoder().encode(text).buffer as ArrayBuffer;
}

function withOtherSecret(credential: string): string {
  return `${credential.slice(0, -2)}${credential.at(-2) === "A" ? "B" : "A"}${credential.slice(-1)}`;
}

describe("an attempt that the network held back", () => {
  const protocols = (token: string, attempt: string): Record<string, string> => ({
    "sec-websocket-protocol": `handraise.v1, token.${token}, attempt.${attempt}`,
  });

  it("does not take over from a later one of the same client, whatever the role", async () => {
    const room = await createRoom();
    for (const member of [await room.human(), await room.resident()]) {
      const open = (attempt: string): Promise<TestSocket> =>
        openSocket(worker(), ORIGIN, member.token, protocols(member.token, attempt));
      const newer = await open("client-a.2");
      const late = await open("client-a.1");
      expect(await late.closed()).toBe(4000);
      await room.evict();
      const later = await open("client-a.0");
      expect(await later.closed()).toBe(4000);
      expect((await newer.next("welcome")).you.participantId).toBe(member.participantId);
      expect(await newer.soFar("welcome")).toEqual([]);
    }
  });

  it("given up by its page has no say any more; another page of the same human keeps its own", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const requestId = await ask(claude);
    const open = (attempt: string): Promise<TestSocket> =>
      openSocket(worker(), ORIGIN, ana.token, protocols(ana.token, attempt));
    const other = await open("client-b.1");
    const givenUp = await open("client-a.1");
    const current = await open("client-a.2");
    expect(await givenUp.closed()).toBe(4000);
    await room.inside((object, state) => {
      const gone = state
        .getWebSockets(`p:${ana.participantId}`)
        .find((socket) => socket.deserializeAttachment()?.isGone === true);
      if (gone === undefined) return;
      const frame = { type: "decide", requestId, optionId: "allow-1" };
      void object.webSocketMessage(gone, JSON.stringify(frame));
    });
    expect((await statusAs(ana, requestId)).body.state).toBe("pending");
    const answer = await other.ask({ type: "decide", requestId, optionId: "no-2" });
    expect(answer.type).toBe("accepted");
    expect((await current.next("card_settled")).settlement.state).toBe("decided");
  });

  it("that is named in no known form counts as none", async () => {
    const room = await createRoom();
    const claude = await room.resident();
    for (const attempt of ["x", "client-a", "client-a.-1", "client-a.1e3", "client a.1"]) {
      const socket = await openSocket(
        worker(),
        ORIGIN,
        claude.token,
        protocols(claude.token, attempt),
      );
      expect((await socket.next("welcome")).you.role).toBe("resident");
    }
  });
});
