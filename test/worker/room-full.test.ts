import { describe, expect, it } from "vitest";
import { CLOSE, limits } from "../../src/protocol/index.ts";
import { stopClock } from "../support/workerd/clock.ts";
import { dismissAs, historyAs } from "../support/workerd/commands.ts";
import { fillCards } from "../support/workerd/fill.ts";
import {
  ask,
  call,
  createRoom,
  freshId,
  type Member,
  post,
  type TestRoom,
} from "../support/workerd/room.ts";
import { upgrade } from "../support/workerd/raw-socket.ts";

/** Participants without sockets who called a moment ago. */
function fillPresent(room: TestRoom, role: "human" | "resident", count: number): Promise<void> {
  return room.inside((_, { storage }) => {
    storage.sql.exec(
      `WITH RECURSIVE counter (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < ${count})
       INSERT INTO participant (participant_id, role, name, name_key, joined_at, called_at, is_present)
       SELECT '${role}-' || n, '${role}', '${role} ' || n, '${role} ' || n, ${Date.now()}, ${Date.now()}, 1 FROM counter`,
    );
  });
}

const TOO_MANY = [429, "too_many_pending"];

function codeOf(reply: { status: number; body: { error?: { code: string } } }): unknown[] {
  return [reply.status, reply.body.error?.code];
}

describe("10 000 records", () => {
  it("fill a Room; what is there is still answered and read", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    await fillCards(room, { count: limits.RECORDS_PER_ROOM - 1, state: "expired" });
    const last = freshId();
    expect((await post(claude, last)).status).toBe(201);
    expect(codeOf(await post(claude, freshId()))).toEqual([429, "room_full"]);
    expect((await post(claude, last)).body.duplicate).toBe(true);
    await dismissAs(ana, last);
    expect(codeOf(await post(claude, freshId()))).toEqual([429, "room_full"]);
    const lines = (await (await historyAs(ana, "?format=csv")).text()).split("\r\n");
    expect(lines.slice(1, -1)).toHaveLength(limits.RECORDS_PER_ROOM);
    expect(lines.at(-2)).toContain(last);
    const { recent } = await (await (await room.human("New")).socket()).next("welcome");
    expect(recent).toHaveLength(limits.RECENT_CARDS);
  });

  // B113
  it("are far more than the 2 000 after which the next request is still taken at once", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    await fillCards(room, { count: 2000, state: "expired" });
    // The quickest of a few: this machine has other things to do as well.
    const took: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const from = performance.now();
      await ask(claude);
      took.push(performance.now() - from);
    }
    expect(Math.min(...took)).toBeLessThan(200);
    const view = await call("GET", "/api/room", { token: ana.token });
    expect(JSON.stringify(view.body).length).toBeLessThan(64 * 1024);
  });
});

describe("pending cards", () => {
  // B109
  it("are at most 64 of one resident; another is not in its way, and one that ends makes room", async () => {
    const room = await createRoom();
    const [ana, one, two] = [
      await room.human(),
      await room.resident("1"),
      await room.resident("2"),
    ];
    const replies = await Promise.all(
      Array.from({ length: limits.PENDING_PER_RESIDENT }, () => post(one, freshId())),
    );
    expect(replies.every((reply) => reply.status === 201)).toBe(true);
    const refused = await post(one, freshId());
    expect(codeOf(refused)).toEqual(TOO_MANY);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await post(two, freshId())).status).toBe(201);
    await dismissAs(ana, replies[0]?.body.requestId as string);
    expect((await post(one, freshId())).status).toBe(201);
    expect(codeOf(await post(one, freshId()))).toEqual(TOO_MANY);
  });

  it.each([255, 256, 300])(
    "of %s in the Room leave each resident its first four",
    async (inRoom) => {
      const room = await createRoom();
      const [few, some] = [await room.resident("few"), await room.resident("some")];
      for (let n = 0; n < limits.PENDING_ALWAYS_PER_RESIDENT - 1; n += 1) await ask(few);
      for (let n = 0; n < limits.PENDING_ALWAYS_PER_RESIDENT; n += 1) await ask(some);
      await fillCards(room, { count: inRoom - 7, state: "pending" });
      const next = await post(some, freshId());
      const expected = inRoom < limits.PENDING_PER_ROOM ? [201, undefined] : TOO_MANY;
      expect(codeOf(next)).toEqual(expected);
      expect((await post(few, freshId())).status).toBe(201);
      expect(codeOf(await post(few, freshId()))).toEqual(TOO_MANY);
    },
  );

  it("that are due count no longer, settled or not", async () => {
    const room = await createRoom();
    const claude = await room.resident();
    const clock = stopClock();
    for (let n = 0; n < limits.PENDING_PER_RESIDENT; n += 1)
      await ask(claude, { expiresInMs: 1000 });
    expect((await post(claude, freshId())).status).toBe(429);
    clock.advance(1000);
    expect((await post(claude, freshId())).status).toBe(201);
  });
});

describe.each([
  ["human", limits.HUMANS_PRESENT],
  ["resident", limits.RESIDENTS_PRESENT],
] as const)("a Room with as many %ss present as may be", (role, most) => {
  async function nearlyFull(): Promise<[TestRoom, Member, Member]> {
    const room = await createRoom();
    stopClock();
    const [inside, late] =
      role === "human"
        ? [await room.human("In"), await room.human("Late")]
        : [await room.resident("In"), await room.resident("Late")];
    // Both joined over HTTP a moment ago, so they are present themselves.
    await fillPresent(room, role, most - 2);
    return [room, inside, late];
  }

  it(`takes number ${most}, and more sockets of who is in it`, async () => {
    const [room, inside, late] = await nearlyFull();
    await (await inside.socket()).next("welcome");
    const { participants } = await (await late.socket()).next("welcome");
    expect(participants.filter((one) => one.present && one.role === role)).toHaveLength(most);
    const other = role === "human" ? await room.resident("Other") : await room.human("Other");
    await (await other.socket()).next("welcome");
    await (await inside.socket()).next("welcome");
  });

  it("closes one more with 4029, or answers room_full, and tells nobody", async () => {
    const [room, inside, late] = await nearlyFull();
    await fillPresent(await createRoom(), role, 1);
    await room.inside((_, { storage }) => {
      storage.sql.exec(
        `INSERT INTO participant (participant_id, role, name, name_key, joined_at, called_at, is_present)
         VALUES ('one-more', '${role}', 'One more', 'one more', 0, ?, 1)`,
        Date.now(),
      );
    });
    const watcher = await (role === "human" ? room.resident("W") : room.human("W"));
    const w = await watcher.socket();
    await w.next("welcome");
    expect(await (await late.socket()).closed()).toBe(CLOSE.limited);
    const refused = await upgrade({ authorization: `Bearer ${inside.token}` });
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ error: { code: "room_full" } });
    expect(
      await w
        .soFar("participant_changed")
        .then((frames) =>
          frames.filter(({ participant }) => participant.name === "Late" && !participant.present),
        ),
    ).toEqual([]);
  });
});
