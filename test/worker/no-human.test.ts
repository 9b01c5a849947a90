import { describe, expect, it } from "vitest";
import { limits } from "../../src/protocol/index.ts";
import { stopClock } from "../support/workerd/clock.ts";
import { recordsAs } from "../support/workerd/commands.ts";
import {
  ask,
  call,
  createRoom,
  freshId,
  type Member,
  post,
  statusAs,
  type TestRoom,
} from "../support/workerd/room.ts";
import type { TestSocket } from "../support/workerd/socket.ts";

const NO_HUMAN = { ifNoHuman: "withdraw", expiresInMs: 300_000 };
const GRACE_MS = limits.NO_HUMAN_GRACE_MS;

interface Cut {
  room: TestRoom;
  ana: Member;
  claude: Member;
  r: TestSocket;
  clock: ReturnType<typeof stopClock>;
}

/** A deploy has cut every socket; the resident is back already, the human was here by socket alone. */
async function afterDeploy(): Promise<Cut> {
  const room = await createRoom();
  const clock = stopClock();
  const [ana, claude] = [await room.human(), await room.resident()];
  await ana.socket();
  clock.advance(limits.CALL_FRESH_MS);
  await room.evict("close");
  return { room, ana, claude, r: await claude.socket(), clock };
}

describe("a request that does not want to wait where nobody is", () => {
  // B51
  it("is settled at once, recorded, and seen by whoever comes later with its true times", async () => {
    const room = await createRoom();
    const claude = await room.resident();
    const clock = stopClock();
    const requestId = freshId();
    const asked = clock.now();
    const reply = await post(claude, requestId, NO_HUMAN);
    const settlement = { state: "withdrawn", at: asked, reason: "no_human" };
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      state: "withdrawn",
      humansPresent: 0,
      outcome: { outcome: "cancelled" },
      settlement,
      delivery: { state: "none" },
    });
    clock.advance(20_000);
    const ana = await room.human();
    expect(await recordsAs(ana)).toMatchObject([{ requestId, openedAt: asked, settlement }]);
    const welcome = await (await ana.socket()).next("welcome");
    expect(welcome.recent).toMatchObject([{ requestId, settlement }]);
    expect(welcome.cards).toEqual([]);
  });

  it("repeated is answered with that settlement, though a human is there now", async () => {
    const room = await createRoom();
    const claude = await room.resident();
    const requestId = freshId();
    const first = await post(claude, requestId, NO_HUMAN);
    const a = await (await room.human()).socket();
    const again = await post(claude, requestId, NO_HUMAN);
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({
      duplicate: true,
      humansPresent: 1,
      settlement: first.body.settlement,
    });
    expect(await a.soFar("card_opened")).toEqual([]);
  });

  it("waits where a human is, also after that one has gone", async () => {
    const room = await createRoom();
    const clock = stopClock();
    const [ana, claude] = [await room.human(), await room.resident()];
    const a = await ana.socket();
    const requestId = await ask(claude, NO_HUMAN);
    a.close();
    await room.disconnected(ana);
    clock.advance(limits.CALL_FRESH_MS + GRACE_MS);
    await room.alarm();
    expect((await statusAs(claude, requestId)).body.state).toBe("pending");
  });

  it("counts a human who only called over HTTP, for a minute", async () => {
    const room = await createRoom();
    const clock = stopClock();
    const [, claude] = [await room.human(), await room.resident()];
    clock.advance(limits.CALL_FRESH_MS - 1);
    const first = await post(claude, freshId(), NO_HUMAN);
    expect(first.body).toMatchObject({ state: "pending", humansPresent: 1 });
    clock.advance(1);
    const second = await post(claude, freshId(), NO_HUMAN);
    expect(second.body).toMatchObject({ state: "withdrawn", humansPresent: 0 });
  });

  it("is settled at once after the last human's socket closed, or went silent", async () => {
    for (const end of ["closes", "silent"]) {
      const room = await createRoom();
      const clock = stopClock();
      const [ana, claude] = [await room.human(), await room.resident()];
      const a = await ana.socket();
      if (end === "closes") {
        a.close();
        await room.disconnected(ana);
        clock.advance(limits.CALL_FRESH_MS);
      } else {
        clock.advance(limits.SOCKET_FRESH_MS);
      }
      const { body } = await post(claude, freshId(), NO_HUMAN);
      expect(body.settlement).toMatchObject({ reason: "no_human" });
    }
  });
});

