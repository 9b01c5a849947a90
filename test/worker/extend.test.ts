import { describe, expect, it } from "vitest";
import { limits } from "../../src/protocol/index.ts";
import { stopClock } from "../support/workerd/clock.ts";
import { decideAs, dismissAs, extendAs, recordsAs } from "../support/workerd/commands.ts";
import { ackAs, ask, freshId, post, statusAs } from "../support/workerd/room.ts";
import { openScene } from "../support/workerd/scene.ts";

/** Short enough for a socket that does not ping to count as live to the end. */
const STEP = 20_000;
/** One step to answer, which people may make three. */
const EXTENDABLE = { expiresInMs: STEP, maxExpiresInMs: 3 * STEP };

describe("an extension", () => {
  it("a second before the deadline lets an allow after the old one be applied", async () => {
    const { room, claude, a, r } = await openScene();
    const clock = stopClock();
    const requestId = await ask(claude, EXTENDABLE);
    const seen = clock.now() + STEP;
    clock.advance(STEP - 1000);
    expect(await a.ask({ type: "extend", requestId, expiresAt: seen })).toMatchObject({
      type: "accepted",
      status: { state: "pending", expiresAt: seen + STEP },
    });
    // The alarm that was armed for the old deadline finds nothing due.
    clock.set(seen);
    await room.alarm();
    clock.advance(1000);
    await a.ask({ type: "decide", requestId, optionId: "allow-1" });
    expect((await r.next("decision")).outcome).toEqual({
      outcome: "selected",
      optionId: "allow-1",
    });
    expect((await ackAs(claude, requestId, true)).body.delivery.state).toBe("applied");
  });

  it("is told to every human and to the resident, once each", async () => {
    const { ana, claude, a, b, r } = await openScene();
    const clock = stopClock();
    const requestId = await ask(claude, EXTENDABLE);
    const seen = clock.now() + STEP;
    const reply = await extendAs(ana, requestId, seen);
    expect(reply.status).toBe(200);
    for (const socket of [a, b, r]) {
      expect(await socket.next("card_extended")).toEqual({
        type: "card_extended",
        requestId,
        expiresAt: seen + STEP,
        serverTime: clock.now(),
      });
      expect(await socket.soFar("card_extended")).toEqual([]);
    }
  });

  it("that two people make at once is made once", async () => {
    const { ana, ben, claude, a, r } = await openScene();
    const clock = stopClock();
    const requestId = await ask(claude, EXTENDABLE);
    const seen = clock.now() + STEP;
    const replies = await Promise.all([
      extendAs(ana, requestId, seen),
      extendAs(ben, requestId, seen),
      a.ask({ type: "extend", requestId, expiresAt: seen }).then((answer) => {
        expect(answer).toMatchObject({ type: "accepted", status: { expiresAt: seen + STEP } });
        return undefined;
      }),
    ]);
    for (const reply of replies) {
      if (reply === undefined) continue;
      expect(reply.status).toBe(200);
      expect(reply.body.expiresAt).toBe(seen + STEP);
    }
    await r.next("card_extended");
    expect(await r.soFar("card_extended")).toEqual([]);
  });

  it("goes no further than the resident's maximum, and then says so", async () => {
    const { ana, claude } = await openScene();
    const clock = stopClock();
    const openedAt = clock.now();
    const requestId = await ask(claude, { expiresInMs: STEP, maxExpiresInMs: 2.5 * STEP });
    const max = openedAt + 2.5 * STEP;
    expect((await statusAs(ana, requestId)).body.maxExpiresAt).toBe(max);
    const first = await extendAs(ana, requestId, openedAt + STEP);
    expect(first.body.expiresAt).toBe(openedAt + 2 * STEP);
    const second = await extendAs(ana, requestId, openedAt + 2 * STEP);
    expect(second.body.expiresAt).toBe(max);
    const third = await extendAs(ana, requestId, max);
    expect(third.status).toBe(409);
    expect(third.body.error?.code).toBe("not_extendable");
    expect((await statusAs(ana, requestId)).body).toMatchObject({
      state: "pending",
      expiresAt: max,
    });
  });

  it("is at most 24 h from the opening, whatever the resident asks for", async () => {
    const { ana, claude } = await openScene();
    const clock = stopClock();
    const most = clock.now() + limits.EXPIRES_IN_MAX_MS;
    for (const [maxExpiresInMs, expected] of [
      [limits.EXPIRES_IN_MAX_MS - 1, most - 1],
      [limits.EXPIRES_IN_MAX_MS, most],
      [limits.EXPIRES_IN_MAX_MS + 1, most],
    ] as const) {
      const requestId = await ask(claude, { expiresInMs: STEP, maxExpiresInMs });
      expect((await statusAs(ana, requestId)).body.maxExpiresAt).toBe(expected);
    }
  });

  it("is refused where the resident allows none, and changes nothing", async () => {
    const { ana, claude, a, r } = await openScene();
    const requestId = await ask(claude);
    const { expiresAt } = (await statusAs(ana, requestId)).body;
    expect(await a.ask({ type: "extend", requestId, expiresAt })).toMatchObject({
      type: "rejected",
      requestId,
      error: { code: "not_extendable" },
    });
    expect((await statusAs(ana, requestId)).body).toMatchObject({ state: "pending", expiresAt });
    expect(await r.soFar("card_extended")).toEqual([]);
  });

  it("of a maximum that is no later than the deadline is refused", async () => {
    const { ana, claude } = await openScene();
    const requestId = await ask(claude, { expiresInMs: STEP, maxExpiresInMs: 1000 });
    const { expiresAt, maxExpiresAt } = (await statusAs(ana, requestId)).body;
    expect(maxExpiresAt).toBe(expiresAt);
    const reply = await extendAs(ana, requestId, expiresAt);
    expect(reply.body.error?.code).toBe("not_extendable");
  });

  it("of a settled, a due, or an unknown card is refused with what is known", async () => {
    const { ana, ben, claude } = await openScene();
    const clock = stopClock();
    const [decided, due] = [await ask(claude, EXTENDABLE), await ask(claude, EXTENDABLE)];
    const seen = clock.now() + STEP;
    await decideAs(ana, decided, "no-2");
    const late = await extendAs(ben, decided, seen);
    expect(late.status).toBe(409);
    expect(late.body.error).toMatchObject({
      code: "already_settled",
      settlement: { state: "decided", by: { name: "Ana" } },
    });
    clock.set(seen);
    expect((await extendAs(ben, due, seen)).body.error).toMatchObject({
      code: "already_settled",
      settlement: { state: "expired", at: seen },
    });
    const unknown = await extendAs(ben, freshId(), seen);
    expect(unknown.status).toBe(404);
    expect(unknown.body.error?.code).toBe("request_not_found");
  });

  it("moves the alarm: the card expires at its new deadline and not before", async () => {
    const { room, ana, claude, a, r } = await openScene();
    const clock = stopClock();
    const requestId = await ask(claude, EXTENDABLE);
    const seen = clock.now() + STEP;
    await extendAs(ana, requestId, seen);
    clock.set(seen + STEP - 1);
    await room.alarm();
    expect((await statusAs(ana, requestId)).body.state).toBe("pending");
    clock.advance(1);
    await room.alarm();
    const { settlement } = await a.next("card_settled");
    expect(settlement).toEqual({ state: "expired", at: seen + STEP });
    expect((await r.next("decision")).settlement).toEqual(settlement);
    expect((await recordsAs(ana)).map((record) => record.settlement)).toEqual([settlement]);
  });

  it("that was seen by nobody who then repeats the request moves nothing", async () => {
    const { ana, claude } = await openScene();
    const requestId = await ask(claude, EXTENDABLE);
    const { expiresAt } = (await statusAs(ana, requestId)).body;
    await extendAs(ana, requestId, expiresAt);
    const repeat = await post(claude, requestId, EXTENDABLE);
    expect(repeat.body).toMatchObject({ duplicate: true, expiresAt: expiresAt + STEP });
  });

  it("outlives an eviction", async () => {
    const { room, ana, claude } = await openScene();
    const requestId = await ask(claude, EXTENDABLE);
    const { expiresAt } = (await statusAs(ana, requestId)).body;
    await extendAs(ana, requestId, expiresAt);
    await room.evict("close");
    expect((await statusAs(ana, requestId)).body.expiresAt).toBe(expiresAt + STEP);
    expect((await dismissAs(ana, requestId)).status).toBe(200);
  });
});
