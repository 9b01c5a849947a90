import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { limits, type RoomJoined, type RoomView } from "../../src/protocol/index.ts";
import {
  ask,
  call,
  createRoom,
  type Member,
  post,
  freshId,
  type Reply,
  statusAs,
  type TestRoom,
} from "../support/workerd/room.ts";
import { openRaw } from "../support/workerd/raw-socket.ts";
import { dumpRoom } from "../support/workerd/storage.ts";

// Only the Room's own clock is moved: the runtime's stamp of an answered ping stays real.
const REAL_START = Date.now();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: REAL_START });
});

afterEach(() => {
  vi.useRealTimers();
});

function pass(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

/** Makes the Room look at who is here, by a call of someone that has a socket. */
async function view(member: Member): Promise<RoomView> {
  return (await call<RoomView>("GET", "/api/room", { token: member.token })).body;
}

async function presentNames(member: Member): Promise<string[]> {
  const { participants } = await view(member);
  return participants
    .filter(({ present }) => present)
    .map(({ name }) => name)
    .sort();
}

async function humansPresent(room: TestRoom): Promise<number> {
  const resident = await room.resident();
  return (await post(resident, freshId())).body.humansPresent;
}

function join(room: TestRoom, name: string): Promise<Reply<RoomJoined>> {
  return call("POST", "/api/room/join", { token: room.created.humanInvite, body: { name } });
}

describe("the Room's clock in these tests", () => {
  it("is the test's", async () => {
    const room = await createRoom();
    const ana = await room.human();
    pass(3_600_000);
    expect((await view(ana)).serverTime).toBe(REAL_START + 3_600_000);
  });
});

describe("a change of presence", () => {
  it("is announced when a socket opens and when it closes, to everyone and once", async () => {
    const room = await createRoom();
    const [ana, ben, claude] = [
      await room.human("Ana"),
      await room.human("Ben"),
      await room.resident(),
    ];
    pass(limits.CALL_FRESH_MS);
    const [a, r] = [await ana.socket(), await claude.socket()];
    const isBen = ({ participant }: { participant: { name: string } }): boolean =>
      participant.name === "Ben";
    await a.next("participant_changed", (frame) => isBen(frame) && !frame.participant.present);
    await r.soFar("participant_changed");
    const b = await ben.socket();
    for (const socket of [a, r]) {
      const changed = await socket.next(
        "participant_changed",
        (frame) => isBen(frame) && frame.participant.present,
      );
      expect(changed.participant).toEqual({
        participantId: ben.participantId,
        role: "human",
        name: "Ben",
        present: true,
      });
    }
    b.close();
    for (const socket of [a, r]) {
      const changed = await socket.next("participant_changed", isBen);
      expect(changed.participant.present).toBe(false);
    }
    expect((await a.soFar("participant_changed")).filter(isBen)).toEqual([]);
    expect(await presentNames(ana)).toEqual(["Ana", "claude"]);
  });

  it("is announced when somebody joins", async () => {
    const room = await createRoom();
    const a = await (await room.human("Ana")).socket();
    const ben = await room.human("Ben");
    const { participant } = await a.next("participant_changed");
    expect(participant).toMatchObject({ participantId: ben.participantId, present: true });
  });

  it("is none while another of the participant's sockets is open", async () => {
    const room = await createRoom();
    const [ana, ben] = [await room.human("Ana"), await room.human("Ben")];
    pass(limits.CALL_FRESH_MS);
    const a = await ana.socket();
    await a.next("participant_changed", ({ participant }) => !participant.present);
    const [one, two] = [await openRaw(ben.token), await openRaw(ben.token)];
    await a.next("participant_changed", ({ participant }) => participant.present);
    one.close();
    await one.closed();
    expect(await presentNames(ana)).toEqual(["Ana", "Ben"]);
    expect(await a.soFar("participant_changed")).toEqual([]);
    two.close();
    const { participant } = await a.next("participant_changed");
    expect(participant).toMatchObject({ name: "Ben", present: false });
  });
});

describe("humansPresent", () => {
  it("counts participants, not sockets, and no residents", async () => {
    const room = await createRoom();
    const ana = await room.human("Ana");
    await Promise.all([ana.socket(), ana.socket(), ana.socket()]);
    expect(await humansPresent(room)).toBe(1);
    await room.human("Ben");
    expect(await humansPresent(room)).toBe(2);
  });

  it("is in the status that a decision is answered with", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const a = await ana.socket();
    const requestId = await ask(claude);
    const answer = await a.ask({ type: "decide", requestId, optionId: "no-2" });
    expect(answer).toMatchObject({ status: { humansPresent: 1 } });
  });
});

