import { describe, expect, it } from "vitest";
import { CLOSE, limits } from "../../src/protocol/index.ts";
import { stopClock } from "../support/workerd/clock.ts";
import { decideAs, historyAs, recordsAs } from "../support/workerd/commands.ts";
import { ackAs, ask, call, createRoom, statusAs, type TestRoom } from "../support/workerd/room.ts";
import { tablesOf } from "../support/workerd/storage.ts";

const { ROOM_UNJOINED_MS, ROOM_IDLE_MS, ROOM_MAX_MS, CALL_FRESH_MS } = limits;

function exists(room: TestRoom): Promise<boolean> {
  return room.inside((_, { storage }) => tablesOf(storage).length > 0);
}

function armedFor(room: TestRoom): Promise<number | null> {
  return room.inside((_, state) => state.storage.getAlarm());
}

/** From inside itself the alarm is never armed for sooner than this. */
const REARM_MS = 100;

/** Runs the alarm, which must be armed for about now: nothing else would end the Room. */
async function alarmNow(room: TestRoom): Promise<void> {
  expect(await armedFor(room)).toBeLessThanOrEqual(Date.now() + REARM_MS);
  await room.alarm();
}

/** Somebody joined and is away since a minute; the alarm has noticed. */
async function idleRoom() {
  const clock = stopClock();
  const room = await createRoom();
  const [ana, claude] = [await room.human(), await room.resident()];
  clock.advance(CALL_FRESH_MS);
  await room.alarm();
  return { room, ana, claude, clock };
}

describe("a Room that nobody joined", () => {
  it("ends after an hour, and not a millisecond earlier", async () => {
    const clock = stopClock();
    const room = await createRoom();
    clock.advance(ROOM_UNJOINED_MS - 1);
    await room.alarm();
    expect(await exists(room)).toBe(true);
    clock.advance(1);
    await room.alarm();
    expect(await exists(room)).toBe(false);
    const late = await call("POST", "/api/room/join", {
      token: room.created.humanInvite,
      body: { name: "Late" },
    });
    expect([late.status, late.body.error?.code]).toEqual([404, "room_not_found"]);
  });

  it("has an alarm for that from the start, and lives on where somebody joined in time", async () => {
    const clock = stopClock();
    const [left, joined] = [await createRoom(), await createRoom()];
    expect(await armedFor(left)).toBe(clock.now() + ROOM_UNJOINED_MS);
    clock.advance(ROOM_UNJOINED_MS - 1);
    await joined.resident();
    clock.advance(1);
    for (const room of [left, joined]) await alarmNow(room);
    expect(await exists(left)).toBe(false);
    expect(await exists(joined)).toBe(true);
  });
});

