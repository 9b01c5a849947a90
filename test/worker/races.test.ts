import { describe, expect, it } from "vitest";
import type { RequestStatus } from "../../src/protocol/index.ts";
import { stopClock } from "../support/workerd/clock.ts";
import { recordsAs } from "../support/workerd/commands.ts";
import { LIVE_MS, type Racer, RACERS, settlementIn, shuffled } from "../support/workerd/race.ts";
import { ask, statusAs } from "../support/workerd/room.ts";
import { openScene, type Scene } from "../support/workerd/scene.ts";

const TIMES = 200;
/** After so many races everybody is asked what they were told; no socket falls silent for longer. */
const ROUND = 50;

const PAIRS: [Racer, Racer][] = [
  ["withdraw", "decide"],
  ["withdraw", "extend"],
  ["withdraw", "expire"],
  ["decide", "extend"],
  ["decide", "expire"],
  ["extend", "expire"],
];

interface End {
  readonly status: RequestStatus;
  readonly isExtended: boolean;
}

async function race(scene: Scene, pair: [Racer, Racer], n: number, now: number): Promise<End> {
  const { ana, claude } = scene;
  const requestId = await ask(claude, { expiresInMs: LIVE_MS, maxExpiresInMs: 2 * LIVE_MS });
  const deadline = now + LIVE_MS;
  const start = { requestId, deadline, n };
  const told = await Promise.all(
    shuffled(n, pair).map((racer, place) => RACERS[racer](scene, { ...start, place })),
  );
  let { body: status } = await statusAs(ana, requestId);
  const isExtended = status.expiresAt > deadline;
  if (status.state === "pending") {
    // Only an extension that beat the deadline leaves it so.
    if (!pair.includes("extend") || !isExtended) throw new Error("nothing settled it");
    await RACERS.withdraw(scene, { ...start, place: 1 });
    status = (await statusAs(ana, requestId)).body;
  }
  const claimed = told.flatMap((one) => settlementIn(one) ?? []);
  expect(claimed).toEqual(claimed.map(() => status.settlement));
  return { status, isExtended };
}

/** Each was told of each end exactly once, and of nothing else. */
async function expectAllTold({ a, b, r }: Scene, ends: readonly End[]): Promise<void> {
  const settled = ends.map(({ status: { requestId, settlement, outcome } }) => ({
    requestId,
    settlement,
    outcome,
  }));
  const extended = ends.filter((end) => end.isExtended).map(({ status }) => status.requestId);
  for (const socket of [a, b, r]) {
    const frames = await socket.takeAll("card_extended");
    expect(frames.map(({ requestId }) => requestId)).toEqual(extended);
  }
  for (const socket of [a, b]) {
    const frames = await socket.takeAll("card_settled");
    expect(
      frames.map(({ requestId, settlement, outcome }) => ({ requestId, settlement, outcome })),
    ).toEqual(settled);
  }
  // A resident needs no word of what it withdrew itself.
  const decisions = await r.takeAll("decision");
  expect(
    decisions.map(({ requestId, settlement, outcome }) => ({ requestId, settlement, outcome })),
  ).toEqual(settled.filter(({ settlement }) => settlement?.state !== "withdrawn"));
}

describe.each(PAIRS)("%s and %s at once", (...pair) => {
  it(`settle a card once, and everybody is told the same, ${TIMES} times over`, async () => {
    const scene = await openScene();
    const clock = stopClock();
    const all: End[] = [];
    while (all.length < TIMES) {
      const ends: End[] = [];
      for (let n = 0; n < ROUND; n += 1) {
        ends.push(await race(scene, pair, all.length + n, clock.now()));
        // Real alarms keep to real time: this clock stays ahead of it, so that none fires for a card that is not due.
        clock.advance(100);
      }
      await expectAllTold(scene, ends);
      all.push(...ends);
    }
    const settlements = new Map(all.map(({ status }) => [status.requestId, status.settlement]));
    const records = await recordsAs(scene.ana);
    expect(records).toHaveLength(TIMES);
    for (const { requestId, settlement } of records) {
      expect(settlement).toEqual(settlements.get(requestId));
    }
    // Either did come first: this was a race.
    const ways = new Set(all.map((end) => `${end.status.state}, ${end.isExtended}`));
    expect(ways.size).toBeGreaterThan(1);
  }, 60_000);
});
