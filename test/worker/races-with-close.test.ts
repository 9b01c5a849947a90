import { describe, expect, it } from "vitest";
import { CLOSE } from "../../src/protocol/index.ts";
import { stopClock } from "../support/workerd/clock.ts";
import { LIVE_MS, type Racer, RACERS, settlementIn, shuffled } from "../support/workerd/race.ts";
import { ask } from "../support/workerd/room.ts";
import { openScene } from "../support/workerd/scene.ts";
import { tablesOf } from "../support/workerd/storage.ts";

const TIMES = 200;
/** So many Rooms at a time; but where the clock is raced, which is everybody's. */
const AT_ONCE = 10;

/** What may be told to whoever comes after the end. */
const ENDED = ["room_closed", "room_not_found", undefined];

/** How a card ends where the other one came first; an extension ends none. */
const OWN_ENDS = {
  withdraw: ["turn_cancelled"],
  decide: ["decided"],
  extend: [],
  expire: ["expired"],
};

async function raceOnce(racer: Racer, n: number): Promise<string> {
  const scene = await openScene();
  const { room, claude, a, b, r } = scene;
  const requestId = await ask(claude, { expiresInMs: LIVE_MS, maxExpiresInMs: 2 * LIVE_MS });
  const deadline = Date.now() + LIVE_MS;
  const racing = shuffled(n, [racer, "close"] as const);
  const told = await Promise.all(
    racing.map((one, place) =>
      // A frame on its way when the Room ends is answered by nothing but 4001.
      Promise.race([
        RACERS[one](scene, { requestId, deadline, n, place }),
        one === "close" ? new Promise(() => {}) : a.closed().then(() => undefined),
      ]),
    ),
  );
  const { settlement, outcome } = await a.next("card_settled");
  expect(await b.next("card_settled")).toMatchObject({ settlement, outcome });
  const claimed = told.flatMap((one) => settlementIn(one) ?? []);
  expect(claimed).toEqual(claimed.map(() => settlement));
  for (const one of told.filter((each) => settlementIn(each) === undefined)) {
    expect(ENDED).toContain((one as { error?: { code: string } } | null | undefined)?.error?.code);
  }
  const end = settlement.state === "withdrawn" ? settlement.reason : settlement.state;
  // A resident needs no word of what it withdrew itself.
  const decisions = end === "turn_cancelled" ? [] : [await r.next("decision")];
  expect(decisions).toMatchObject(decisions.map(() => ({ settlement, outcome })));
  for (const socket of [a, b, r]) expect(await socket.closed()).toBe(CLOSE.roomClosed);
  for (const [socket, type] of [
    [a, "card_settled"],
    [b, "card_settled"],
    [r, "decision"],
  ] as const) {
    expect(socket.left(type)).toEqual([]);
  }
  expect(await room.inside((_, { storage }) => tablesOf(storage))).toEqual([]);
  return end;
}

describe.each(["withdraw", "decide", "extend", "expire"] as const)(
  "%s and close at once",
  (racer) => {
    it(`settle a card once, and everybody is told the same, ${TIMES} times over`, async () => {
      const clock = stopClock();
      const ends = new Set<string>();
      const atOnce = racer === "expire" ? 1 : AT_ONCE;
      for (let n = 0; n < TIMES; n += atOnce) {
        const batch = Array.from({ length: atOnce }, (_, offset) => raceOnce(racer, n + offset));
        for (const end of await Promise.all(batch)) ends.add(end);
        clock.advance(LIVE_MS);
      }
      // Either did come first: this was a race.
      expect([...ends].sort()).toEqual([...OWN_ENDS[racer], "room_closed"].sort());
    }, 60_000);
  },
);
