import { describe, expect, it } from "vitest";
import { CLOSE } from "../../src/protocol/index.ts";
import { closeAs, decideAs, dismissAs, historyAs, recordsAs } from "../support/workerd/commands.ts";
import { ask, call, freshId, post, requestBody, statusAs } from "../support/workerd/room.ts";
import { openScene, type Scene } from "../support/workerd/scene.ts";
import { dumpRoom, tablesOf } from "../support/workerd/storage.ts";

function storedTables({ room }: Scene): Promise<string[]> {
  return room.inside((_, { storage }) => tablesOf(storage));
}

describe("closing a Room", () => {
  it("withdraws what is pending, gives up what waits, leaves what was sent, and tells all before 4001", async () => {
    const scene = await openScene();
    const { room, ana, claude, a, b, r } = scene;
    const other = await room.resident("other");
    const [sent, waiting] = [await ask(claude), await ask(other)];
    const pending = [await ask(claude), await ask(other)];
    await decideAs(ana, sent, "allow-1");
    await decideAs(ana, waiting, "allow-1");
    for (const socket of [a, b]) {
      await socket.next("card_settled");
      await socket.next("card_settled");
    }
    await r.next("decision");
    const reply = await closeAs(ana);
    expect([reply.status, reply.body]).toEqual([204, null]);
    for (const socket of [a, b]) {
      for (const requestId of pending) {
        expect(
          await socket.next("card_settled", (one) => one.requestId === requestId),
        ).toMatchObject({
          settlement: { state: "withdrawn", reason: "room_closed" },
          outcome: { outcome: "cancelled" },
          delivery: { state: "none" },
        });
      }
      expect(await socket.next("card_delivery")).toMatchObject({
        requestId: waiting,
        delivery: { state: "not_applied" },
      });
      expect(await socket.closed()).toBe(CLOSE.roomClosed);
    }
    expect(await r.next("decision")).toMatchObject({
      requestId: pending[0],
      outcome: { outcome: "cancelled" },
      settlement: { reason: "room_closed" },
    });
    expect(await r.closed()).toBe(CLOSE.roomClosed);
    expect(await storedTables(scene)).toEqual([]);
    expect(await room.inside((_, state) => state.storage.getAlarm())).toBeNull();
  });

  it("is answered with room_not_found from then on, whoever asks and however", async () => {
    const scene = await openScene();
    const { room, ana, claude } = scene;
    const requestId = await ask(claude);
    await closeAs(ana);
    const replies = [
      await call("GET", "/api/room", { token: ana.token }),
      await statusAs(claude, requestId),
      await post(claude, freshId()),
      await decideAs(ana, requestId, "allow-1"),
      await dismissAs(ana, requestId),
      await closeAs(ana),
      await call("POST", "/api/room/join", {
        token: room.created.humanInvite,
        body: { name: "Late" },
      }),
      await call("GET", "/api/room/socket", {
        token: ana.token,
        headers: { upgrade: "websocket" },
      }),
    ];
    for (const reply of replies) {
      expect([reply.status, reply.body.error?.code]).toEqual([404, "room_not_found"]);
    }
    expect((await historyAs(ana)).status).toBe(404);
    expect(await (await claude.socket()).closed()).toBe(CLOSE.roomNotFound);
    await room.evict("close");
    expect((await closeAs(ana)).status).toBe(404);
    expect(await room.alarm()).toBe(false);
    expect(await storedTables(scene)).toEqual([]);
  });

  it("is a human's to do", async () => {
    const { room, ana, claude } = await openScene();
    const requestId = await ask(claude);
    const before = await dumpRoom(room);
    const refused = await closeAs(claude);
    expect([refused.status, refused.body.error?.code]).toEqual([403, "human_only"]);
    for (const token of [room.created.humanInvite, room.created.residentInvite]) {
      expect((await closeAs({ ...ana, token })).status).toBe(401);
    }
    expect(await dumpRoom(room)).toBe(before);
    expect((await statusAs(ana, requestId)).body.state).toBe("pending");
  });

  it("leaves every other Room alone", async () => {
    const [one, two] = [await openScene(), await openScene()];
    const requestId = await ask(two.claude);
    await closeAs(one.ana);
    await decideAs(two.ana, requestId, "no-2");
    expect(await recordsAs(two.ana)).toHaveLength(1);
    expect((await two.r.next("decision")).requestId).toBe(requestId);
  });

  it("settles a row that nobody can read as well, without stopping at it", async () => {
    const scene = await openScene();
    const { room, ana, claude, a } = scene;
    const ids = [await ask(claude), await ask(claude), await ask(claude)];
    await room.inside((_, { storage }) => {
      storage.sql.exec("UPDATE card SET options = '[' WHERE request_id = ?", ids[1]);
    });
    expect((await closeAs(ana)).status).toBe(204);
    for (const requestId of [ids[0], ids[2]]) {
      await a.next("card_settled", (one) => one.requestId === requestId);
    }
    expect(await storedTables(scene)).toEqual([]);
  });

  it("while a request is still being hashed opens no card any more, and answers nothing", async () => {
    const scene = await openScene();
    const { room, claude, r } = scene;
    await room.inside(async (object, state) => {
      const { hash } = state.storage.sql
        .exec<{ hash: string }>("SELECT hash FROM credential WHERE kind = 'ht' LIMIT 1")
        .one();
      const [socket] = state.getWebSockets(`p:${claude.participantId}`);
      const frame = JSON.stringify({ type: "request", ...requestBody(freshId()) });
      const hearing = object.webSocketMessage(socket as WebSocket, frame);
      await object.close(hash);
      await expect(hearing).resolves.toBeUndefined();
    });
    expect(await r.closed()).toBe(CLOSE.roomClosed);
    expect(r.left("accepted")).toEqual([]);
    expect(await storedTables(scene)).toEqual([]);
  });
});
