import { describe, expect, it } from "vitest";
import { limits } from "../../src/protocol/index.ts";
import { stopClock } from "../support/workerd/clock.ts";
import { decideAs, recordsAs } from "../support/workerd/commands.ts";
import { toldByFrame, toldByHttp } from "../support/workerd/either.ts";
import {
  ask,
  freshId,
  post,
  requestBody,
  statusAs,
  type TestRoom,
  withdrawAs,
} from "../support/workerd/room.ts";
import { openScene } from "../support/workerd/scene.ts";

const REASON = "turn_cancelled";

function count(room: TestRoom): Promise<number> {
  return room.inside(
    (_, { storage }) =>
      storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM tombstone").one().n,
  );
}

describe("a withdraw frame", () => {
  it("settles the card and tells the humans, and not the resident itself", async () => {
    const { ana, claude, a, b, r } = await openScene();
    const requestId = await ask(claude);
    expect(await r.ask({ type: "withdraw", requestId, reason: REASON })).toMatchObject({
      type: "accepted",
      status: { requestId, state: "withdrawn", delivery: { state: "none" } },
    });
    for (const socket of [a, b]) {
      expect((await socket.next("card_settled")).settlement).toMatchObject({ reason: REASON });
    }
    expect(await r.soFar("decision")).toEqual([]);
    expect((await withdrawAs(claude, requestId, REASON)).status).toBe(200);
    expect(await recordsAs(ana)).toMatchObject([{ settlement: { state: "withdrawn" } }]);
  });

  it("that lost is told what won, which so is sent; another reason is no repeat", async () => {
    const { ana, claude, r } = await openScene();
    const [decided, withdrawn] = [await ask(claude), await ask(claude)];
    await decideAs(ana, decided, "allow-1");
    expect(await r.ask({ type: "withdraw", requestId: decided, reason: REASON })).toMatchObject({
      type: "rejected",
      requestId: decided,
      error: { code: "already_settled", settlement: { option: { optionId: "allow-1" } } },
    });
    expect((await statusAs(ana, decided)).body.delivery.state).toBe("sent");
    await withdrawAs(claude, withdrawn, REASON);
    const frame = { type: "withdraw", requestId: withdrawn, reason: "turn_ended" };
    expect(await r.ask(frame)).toMatchObject({ error: { settlement: { reason: REASON } } });
  });

  it("with a reason that only the Room may write, or by a human, changes nothing", async () => {
    const { ana, claude, a, r } = await openScene();
    const requestId = await ask(claude);
    for (const reason of ["room_closed", "no_human", "resident_left", "", undefined]) {
      const answer = await r.ask({ type: "withdraw", requestId, reason });
      expect(answer).toMatchObject({ type: "rejected", error: { code: "invalid_request" } });
    }
    const byHuman = await a.ask({ type: "withdraw", requestId, reason: REASON });
    expect(byHuman).toMatchObject({ error: { code: "resident_only" } });
    expect((await statusAs(ana, requestId)).body.state).toBe("pending");
  });
});