describe("a participant without a socket", () => {
  it("counts for 60 s after a call, and not a millisecond longer", async () => {
    const room = await createRoom();
    await room.human("Ana");
    pass(limits.CALL_FRESH_MS - 1);
    expect(await humansPresent(room)).toBe(1);
    pass(1);
    expect(await humansPresent(room)).toBe(0);
  });

  it("counts again after the next call, which is stored at most every 30 s", async () => {
    const room = await createRoom();
    const ana = await room.human("Ana");
    pass(limits.CALL_STORE_INTERVAL_MS - 1);
    const before = await dumpRoom(room);
    await statusAs(ana, freshId());
    expect(await dumpRoom(room)).toBe(before);
    pass(1);
    await statusAs(ana, freshId());
    expect(await dumpRoom(room)).not.toBe(before);
    pass(limits.CALL_FRESH_MS - 1);
    expect(await humansPresent(room)).toBe(1);
    pass(1);
    expect(await humansPresent(room)).toBe(0);
    await view(ana);
    expect(await humansPresent(room)).toBe(1);
  });
});

describe("a participant whose socket has gone silent", () => {
  it("counts by its own call, which the silent socket does not hide", async () => {
    const room = await createRoom();
    const ana = await room.human("Ana");
    const silent = await openRaw(ana.token);
    pass(limits.SOCKET_FRESH_MS);
    expect(await presentNames(ana)).toEqual(["Ana"]);
    expect(await silent.closed()).toBe(1001);
    pass(limits.CALL_FRESH_MS - 1);
    expect(await humansPresent(room)).toBe(1);
    pass(1);
    expect(await humansPresent(room)).toBe(0);
  });
});

// B46
describe("a socket that does not ping", () => {
  it("is closed after 90 s and announced at the next event, which is not before", async () => {
    const room = await createRoom();
    const [ana, ben] = [await room.human("Ana"), await room.human("Ben")];
    const silent = await openRaw(ben.token);
    pass(limits.SOCKET_FRESH_MS - 1);
    const a = await ana.socket();
    expect(await presentNames(ana)).toEqual(["Ana", "Ben"]);
    pass(1);
    expect(await presentNames(ana)).toEqual(["Ana"]);
    expect(await silent.closed()).toBe(1001);
    const { participant } = await a.next("participant_changed");
    expect(participant).toMatchObject({ name: "Ben", present: false });
    expect(await a.soFar("participant_changed")).toEqual([]);
  });

  it("is left alone where it pinged, the object's memory lost or not", async () => {
    const room = await createRoom();
    const claude = await room.resident();
    // Accepted long ago by the Room's clock; the ping is answered now.
    pass(-limits.SOCKET_FRESH_MS - 1_000);
    const ben = await room.human("Ben");
    const [pinging, silent] = [await openRaw(ben.token), await openRaw(ben.token)];
    await pinging.framesSoFar();
    pinging.send("ping");
    expect(await pinging.text()).toBe("pong");
    await room.evict();
    vi.setSystemTime(REAL_START);
    const { body } = await post(claude, freshId());
    expect(body.humansPresent).toBe(1);
    expect(await silent.closed()).toBe(1001);
    const types = (await pinging.framesSoFar()).map(({ type }) => type);
    expect(types).toContain("card_opened");
  });

  it("is left alone where it sent a frame, and a decision after long silence is answered", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human("Ana"), await room.resident()];
    const a = await openRaw(ana.token);
    await a.framesSoFar();
    const requestId = await ask(claude);
    pass(2 * limits.SOCKET_FRESH_MS);
    a.send(JSON.stringify({ type: "decide", requestId, optionId: "allow-1", ref: "late" }));
    const accepted = (await a.framesSoFar()).find(({ ref }) => ref === "late");
    expect(accepted).toMatchObject({ type: "accepted", status: { state: "decided" } });
    pass(limits.SOCKET_FRESH_MS - 1);
    expect(await humansPresent(room)).toBe(1);
    pass(1);
    expect(await humansPresent(room)).toBe(0);
    expect(await a.closed()).toBe(1001);
  });

  it("gets no frames and keeps nobody from getting theirs", async () => {
    const room = await createRoom();
    const [ana, ben, claude] = [
      await room.human("Ana"),
      await room.human("Ben"),
      await room.resident(),
    ];
    const ghost = await openRaw(ben.token);
    await ghost.framesSoFar();
    pass(limits.SOCKET_FRESH_MS);
    const a = await ana.socket();
    const requestId = await ask(claude);
    expect((await a.next("card_opened")).card.requestId).toBe(requestId);
    expect(await ghost.closed()).toBe(1001);
    await a.ask({ type: "decide", requestId, optionId: "allow-1" });
    await a.next("card_settled");
  });
});

describe("an eviction", () => {
  it("that leaves the sockets announces nothing, and forgets nobody", async () => {
    const room = await createRoom();
    const [ana, ben] = [await room.human("Ana"), await room.human("Ben")];
    const [a, b] = [await ana.socket(), await ben.socket()];
    await Promise.all([a.soFar("welcome"), b.soFar("welcome")]);
    pass(limits.CALL_FRESH_MS);
    await room.evict();
    expect(await presentNames(ana)).toEqual(["Ana", "Ben"]);
    const changes = (await a.soFar("participant_changed")).map(
      ({ participant }) => participant.present,
    );
    expect(changes).not.toContain(false);
    b.close();
    const { participant } = await a.next(
      "participant_changed",
      (frame) => !frame.participant.present,
    );
    expect(participant.name).toBe("Ben");
  });

  it("that cuts the sockets is noticed at the next event", async () => {
    const room = await createRoom();
    const [ana, ben] = [await room.human("Ana"), await room.human("Ben")];
    await ana.socket();
    await ben.socket();
    pass(limits.CALL_FRESH_MS);
    await room.evict("close");
    const a = await ana.socket();
    const { participant } = await a.next("participant_changed");
    expect(participant).toMatchObject({ name: "Ben", present: false });
    expect(await presentNames(ana)).toEqual(["Ana"]);
  });
});