describe("a request that wants to wait", () => {
  it.each([{}, { ifNoHuman: "wait" }])("opens where nobody is, as %j says", async (more) => {
    const room = await createRoom();
    const claude = await room.resident();
    const clock = stopClock();
    const asked = clock.now();
    const requestId = await ask(claude, { ...more, expiresInMs: 60_000 });
    clock.advance(20_000);
    const a = await (await room.human()).socket();
    const { cards, serverTime } = await a.next("welcome");
    expect(cards).toMatchObject([{ requestId, openedAt: asked, expiresAt: asked + 60_000 }]);
    expect(serverTime).toBe(asked + 20_000);
    expect((await a.ask({ type: "decide", requestId, optionId: "allow-1" })).type).toBe("accepted");
  });
});

describe("after a deploy that cut every socket, a request", () => {
  it("opens, and is withdrawn once nobody is back ten seconds later", async () => {
    const { room, ana, claude, r, clock } = await afterDeploy();
    const opened = clock.now();
    const requestId = freshId();
    const reply = await post(claude, requestId, NO_HUMAN);
    expect(reply.body).toMatchObject({ state: "pending", humansPresent: 0 });
    const armed = await room.inside((_, state) => state.storage.getAlarm());
    expect(armed).toBeLessThanOrEqual(opened + GRACE_MS);
    clock.advance(GRACE_MS - 1);
    await room.alarm();
    expect((await statusAs(claude, requestId)).body.state).toBe("pending");
    clock.advance(1);
    await room.alarm();
    expect((await r.next("decision")).settlement).toEqual({
      state: "withdrawn",
      at: opened + GRACE_MS,
      reason: "no_human",
    });
    expect(await recordsAs(ana)).toMatchObject([{ requestId, settlement: { reason: "no_human" } }]);
  });

  it("stays for a human who is back in time, and is an ordinary card from then on", async () => {
    const { room, ana, claude, r, clock } = await afterDeploy();
    const requestId = await ask(claude, NO_HUMAN);
    clock.advance(GRACE_MS - 1);
    const a = await ana.socket();
    expect((await a.next("welcome")).cards).toMatchObject([{ requestId }]);
    clock.advance(1);
    await room.alarm();
    a.close();
    await room.disconnected(ana);
    clock.advance(limits.CALL_FRESH_MS);
    await room.alarm();
    expect((await statusAs(claude, requestId)).body.state).toBe("pending");
    const back = await ana.socket();
    await back.ask({ type: "decide", requestId, optionId: "no-2" });
    expect((await r.next("decision")).outcome).toMatchObject({ optionId: "no-2" });
  });

  it("stays for one who is back over HTTP alone", async () => {
    const { room, ana, claude, clock } = await afterDeploy();
    const requestId = await ask(claude, NO_HUMAN);
    clock.advance(GRACE_MS - 1);
    await call("GET", "/api/room", { token: ana.token });
    clock.advance(1);
    await room.alarm();
    expect((await statusAs(claude, requestId)).body.state).toBe("pending");
  });

  it("is withdrawn where who came back is gone again", async () => {
    const { room, ana, claude, clock } = await afterDeploy();
    const requestId = await ask(claude, NO_HUMAN);
    const a = await ana.socket();
    a.close();
    await room.disconnected(ana);
    clock.advance(GRACE_MS);
    await room.alarm();
    expect((await statusAs(claude, requestId)).body.settlement).toMatchObject({
      reason: "no_human",
    });
  });

  it("keeps its grace through a second eviction, and its own deadline stays the first to count", async () => {
    const { room, claude, clock } = await afterDeploy();
    const [short, long] = [
      await ask(claude, { ...NO_HUMAN, expiresInMs: GRACE_MS - 1 }),
      await ask(claude, NO_HUMAN),
    ];
    await room.evict("close");
    clock.advance(GRACE_MS);
    await room.alarm();
    expect((await statusAs(claude, short)).body.state).toBe("expired");
    expect((await statusAs(claude, long)).body.settlement).toMatchObject({ reason: "no_human" });
  });
});