describe("a withdrawal that overtakes its own request", () => {
  // B54
  it.each(["frame", "HTTP"])(
    "by %s leaves no card, whichever way the request comes",
    async (by) => {
      const { ana, claude, a, r } = await openScene();
      const clock = stopClock();
      for (const [n, way] of ["frame", "HTTP"].entries()) {
        const requestId = freshId();
        const expected = {
          requestId,
          state: "withdrawn",
          openedAt: clock.now(),
          expiresAt: clock.now(),
          outcome: { outcome: "cancelled" },
          settlement: { state: "withdrawn", reason: REASON, at: clock.now() },
          delivery: { state: "none" },
        };
        const withdrawn =
          by === "HTTP"
            ? toldByHttp(await withdrawAs(claude, requestId, REASON))
            : toldByFrame(await r.ask({ type: "withdraw", requestId, reason: REASON }));
        expect(withdrawn).toMatchObject({ code: "ok", status: expected });
        clock.advance(1000 * n);
        const requested =
          way === "HTTP"
            ? toldByHttp(await post(claude, requestId))
            : toldByFrame(await r.ask({ type: "request", ...requestBody(requestId) }));
        expect(requested).toMatchObject({ code: "ok", status: expected });
        expect((await statusAs(ana, requestId)).status).toBe(404);
      }
      expect(await a.soFar("card_opened")).toEqual([]);
      expect(await a.soFar("card_settled")).toEqual([]);
      expect(await recordsAs(ana)).toEqual([]);
    },
  );

  it("because the request is still being hashed leaves nothing pending", async () => {
    const { room, ana, r } = await openScene();
    const ids = Array.from({ length: 50 }, freshId);
    for (const requestId of ids) {
      r.send({ type: "request", ...requestBody(requestId) });
      r.send({ type: "withdraw", requestId, reason: REASON });
    }
    for (let answers = 0; answers < 2 * ids.length; answers += 1) await r.next("accepted");
    const pending = await room.inside((_, { storage }) =>
      storage.sql.exec("SELECT request_id FROM card WHERE state = 'pending'").toArray(),
    );
    expect(pending).toEqual([]);
    for (const requestId of ids) {
      const { status, body } = await statusAs(ana, requestId);
      expect(status === 404 || body.state === "withdrawn").toBe(true);
    }
  });

  it("is its resident's alone: another's request and withdrawal of that id know nothing of it", async () => {
    const { room, ana, claude } = await openScene();
    const other = await room.resident("other");
    const requestId = freshId();
    await withdrawAs(claude, requestId, REASON);
    expect((await withdrawAs(other, requestId, REASON)).body.error?.code).toBe("request_not_found");
    expect((await post(other, requestId)).body.error?.code).toBe("request_conflict");
    expect((await statusAs(ana, requestId)).status).toBe(404);
    const taken = await ask(other);
    expect((await withdrawAs(claude, taken, REASON)).body.error?.code).toBe("request_not_found");
    expect((await statusAs(ana, taken)).body.state).toBe("pending");
  });
});

describe("a tombstone", () => {
  it("stands for ten minutes, and not a millisecond longer", async () => {
    const { claude } = await openScene();
    const clock = stopClock();
    const [kept, gone] = [freshId(), freshId()];
    await withdrawAs(claude, kept, REASON);
    await withdrawAs(claude, gone, REASON);
    clock.advance(limits.TOMBSTONE_MS - 1);
    const late = await post(claude, kept);
    expect([late.status, late.body.state]).toEqual([200, "withdrawn"]);
    clock.advance(1);
    expect((await post(claude, gone)).status).toBe(201);
  });

  it("is replaced once over, and those that are over are not kept", async () => {
    const { room, claude } = await openScene();
    const clock = stopClock();
    const requestId = freshId();
    await withdrawAs(claude, requestId, REASON);
    await withdrawAs(claude, freshId(), REASON);
    clock.advance(limits.TOMBSTONE_MS);
    const again = await withdrawAs(claude, requestId, "turn_ended");
    expect(again.body.settlement).toEqual({
      state: "withdrawn",
      at: clock.now(),
      reason: "turn_ended",
    });
    expect(await count(room)).toBe(1);
  });

  it.each([0, 1])(
    "is one of the resident's newest 256, %s ms apart; another resident's are its own",
    async (apart) => {
      const { room, claude, r } = await openScene();
      const other = await room.resident("other");
      const theirs = freshId();
      await withdrawAs(other, theirs, REASON);
      const clock = stopClock();
      // The newest sorts first by name: nothing but its time may say that it is the newest.
      const ids = Array.from({ length: limits.TOMBSTONES_PER_RESIDENT + 1 }, freshId).toReversed();
      for (const requestId of ids.slice(0, -1)) {
        await r.ask({ type: "withdraw", requestId, reason: REASON });
        clock.advance(apart);
      }
      expect(await count(room)).toBe(limits.TOMBSTONES_PER_RESIDENT + 1);
      expect((await post(claude, ids[0] as string)).body.state).toBe("withdrawn");
      await withdrawAs(claude, ids.at(-1) as string, REASON);
      expect(await count(room)).toBe(limits.TOMBSTONES_PER_RESIDENT + 1);
      expect((await post(claude, ids.at(-1) as string)).body.state).toBe("withdrawn");
      // Of those with one time it is not said which one had to go.
      const oldest = await post(claude, ids[0] as string);
      expect(apart === 0 ? 201 : oldest.status).toBe(201);
      expect((await post(other, theirs)).body.state).toBe("withdrawn");
    },
  );
});
