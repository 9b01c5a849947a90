import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { limits } from "../../src/protocol/index.ts";
import { closeAs, decideAs, dismissAs, waitAs } from "../support/workerd/commands.ts";
import { ask, call, createRoom, freshId, statusAs } from "../support/workerd/room.ts";
import { openScene } from "../support/workerd/scene.ts";

const LONG_MS = 30_000;

let timers: MockInstance<typeof setTimeout>;

beforeEach(() => {
  timers = vi.spyOn(globalThis, "setTimeout");
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Resolves once so many long polls have begun to wait: each sets the Room's one kind of timer. */
async function waiting(count: number): Promise<void> {
  await vi.waitFor(
    () => {
      const begun = timers.mock.calls.filter(([, ms]) => ms === LONG_MS).length;
      if (begun !== count) throw new Error(`${begun} have begun to wait`);
    },
    { timeout: 10_000, interval: 5 },
  );
}

describe("a long poll", () => {
  it("is answered when the request settles, however that comes", async () => {
    const { ana, ben, claude, a } = await openScene();
    const requestId = await ask(claude);
    const [resident, human] = [waitAs(claude, requestId, LONG_MS), waitAs(ben, requestId, LONG_MS)];
    await waiting(2);
    await a.ask({ type: "decide", requestId, optionId: "allow-1" });
    const replies = [await resident, await human];
    const settled = await statusAs(ana, requestId);
    for (const reply of replies) {
      expect(reply.status).toBe(200);
      expect(reply.body.settlement).toEqual(settled.body.settlement);
      expect(reply.body.outcome).toEqual({ outcome: "selected", optionId: "allow-1" });
    }
  });

  it("is answered by the alarm that expires the request", async () => {
    const { claude } = await openScene();
    const requestId = await ask(claude, { expiresInMs: 1000 });
    const reply = await waitAs(claude, requestId, LONG_MS);
    expect(reply.body).toMatchObject({ state: "expired", outcome: { outcome: "cancelled" } });
  });

  it("is answered as pending when its time is up", async () => {
    const { claude } = await openScene();
    const requestId = await ask(claude);
    for (const waitMs of [0, 1, 50]) {
      const from = performance.now();
      const reply = await waitAs(claude, requestId, waitMs);
      expect(reply.body.state).toBe("pending");
      expect(performance.now() - from).toBeGreaterThanOrEqual(waitMs - 1);
    }
  });

  it("is answered at once where the request is settled, unknown or another's", async () => {
    const { room, ana, claude } = await openScene();
    const other = await room.resident("other");
    const requestId = await ask(claude);
    await decideAs(ana, requestId, "no-2");
    expect((await waitAs(claude, requestId, LONG_MS)).body.state).toBe("decided");
    expect((await waitAs(claude, freshId(), LONG_MS)).body.error?.code).toBe("request_not_found");
    const foreign = await ask(other);
    expect((await waitAs(claude, foreign, LONG_MS)).body.error?.code).toBe("request_not_found");
  });

  it.each(["", "-1", "1.5", "1e3", "abc", "0x10", " 5", "Infinity", "null"])(
    "for %j is refused: that is no number of milliseconds",
    async (waitMs) => {
      const { claude } = await openScene();
      const requestId = await ask(claude);
      const reply = await waitAs(claude, requestId, encodeURIComponent(waitMs));
      expect(reply.status).toBe(400);
      expect(reply.body.error).toMatchObject({
        code: "invalid_request",
        issues: [{ path: ["waitMs"] }],
      });
    },
  );

  it.each([limits.WAIT_MAX_MS, limits.WAIT_MAX_MS + 1, 999_999_999])(
    "for %s ms waits 30 s at most",
    async (waitMs) => {
      const { ana, claude } = await openScene();
      const requestId = await ask(claude);
      const reply = waitAs(claude, requestId, waitMs);
      await waiting(1);
      await dismissAs(ana, requestId);
      expect((await reply).body.state).toBe("dismissed");
      expect(limits.WAIT_MAX_MS).toBe(LONG_MS);
    },
  );

  it("of the resident delivers the settlement, a human's does not", async () => {
    const room = await createRoom();
    const [ana, ben, claude] = [
      await room.human("Ana"),
      await room.human("Ben"),
      await room.resident(),
    ];
    const b = await ben.socket();
    const requestId = await ask(claude);
    const human = waitAs(ana, requestId, LONG_MS);
    await waiting(1);
    await decideAs(ben, requestId, "allow-1");
    expect((await human).body.delivery.state).toBe("waiting");
    const other = await ask(claude);
    const resident = waitAs(claude, other, LONG_MS);
    await waiting(2);
    await decideAs(ben, other, "allow-1");
    expect((await resident).body.delivery.state).toBe("sent");
    expect((await b.next("card_delivery")).requestId).toBe(other);
    expect((await statusAs(ana, requestId)).body.delivery.state).toBe("waiting");
  });

  it("is one of 4 of its participant: the fifth is turned away and changes nothing", async () => {
    const { ana, ben, claude } = await openScene();
    const requestId = await ask(claude);
    const polls = Array.from({ length: limits.LONG_POLLS_PER_PARTICIPANT }, () =>
      waitAs(claude, requestId, LONG_MS),
    );
    await waiting(polls.length);
    const refused = await waitAs(claude, requestId, LONG_MS);
    expect([refused.status, refused.body.error?.code]).toEqual([429, "rate_limited"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await statusAs(claude, requestId)).body.state).toBe("pending");
    const others = waitAs(ben, requestId, LONG_MS);
    await waiting(polls.length + 1);
    await decideAs(ana, requestId, "no-2");
    for (const reply of await Promise.all([...polls, others])) {
      expect(reply.body.state).toBe("decided");
    }
    const next = waitAs(claude, await ask(claude), 1);
    expect((await next).status).toBe(200);
  });

  it("is one of 64 of its Room", async () => {
    const room = await createRoom();
    const claude = await room.resident();
    const requestId = await ask(claude);
    const members = await Promise.all(
      Array.from({ length: limits.LONG_POLLS_PER_ROOM / limits.LONG_POLLS_PER_PARTICIPANT }, () =>
        room.human(),
      ),
    );
    const polls = members.flatMap((member) =>
      Array.from({ length: limits.LONG_POLLS_PER_PARTICIPANT }, () =>
        waitAs(member, requestId, LONG_MS),
      ),
    );
    await waiting(limits.LONG_POLLS_PER_ROOM);
    const late = await room.human("Late");
    const refused = await waitAs(late, requestId, LONG_MS);
    expect([refused.status, refused.body.error?.code]).toEqual([429, "rate_limited"]);
    await decideAs(late, requestId, "allow-1");
    expect((await Promise.all(polls)).every((reply) => reply.body.state === "decided")).toBe(true);
  });

  it("that an eviction cuts is unavailable or answered anew, never lost and never an error of ours", async () => {
    const { room, ana, claude } = await openScene();
    const requestId = await ask(claude);
    const poll = waitAs(claude, requestId, LONG_MS);
    await waiting(1);
    await room.abort();
    const decided = await decideAs(ana, requestId, "no-2");
    const reply = await poll;
    const told =
      reply.status === 503
        ? [reply.body.error?.code, Number(reply.headers.get("retry-after")) > 0]
        : [reply.body.settlement];
    expect([["unavailable", true], [decided.body.settlement]]).toContainEqual(told);
    expect((await waitAs(claude, requestId, LONG_MS)).body.state).toBe("decided");
  });

  it("is woken by the end of the Room, and told of it", async () => {
    const { ana, ben, claude } = await openScene();
    const requestId = await ask(claude);
    const polls = [waitAs(claude, requestId, LONG_MS), waitAs(ben, requestId, LONG_MS)];
    await waiting(2);
    expect((await closeAs(ana)).status).toBe(204);
    for (const reply of await Promise.all(polls)) {
      expect([reply.status, reply.body.error?.code]).toEqual([410, "room_closed"]);
    }
    expect((await call("GET", "/api/room", { token: ben.token })).status).toBe(404);
  });

  it("of somebody removed meanwhile is told nothing any more", async () => {
    const { ana, ben, claude } = await openScene();
    const requestId = await ask(claude);
    const poll = waitAs(ben, requestId, LONG_MS);
    await waiting(1);
    const path = `/api/room/participants/${ben.participantId}/remove`;
    await call("POST", path, { token: ana.token, body: {} });
    await decideAs(ana, requestId, "allow-1");
    expect((await poll).status).toBe(401);
  });
});
