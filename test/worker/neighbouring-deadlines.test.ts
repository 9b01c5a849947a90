import { afterEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../support/workerd/clock.ts";
import { decideAs } from "../support/workerd/commands.ts";
import { ask, call, post, statusAs } from "../support/workerd/room.ts";
import { openScene } from "../support/workerd/scene.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a card that a person settles before its deadline", () => {
  // B35
  it("takes no other card's alarm with it, whichever of the two comes first", async () => {
    for (const times of [
      [2_000, 60_000],
      [60_000, 2_000],
    ]) {
      const { room, ana, claude, a } = await openScene();
      const ids: string[] = [];
      for (const expiresInMs of times) ids.push(await ask(claude, { expiresInMs }));
      const [early, late] = times[0] === 2_000 ? ids : ids.toReversed();
      await decideAs(ana, early as string, "allow-1");
      const { expiresAt } = (await statusAs(ana, late as string)).body;
      // The alarm of the one that is settled fires, finds nothing, and leaves the other's.
      await room.alarm();
      expect(await room.inside((_, { storage }) => storage.getAlarm())).toBeLessThanOrEqual(
        expiresAt,
      );
      const clock = stopClock();
      clock.set(expiresAt);
      await room.alarm();
      const settled = await a.next("card_settled", (frame) => frame.requestId === late);
      expect(settled.settlement).toEqual({ state: "expired", at: expiresAt });
      expect((await statusAs(ana, early as string)).body.state).toBe("decided");
      vi.useRealTimers();
    }
  });

  it("leaves the other to expire by the real alarm", async () => {
    const { ana, claude, a } = await openScene();
    const first = await ask(claude, { expiresInMs: 1_500 });
    const second = await ask(claude, { expiresInMs: 2_000 });
    await decideAs(ana, first, "no-2");
    const { settlement } = await a.next("card_settled", (frame) => frame.requestId === second);
    const { expiresAt } = (await statusAs(ana, second)).body;
    expect(settlement).toEqual({ state: "expired", at: expiresAt });
    expect(Date.now() - expiresAt).toBeLessThan(2_000);
  });
});

// B37
it("a row that cannot be read is named in the log when it is settled, without what it says", async () => {
  const { room, claude } = await openScene();
  const clock = stopClock();
  const ids = [
    await ask(claude, { expiresInMs: 60_000 }),
    await ask(claude, { expiresInMs: 60_000 }),
  ];
  await room.inside((_, { storage }) => {
    storage.sql.exec("UPDATE card SET options = 'SECRET[' WHERE request_id = ?", ids[0]);
  });
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  clock.advance(60_000);
  await room.alarm();
  const lines = logged.mock.calls.map(([line]) => String(line));
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    { event: "card_unreadable", error: "SyntaxError", requestId: ids[0] },
  ]);
  await room.alarm();
  expect(logged).toHaveBeenCalledTimes(1);
});

// B25
it("what an id was first used for is what is shown and decided, though the id came again with another command", async () => {
  const { ana, claude, a, r } = await openScene();
  const requestId = await ask(claude);
  const other = { toolCall: { toolCallId: "t1", rawInput: { command: "rm -rf /" } } };
  expect((await post(claude, requestId, other)).status).toBe(409);
  await a.ask({ type: "decide", requestId, optionId: "allow-1" });
  expect((await r.next("decision")).requestId).toBe(requestId);
  expect((await post(claude, requestId, other)).status).toBe(409);
  expect(await r.soFar("decision")).toEqual([]);
  const shown = await call("GET", `/api/room/permissions/${requestId}/tool-call`, {
    token: ana.token,
  });
  expect(shown.body).toMatchObject({ rawInput: { command: "npm test" } });
});