describe("a name", () => {
  it("that equals another's gets a number, letter case and compatibility forms folded", async () => {
    const room = await createRoom();
    const names: string[] = [];
    for (const name of [
      "Ana",
      "ana",
      "ANA",
      "Ａna",
      "Straße",
      "STRASSE",
      "José",
      "Jose\u0301",
      "Ana (2)",
    ]) {
      names.push((await join(room, name)).body.name);
    }
    expect(names).toEqual([
      "Ana",
      "ana (2)",
      "ANA (3)",
      "Ａna (4)",
      "Straße",
      "STRASSE (2)",
      "José",
      "José (2)",
      "Ana (2) (2)",
    ]);
    expect((await room.resident("aNA")).name).toBe("aNA (5)");
  });

  it.each([
    ["  Ana \t\n  Maria  ", "Ana Maria"],
    ["A\u0000n\u0007a", "Ana"],
    ["\u202Eana\u202C", "ana"],
    ["A\u200Bn\u200Da\uFEFF", "Ana"],
    ["\u2066Ana\u2069", "Ana"],
    ["A\u00ADna\u2060", "Ana"],
    ["An\u{E0061}a", "Ana"],
    ["\u3164Ana", "Ana"],
    ["Jose\u0301", "José"],
    ["علي", "علي"],
    ["<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
    ["😀".repeat(80), "😀".repeat(80)],
  ])("%j is stored as %j", async (sent, stored) => {
    const reply = await join(await createRoom(), sent);
    expect(reply.status).toBe(201);
    expect(reply.body.name).toBe(stored);
  });

  it.each([
    ["", "  ", "\u200B\u202E", "\u2800", "\u3164"],
    ["a".repeat(81)],
    [null],
    [1],
    [["Ana"]],
    [{}],
  ])("%j is refused, and nobody joins", async (...bad) => {
    const room = await createRoom();
    for (const name of bad) {
      const reply = await call("POST", "/api/room/join", {
        token: room.created.humanInvite,
        body: { name },
      });
      expect(reply.status).toBe(400);
      expect(reply.body.error).toMatchObject({
        code: "invalid_request",
        issues: [{ path: ["name"] }],
      });
    }
    expect((await view(await room.human())).participants).toHaveLength(1);
  });

  it("of 80 letters that is taken still gets its number within 80", async () => {
    const room = await createRoom();
    await join(room, "a".repeat(80));
    expect((await join(room, "A".repeat(80))).body.name).toBe(`${"A".repeat(76)} (2)`);
  });

  it("of a Room is cleaned the same way, and has a default", async () => {
    const named = await call("POST", "/api/rooms", { body: { name: " My\u202E  Room " } });
    expect(named.body["name"]).toBe("My Room");
    expect((await call("POST", "/api/rooms", { body: {} })).body["name"]).toBe("Room");
  });
});

describe("a full Room", () => {
  it("takes 600 participants and refuses the next, who leaves no trace", async () => {
    const room = await createRoom();
    const ana = await room.human("Ana");
    await room.inside((_, { storage }) => {
      for (let n = 2; n < limits.PARTICIPANTS; n += 1) {
        storage.sql.exec(
          "INSERT INTO participant (participant_id, role, name, name_key, joined_at, called_at) VALUES (?1, 'human', ?1, ?1, 0, 0)",
          `extra-${n}`,
        );
      }
    });
    expect((await join(room, "The last")).status).toBe(201);
    const before = await dumpRoom(room);
    for (const invite of [room.created.humanInvite, room.created.residentInvite]) {
      const reply = await call("POST", "/api/room/join", { token: invite, body: { name: "Late" } });
      expect(reply.status).toBe(429);
      expect(reply.body.error?.code).toBe("room_full");
    }
    expect(await dumpRoom(room)).toBe(before);
    expect((await view(ana)).participants).toHaveLength(limits.PARTICIPANTS);
  });

  it("keeps places that residents cannot take", async () => {
    const room = await createRoom();
    await room.inside((_, { storage }) => {
      for (let n = 0; n < limits.PARTICIPANTS - limits.PLACES_FOR_HUMANS - 1; n += 1) {
        storage.sql.exec(
          "INSERT INTO participant (participant_id, role, name, name_key, joined_at, called_at) VALUES (?1, 'resident', ?1, ?1, 0, 0)",
          `extra-${n}`,
        );
      }
    });
    const asResident = (): Promise<Reply> =>
      call("POST", "/api/room/join", {
        token: room.created.residentInvite,
        body: { name: "Agent" },
      });
    expect((await asResident()).status).toBe(201);
    expect((await asResident()).status).toBe(429);
    expect((await join(room, "Ana")).status).toBe(201);
  });
});
