import { describe, expect, it } from "vitest";
import { stopClock } from "../support/workerd/clock.ts";
import {
  ackAs,
  ask,
  createRoom,
  freshId,
  type Member,
  post,
  statusAs,
  type TestRoom,
  withdrawAs,
} from "../support/workerd/room.ts";
import type { TestSocket } from "../support/workerd/socket.ts";

interface Scene {
  room: TestRoom;
  ana: Member;
  claude: Member;
  a: TestSocket;
  r: TestSocket;
}

async function scene(): Promise<Scene> {
  const room = await createRoom();
  const [ana, claude] = [await room.human(), await room.resident()];
  return { room, ana, claude, a: await ana.socket(), r: await claude.socket() };
}

describe("expiry by the real alarm", () => {
  // B26, B28, B30, B34, B51
  it("settles every card at its deadline, tells everybody, and leaves nothing pending", async () => {
    const { ana, claude, a, r } = await scene();
    const ids = [
      await ask(claude, { expiresInMs: 1000 }),
      await ask(claude, { expiresInMs: 1000 }),
      await ask(claude, { expiresInMs: 1001 }),
    ];
    for (const requestId of ids) {
      const { settlement, outcome } = await a.next(
        "card_settled",
        (frame) => frame.requestId === requestId,
      );
      const { expiresAt } = (await statusAs(ana, requestId)).body;
      expect(settlement).toEqual({ state: "expired", at: expiresAt });
      expect(outcome).toEqual({ outcome: "cancelled" });
      expect(Date.now() - expiresAt).toBeLessThan(2000);
      const decision = await r.next("decision", (frame) => frame.requestId === requestId);
      expect(decision.outcome).toEqual({ outcome: "cancelled" });
      const late = await a.ask({ type: "decide", requestId, optionId: "allow-1" });
      expect(late).toMatchObject({
        type: "rejected",
        error: { code: "already_settled", settlement: { state: "expired" } },
      });
    }
    await ask(claude);
    expect(
      (await a.next("card_opened", (frame) => !ids.includes(frame.card.requestId))).card.state,
    ).toBe("pending");
  });

  // B35
  it.each([
    { name: "later first", times: [20_000, 1000] },
    { name: "earlier first", times: [1000, 20_000] },
  ])("keeps the earlier of two deadlines: $name", async ({ times }) => {
    const { room, ana, claude, a } = await scene();
    const ids = [];
    for (const expiresInMs of times) ids.push(await ask(claude, { expiresInMs }));
    const early = ids[times.indexOf(1000)] as string;
    const late = ids[times.indexOf(20_000)] as string;
    expect((await a.next("card_settled")).requestId).toBe(early);
    expect((await statusAs(ana, late)).body.state).toBe("pending");
    const { expiresAt } = (await statusAs(ana, late)).body;
    expect(await room.inside((_, state) => state.storage.getAlarm())).toBe(expiresAt);
  });

  it("survives the object's eviction", async () => {
    const { room, claude, a } = await scene();
    const requestId = await ask(claude, { expiresInMs: 1000 });
    await room.evict();
    expect((await a.next("card_settled")).requestId).toBe(requestId);
  });
});

describe("a deadline", () => {
  // B20
  it("is judged by the Room's clock to the millisecond, and all sides agree", async () => {
    const { ana, claude, a, r } = await scene();
    const clock = stopClock();
    for (let offset = -10; offset <= 10; offset += 1) {
      const requestId = await ask(claude, { expiresInMs: 1000 });
      const { expiresAt } = (await statusAs(ana, requestId)).body;
      clock.set(expiresAt + offset);
      const answer = await a.ask({ type: "decide", requestId, optionId: "allow-1" });
      const state = offset < 0 ? "decided" : "expired";
      expect(answer.type).toBe(offset < 0 ? "accepted" : "rejected");
      const decision = await r.next("decision");
      const settled = await a.next("card_settled");
      expect(decision.settlement.state).toBe(state);
      expect(settled.settlement).toEqual(decision.settlement);
      expect((await statusAs(ana, requestId)).body.settlement).toEqual(decision.settlement);
      expect(decision.outcome).toEqual(
        offset < 0 ? { outcome: "selected", optionId: "allow-1" } : { outcome: "cancelled" },
      );
      r.send({ type: "decision_ack", requestId, applied: true });
    }
  });

  it("met by an operation settles that one card and touches no sibling", async () => {
    const { ana, claude, a } = await scene();
    const clock = stopClock();
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.push(await ask(claude, { expiresInMs: 60_000 }));
    clock.advance(60_001);
    const [first, second, third] = ids as [string, string, string];
    await a.ask({ type: "decide", requestId: second, optionId: "allow-1" });
    expect((await a.next("card_settled")).requestId).toBe(second);
    expect(await a.soFar("card_settled")).toEqual([]);
    expect((await withdrawAs(claude, first)).body.error).toMatchObject({
      code: "already_settled",
      settlement: { state: "expired" },
    });
    expect((await ackAs(claude, third, true)).body).toMatchObject({ state: "expired" });
    for (const requestId of ids) {
      expect((await statusAs(ana, requestId)).body.settlement?.state).toBe("expired");
    }
  });

  it("passed does not count against the caps", async () => {
    const { claude } = await scene();
    const clock = stopClock();
    for (let n = 0; n < 64; n += 1) await ask(claude, { expiresInMs: 60_000 });
    expect((await post(claude, freshId())).status).toBe(429);
    clock.advance(60_000);
    expect((await post(claude, freshId())).status).toBe(201);
  });
});

