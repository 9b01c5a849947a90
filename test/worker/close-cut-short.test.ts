import { describe, expect, it } from "vitest";
import { CLOSE } from "../../src/protocol/index.ts";
import { closeAs, decideAs } from "../support/workerd/commands.ts";
import { ask, call, post, freshId, statusAs } from "../support/workerd/room.ts";
import { openScene, type Scene } from "../support/workerd/scene.ts";
import { dumpRoom, tablesOf } from "../support/workerd/storage.ts";

/** The Room's storage fails at its end: everything is settled and told, and nothing is deleted. */
async function closeWithoutDeleting(scene: Scene): Promise<void> {
  const restore = await breakDeletion(scene);
  const reply = await closeAs(scene.ana);
  expect(reply.status).toBe(500);
  await restore();
}

async function breakDeletion({ room }: Scene): Promise<() => Promise<void>> {
  await room.inside((_, { storage }) => {
    storage.deleteAll = () => Promise.reject(new Error("disk full"));
  });
  return () =>
    room.inside((_, { storage }) => {
      Reflect.deleteProperty(storage, "deleteAll");
    });
}

function isStored({ room }: Scene): Promise<boolean> {
  return room.inside((_, { storage }) => tablesOf(storage).length > 0);
}

function alarmOf({ room }: Scene): Promise<number | null> {
  return room.inside((_, state) => state.storage.getAlarm());
}

describe("a closing whose settlements cannot be written", () => {
  it.each([
    ["the end itself", "UPDATE room", 0],
    ["a waiting delivery's end", "UPDATE card", 0],
    ["a later card's end", "UPDATE card", 2],
  ])("(%s) changes nothing and tells nobody", async (_name, statement, written) => {
    const scene = await openScene();
    const { room, ana, claude, a, r } = scene;
    const other = await room.resident("other");
    const waiting = await ask(other);
    const ids = [await ask(claude), await ask(claude)];
    await decideAs(ana, waiting, "allow-1");
    await a.next("card_settled");
    const before = await dumpRoom(room);
    await room.inside((_, { storage }) => {
      const { sql } = storage;
      const { exec } = sql;
      let passes = written;
      sql.exec = ((text: string, ...bindings: unknown[]) => {
        if (text.includes(statement) && (passes -= 1) < 0) throw new Error("disk full");
        return exec.call(sql, text, ...bindings);
      }) as typeof exec;
    });
    const reply = await closeAs(ana);
    await room.inside((_, { storage }) => {
      Reflect.deleteProperty(storage.sql, "exec");
    });
    expect([reply.status, reply.body.error?.code]).toEqual([500, "internal"]);
    expect(await dumpRoom(room)).toBe(before);
    expect(await a.soFar("card_settled")).toEqual([]);
    expect(await r.soFar("decision")).toEqual([]);
    await decideAs(ana, ids[0] as string, "allow-1");
    expect((await r.next("decision")).outcome).toMatchObject({ optionId: "allow-1" });
    expect((await closeAs(ana)).status).toBe(204);
    expect(await isStored(scene)).toBe(false);
  });
});

describe("a closing that is cut off before it deletes", () => {
  it("has told everybody, and says room_closed to who was in it until it is finished", async () => {
    const scene = await openScene();
    const { room, ana, claude, a, b, r } = scene;
    const requestId = await ask(claude);
    await closeWithoutDeleting(scene);
    for (const socket of [a, b]) {
      expect((await socket.next("card_settled")).settlement).toMatchObject({
        reason: "room_closed",
      });
    }
    await r.next("decision");
    for (const socket of [a, b, r]) expect(await socket.closed()).toBe(CLOSE.roomClosed);
    for (const reply of [
      await call("GET", "/api/room", { token: ana.token }),
      await statusAs(claude, requestId),
      await post(claude, freshId()),
      await decideAs(ana, requestId, "allow-1"),
      await call("POST", "/api/room/join", {
        token: room.created.residentInvite,
        body: { name: "Late" },
      }),
    ]) {
      expect([reply.status, reply.body.error?.code]).toEqual([410, "room_closed"]);
    }
    expect(await (await claude.socket()).closed()).toBe(CLOSE.roomClosed);
    const secret = "A".repeat(43);
    for (const kind of ["ht", "hi"]) {
      const path = kind === "hi" ? "/api/room/join" : "/api/room/leave";
      const reply = await call("POST", path, {
        token: `hr1.${kind}.${room.created.roomId}.${secret}`,
        body: { name: "Nobody" },
      });
      expect([reply.status, reply.body.error?.code]).toEqual([401, "unauthorized"]);
    }
  });

  it("is finished by the alarm, which it had armed", async () => {
    const scene = await openScene();
    await ask(scene.claude);
    await closeWithoutDeleting(scene);
    expect(await isStored(scene)).toBe(true);
    expect(await alarmOf(scene)).toBeLessThanOrEqual(Date.now() + 1000);
    expect(await scene.room.alarm()).toBe(true);
    expect(await isStored(scene)).toBe(false);
    expect(await alarmOf(scene)).toBeNull();
    expect((await closeAs(scene.ana)).status).toBe(404);
  });

  it("is tried again by an alarm that fails too", async () => {
    const scene = await openScene();
    await closeWithoutDeleting(scene);
    const restore = await breakDeletion(scene);
    await expect(scene.room.inside((object) => object.alarm())).rejects.toThrow("disk full");
    expect(await isStored(scene)).toBe(true);
    await restore();
    await scene.room.inside((object) => object.alarm());
    expect(await isStored(scene)).toBe(false);
  });

  it("is finished by a restart", async () => {
    const scene = await openScene();
    await ask(scene.claude);
    await closeWithoutDeleting(scene);
    await scene.room.evict("close");
    expect(await isStored(scene)).toBe(false);
    expect((await call("GET", "/api/room", { token: scene.ana.token })).status).toBe(404);
  });

  it("is finished by a restart after a kill in the middle of it", async () => {
    const scene = await openScene();
    const { room, ana } = scene;
    await ask(scene.claude);
    await room.inside((_, state) => {
      state.storage.deleteAll = () => new Promise(() => {});
    });
    const closing = closeAs(ana);
    await scene.a.closed();
    await room.abort();
    await closing;
    expect(await isStored(scene)).toBe(false);
    expect((await closeAs(ana)).status).toBe(404);
  });
});

describe("a Room that ends by itself", () => {
  it("and is cut off is finished in the same way", async () => {
    const scene = await openScene();
    const { room } = scene;
    await room.inside((_, { storage }) => {
      storage.sql.exec("UPDATE room SET closed_at = 1");
    });
    await room.evict("close");
    expect(await isStored(scene)).toBe(false);
  });
});
