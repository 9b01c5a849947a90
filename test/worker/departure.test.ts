import { describe, expect, it } from "vitest";
import { CLOSE, type RoomView } from "../../src/protocol/index.ts";
import { decideAs, dismissAs, leaveAs, recordsAs, removeAs } from "../support/workerd/commands.ts";
import {
  ackAs,
  ask,
  call,
  freshId,
  type Member,
  post,
  requestBody,
  statusAs,
  type TestRoom,
  withdrawAs,
} from "../support/workerd/room.ts";
import { openScene, type Scene } from "../support/workerd/scene.ts";
import { dumpRoom } from "../support/workerd/storage.ts";

type Way = "resident_removed" | "resident_left";
const WAYS: Way[] = ["resident_removed", "resident_left"];

async function depart({ ana }: Scene, who: Member, way: Way): Promise<void> {
  const reply =
    way === "resident_left" ? await leaveAs(who) : await removeAs(ana, who.participantId);
  expect([reply.status, reply.body]).toEqual([204, null]);
}

/** Takes hold of a member's sockets, to bring in frames that were still on their way when these were closed. */
async function oldSockets(
  room: TestRoom,
  { participantId }: Member,
): Promise<(frames: object[]) => Promise<void>> {
  const sockets = await room.inside((_, state) => state.getWebSockets(`p:${participantId}`));
  return (frames) =>
    room.inside(async (object) => {
      for (const socket of sockets) {
        for (const frame of frames) await object.webSocketMessage(socket, JSON.stringify(frame));
      }
    });
}

describe.each(WAYS)("a resident (%s)", (way) => {
  it("has its pending cards withdrawn, and everybody is told why", async () => {
    const scene = await openScene();
    const { ana, claude, a, b, r } = scene;
    const ids = [await ask(claude), await ask(claude)];
    await depart(scene, claude, way);
    for (const requestId of ids) {
      const isIt = (frame: { requestId: string }): boolean => frame.requestId === requestId;
      const { settlement } = await a.next("card_settled", isIt);
      expect(settlement).toMatchObject({ state: "withdrawn", reason: way });
      expect((await b.next("card_settled", isIt)).settlement).toEqual(settlement);
      expect(await r.next("decision", isIt)).toMatchObject({
        settlement,
        outcome: { outcome: "cancelled" },
      });
      expect((await statusAs(ana, requestId)).body.settlement).toEqual(settlement);
    }
    expect(await r.closed()).toBe(CLOSE.unauthorized);
    expect((await recordsAs(ana)).map((record) => record.resident.name)).toEqual([
      "claude",
      "claude",
    ]);
  });

  it("whose decision still waits will never apply it; what was sent stays sent", async () => {
    const scene = await openScene();
    const { room, ana, claude, b, r } = scene;
    const sent = await ask(claude);
    await decideAs(ana, sent, "allow-1");
    r.close();
    await room.disconnected(claude);
    const waiting = await ask(claude);
    await decideAs(ana, waiting, "allow-1");
    await depart(scene, claude, way);
    expect((await b.next("card_delivery")).delivery.state).toBe("not_applied");
    expect((await statusAs(ana, waiting)).body).toMatchObject({
      state: "decided",
      outcome: { outcome: "cancelled" },
    });
    expect((await statusAs(ana, sent)).body.delivery.state).toBe("sent");
  });

  it("has a token that is worth nothing, over HTTP, on a new socket and on the old one", async () => {
    const scene = await openScene();
    const { room, ana, claude, r } = scene;
    const speak = await oldSockets(room, claude);
    const other = await room.resident("other");
    const requestId = await ask(claude);
    await decideAs(ana, requestId, "allow-1");
    const foreign = await ask(other);
    await depart(scene, claude, way);
    for (const reply of [
      await call("GET", "/api/room", { token: claude.token }),
      await post(claude, freshId()),
      await statusAs(claude, requestId),
      await withdrawAs(claude, requestId),
      await ackAs(claude, requestId, true),
      await leaveAs(claude),
    ]) {
      expect([reply.status, reply.body.error?.code]).toEqual([401, "unauthorized"]);
    }
    const before = await dumpRoom(room);
    await speak([
      { type: "decision_ack", requestId, applied: true },
      { type: "withdraw", requestId: foreign, reason: "turn_ended" },
      { type: "request", ...requestBody(freshId()) },
      { type: "resume", parked: [requestId], answered: [{ requestId, applied: true }] },
      { type: "say", text: "still here" },
    ]);
    expect(await dumpRoom(room)).toBe(before);
    expect(await r.closed()).toBe(CLOSE.unauthorized);
    expect(await (await claude.socket()).closed()).toBe(CLOSE.unauthorized);
  });
});

describe("a human", () => {
  it("who is removed has no say on any socket, and what they decided stands", async () => {
    const { room, ana, ben, claude, a, b, r } = await openScene();
    const second = await ben.socket();
    const speak = await oldSockets(room, ben);
    const [decided, pending] = [await ask(claude), await ask(claude)];
    await decideAs(ben, decided, "no-2");
    await removeAs(ana, ben.participantId);
    await speak([
      { type: "decide", requestId: pending, optionId: "allow-1" },
      { type: "dismiss", requestId: pending },
      { type: "say", text: "still here" },
    ]);
    expect([await b.closed(), await second.closed()]).toEqual([4003, 4003]);
    expect((await decideAs(ben, pending, "allow-1")).status).toBe(401);
    expect((await dismissAs(ben, pending)).status).toBe(401);
    expect((await statusAs(ana, pending)).body.state).toBe("pending");
    expect((await statusAs(ana, decided)).body.settlement).toMatchObject({ by: { name: "Ben" } });
    for (const socket of [a, r]) {
      const gone = await socket.next(
        "participant_changed",
        ({ participant }) => !participant.present,
      );
      expect(gone.participant).toMatchObject({ name: "Ben", role: "human" });
    }
  });

  it("who leaves frees the name; the records keep theirs", async () => {
    const { room, ana, ben, claude, a } = await openScene();
    const requestId = await ask(claude);
    await decideAs(ben, requestId, "no-2");
    await leaveAs(ben);
    await a.next("participant_changed", ({ participant }) => !participant.present);
    const { body } = await call<RoomView>("GET", "/api/room", { token: ana.token });
    expect(body.participants.map(({ name }) => name).sort()).toEqual(["Ana", "claude"]);
    const again = await room.human("Ben");
    expect(again.name).toBe("Ben");
    expect(again.participantId).not.toBe(ben.participantId);
    expect(await recordsAs(ana)).toMatchObject([
      { settlement: { by: { name: "Ben", participantId: ben.participantId } } },
    ]);
  });

  it("may remove themselves and anybody once; nobody else's", async () => {
    const { room, ana, ben, claude } = await openScene();
    const elsewhere = await (await openScene()).room.human("Elsewhere");
    for (const id of [crypto.randomUUID(), elsewhere.participantId, "Ben", "%20"]) {
      const reply = await removeAs(ana, id);
      expect([reply.status, reply.body.error?.code]).toEqual([404, "participant_not_found"]);
    }
    expect((await removeAs(ana, ben.participantId)).status).toBe(204);
    expect((await removeAs(ana, ben.participantId)).status).toBe(404);
    const refused = await removeAs(claude, ana.participantId);
    expect([refused.status, refused.body.error?.code]).toEqual([403, "human_only"]);
    expect((await removeAs(ana, ana.participantId)).status).toBe(204);
    expect((await removeAs(ana, claude.participantId)).status).toBe(401);
    expect((await room.human("Ana")).name).toBe("Ana");
  });
});