describe("the alarm", () => {
  it("run early changes nothing and is armed again for the deadline", async () => {
    const { room, ana, claude } = await scene();
    const requestId = await ask(claude, { expiresInMs: 60_000 });
    const before = (await statusAs(ana, requestId)).body;
    expect(await room.alarm()).toBe(true);
    expect((await statusAs(ana, requestId)).body.state).toBe("pending");
    expect(await room.inside((_, state) => state.storage.getAlarm())).toBe(before.expiresAt);
  });

  it("run late and twice settles each card once", async () => {
    const { room, ana, claude, a, r } = await scene();
    const clock = stopClock();
    const requestId = await ask(claude, { expiresInMs: 60_000 });
    const { expiresAt } = (await statusAs(ana, requestId)).body;
    clock.advance(65_000);
    await room.alarm();
    await room.inside((object) => object.alarm());
    expect((await a.next("card_settled")).settlement).toEqual({ state: "expired", at: expiresAt });
    await r.next("decision");
    expect(await a.soFar("card_settled")).toEqual([]);
    expect(await r.soFar("decision")).toEqual([]);
  });

  // B35
  it("that finds nothing left arms itself for nothing but the Room's own life", async () => {
    const { room, claude, a, r } = await scene();
    const requestId = await ask(claude, { expiresInMs: 60_000 });
    await a.ask({ type: "decide", requestId, optionId: "no-2" });
    await r.ask({ type: "decision_ack", requestId, applied: true });
    await room.alarm();
    const next = await room.inside((_, state) => state.storage.getAlarm());
    expect((next ?? 0) - Date.now()).toBeGreaterThan(23 * 3_600_000);
  });

  // B37
  it("gets past a corrupt row among five due cards and a socket that throws", async () => {
    const { room, ana, claude, a, r } = await scene();
    const clock = stopClock();
    const broken = await room.human("Broken");
    await broken.socket();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await ask(claude, { expiresInMs: 60_000 }));
    const corrupt = ids[2] as string;
    await room.inside((_, state) => {
      state.storage.sql.exec("UPDATE card SET options = 'not json' WHERE request_id = ?", corrupt);
      for (const socket of state.getWebSockets(`p:${broken.participantId}`)) {
        socket.send = () => {
          throw new Error("dead socket");
        };
      }
    });
    clock.advance(60_000);
    await room.alarm();
    for (const requestId of ids) {
      const { settlement, outcome } = await a.next(
        "card_settled",
        (frame) => frame.requestId === requestId,
      );
      expect(settlement.state).toBe("expired");
      expect(outcome).toEqual({ outcome: "cancelled" });
    }
    for (const requestId of ids.filter((id) => id !== corrupt)) {
      await r.next("decision", (frame) => frame.requestId === requestId);
      expect((await statusAs(ana, requestId)).body.state).toBe("expired");
    }
    const states = (): Promise<unknown[]> =>
      room.inside((_, state) =>
        state.storage.sql
          .exec("SELECT request_id, state, settled_at, delivery FROM card")
          .toArray(),
      );
    const before = await states();
    expect(before.every((row) => (row as { state: string }).state === "expired")).toBe(true);
    await room.inside((object) => object.alarm());
    expect(await states()).toEqual(before);
    const newcomer = await (await room.human("New")).socket();
    expect((await newcomer.next("welcome")).cards).toEqual([]);
  });

  it("lost by the platform is armed again by the next card", async () => {
    const { room, ana, claude } = await scene();
    const clock = stopClock();
    const requestId = await ask(claude, { expiresInMs: 60_000 });
    await room.inside((_, state) => state.storage.deleteAlarm());
    clock.advance(60_001);
    await ask(claude, { expiresInMs: 3_600_000 });
    await room.alarm();
    expect((await statusAs(ana, requestId)).body.settlement?.state).toBe("expired");
  });
});

describe("a decision that waits in a row which cannot be read", () => {
  it("stays decided; only its delivery is given up", async () => {
    const { room, ana, claude, a, r } = await scene();
    const clock = stopClock();
    r.close();
    await room.disconnected(claude);
    const requestId = await ask(claude, { expiresInMs: 60_000 });
    await a.ask({ type: "decide", requestId, optionId: "allow-1" });
    await a.next("card_settled");
    await room.inside((_, { storage }) => {
      storage.sql.exec("UPDATE card SET options = 'not json' WHERE request_id = ?", requestId);
    });
    clock.advance(120_000);
    await room.alarm();
    expect((await a.next("card_delivery")).delivery.state).toBe("not_applied");
    const [row] = await room.inside((_, { storage }) =>
      storage.sql.exec("SELECT state, delivery FROM card").toArray(),
    );
    expect(row).toEqual({ state: "decided", delivery: "not_applied" });
    expect((await statusAs(ana, requestId)).status).toBe(500);
  });
});