describe("a Room with nobody in it", () => {
  it("ends after 24 hours, and not a millisecond earlier", async () => {
    const { room, ana, clock } = await idleRoom();
    expect(await armedFor(room)).toBe(clock.now() + ROOM_IDLE_MS);
    clock.advance(ROOM_IDLE_MS - 1);
    await room.alarm();
    expect(await exists(room)).toBe(true);
    clock.advance(1);
    await room.alarm();
    expect(await exists(room)).toBe(false);
    expect((await call("GET", "/api/room", { token: ana.token })).status).toBe(404);
    expect(await armedFor(room)).toBeNull();
  });

  it("counts from the last socket's end, and through an eviction", async () => {
    const clock = stopClock();
    const room = await createRoom();
    const ana = await room.human();
    const a = await ana.socket();
    clock.advance(CALL_FRESH_MS);
    a.close();
    await room.disconnected(ana);
    clock.advance(ROOM_IDLE_MS - 1);
    await room.evict("close");
    await room.alarm();
    expect(await exists(room)).toBe(true);
    clock.advance(1);
    await alarmNow(room);
    expect(await exists(room)).toBe(false);
  });

  it.each([
    ["a look at the Room", (token: string) => call("GET", "/api/room", { token })],
    ["a status", (token: string) => call("GET", "/api/room/permissions/request-none", { token })],
    [
      "an invite",
      (token: string) => call("POST", "/api/room/invites", { token, body: { role: "human" } }),
    ],
    ["a look at the history", (token: string) => call("GET", "/api/room/history", { token })],
  ])("starts again after %s", async (_name, act) => {
    const { room, ana, clock } = await idleRoom();
    clock.advance(ROOM_IDLE_MS - CALL_FRESH_MS);
    await act(ana.token);
    clock.advance(CALL_FRESH_MS);
    await alarmNow(room);
    expect(await exists(room)).toBe(true);
    clock.advance(ROOM_IDLE_MS - 1);
    await room.alarm();
    expect(await exists(room)).toBe(true);
    clock.advance(1);
    await room.alarm();
    expect(await exists(room)).toBe(false);
  });

  it("starts again after somebody joins, or a socket opens", async () => {
    for (const isJoin of [true, false]) {
      const { room, ana, clock } = await idleRoom();
      clock.advance(ROOM_IDLE_MS - 1);
      if (isJoin) await room.human("New");
      else await ana.socket();
      clock.advance(1);
      await alarmNow(room);
      expect(await exists(room)).toBe(true);
    }
  });

  it("lives on while a card is pending, and while a decision waits", async () => {
    const clock = stopClock();
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const [pending, decided] = [
      await ask(claude, { expiresInMs: limits.EXPIRES_IN_MAX_MS }),
      await ask(claude, { expiresInMs: limits.EXPIRES_IN_MAX_MS }),
    ];
    await decideAs(ana, decided, "no-2");
    clock.advance(limits.EXPIRES_IN_MAX_MS - 1);
    await room.alarm();
    expect(await exists(room)).toBe(true);
    // Both are over at one time, and what expired then waits a minute more.
    clock.advance(1);
    await alarmNow(room);
    expect(await exists(room)).toBe(true);
    clock.advance(limits.DELIVERY_GRACE_MS);
    await alarmNow(room);
    const idleSince = clock.now();
    clock.advance(ROOM_IDLE_MS - 1);
    await room.alarm();
    expect(await exists(room)).toBe(true);
    clock.set(idleSince + ROOM_IDLE_MS);
    await alarmNow(room);
    expect(await exists(room)).toBe(false);
    expect((await statusAs(claude, pending)).status).toBe(404);
  });

  it("lives on while somebody has a socket that pings", async () => {
    const { room, ana, clock } = await idleRoom();
    const a = await ana.socket();
    for (let hour = 0; hour < 26; hour += 1) {
      clock.advance(3_600_000);
      // What keeps a socket live here is a frame: the runtime stamps its pings by the real clock.
      await room.inside((object, state) =>
        object.webSocketMessage(state.getWebSockets()[0] as WebSocket, "{}"),
      );
      await room.alarm();
    }
    expect(await exists(room)).toBe(true);
    expect((await a.ask({ type: "say", text: "still here" })).type).toBe("accepted");
  });
});

describe("any Room", () => {
  it("ends after 30 days, whoever is in it and whatever is pending, and says so", async () => {
    const clock = stopClock();
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const sent = await ask(claude);
    await decideAs(ana, sent, "allow-1");
    await ackAs(claude, sent, true);
    const created = room.created.createdAt;
    for (let at = created; at < created + ROOM_MAX_MS - ROOM_IDLE_MS; at += ROOM_IDLE_MS / 2) {
      clock.set(at);
      await historyAs(ana);
      await room.alarm();
    }
    clock.set(created + ROOM_MAX_MS - 1);
    const [a, r] = [await ana.socket(), await claude.socket()];
    const requestId = await ask(claude, { expiresInMs: 3_600_000 });
    await room.alarm();
    expect(await recordsAs(ana)).toHaveLength(1);
    clock.advance(1);
    await alarmNow(room);
    expect((await a.next("card_settled")).settlement).toMatchObject({ reason: "room_closed" });
    expect((await r.next("decision")).requestId).toBe(requestId);
    expect([await a.closed(), await r.closed()]).toEqual([CLOSE.roomClosed, CLOSE.roomClosed]);
    expect(await exists(room)).toBe(false);
  });
});
