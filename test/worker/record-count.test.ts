import { expect, it } from "vitest";
import { limits, type RequestStatus } from "../../src/protocol/index.ts";
import { stopClock } from "../support/workerd/clock.ts";
import {
  closeAs,
  decideAs,
  dismissAs,
  extendAs,
  historyAs,
  leaveAs,
  recordsAs,
} from "../support/workerd/commands.ts";
import {
  createRoom,
  freshId,
  type Member,
  post,
  statusAs,
  withdrawAs,
} from "../support/workerd/room.ts";

const REQUESTS = 500;
const LIVE_MS = 60_000;

/** A small generator of numbers that a seed repeats. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

// B121
it.each([1, 2])(
  "a random run of 500 requests leaves exactly one record of each (seed %s)",
  async (seed) => {
    const pick = seeded(seed);
    const room = await createRoom();
    const humans = [await room.human("Ana"), await room.human("Ben")];
    const ana = humans[0] as Member;
    let resident = await room.resident();
    let generation = 0;
    const clock = stopClock();
    const opened = new Map<string, Member>();
    const settled = new Map<string, RequestStatus["settlement"]>();
    const pending = new Set<string>();
    const one = (): string => [...pending][pick(pending.size)] as string;
    const note = (requestId: string, settlement: RequestStatus["settlement"]): void => {
      if (settlement === undefined) return;
      pending.delete(requestId);
      const before = settled.get(requestId);
      expect(settlement).toEqual(before ?? settlement);
      settled.set(requestId, settlement);
    };
    while (opened.size < REQUESTS) {
      const human = humans[pick(2)] as Member;
      const kind = pending.size === 0 ? 0 : pick(16);
      if (kind < 6 && pending.size < limits.PENDING_PER_RESIDENT) {
        const requestId = freshId();
        const more = { expiresInMs: LIVE_MS, maxExpiresInMs: 2 * LIVE_MS, ifNoHuman: "withdraw" };
        const { status, body } = await post(resident, requestId, more);
        if (status !== 201) throw new Error(`not opened: ${status}`);
        opened.set(requestId, resident);
        pending.add(requestId);
        note(requestId, body.settlement);
      } else if (kind < 8) {
        const requestId = one();
        note(
          requestId,
          (await decideAs(human, requestId, pick(2) === 0 ? "allow-1" : "no-2")).body.settlement,
        );
      } else if (kind < 10) {
        const requestId = one();
        note(requestId, (await dismissAs(human, requestId)).body.settlement);
      } else if (kind < 12) {
        const requestId = one();
        note(requestId, (await withdrawAs(resident, requestId)).body.settlement);
      } else if (kind === 12) {
        // Late, repeated and wrong calls: none of them may leave a record.
        await decideAs(human, [...opened.keys()][pick(opened.size)] as string, "nope");
        await post(resident, one(), { toolCall: { toolCallId: "other" } });
        await post(resident, freshId(), { options: [] });
        await withdrawAs(resident, freshId());
      } else if (kind === 13) {
        const requestId = one();
        await extendAs(human, requestId, (await statusAs(human, requestId)).body.expiresAt);
      } else if (kind === 14) {
        clock.advance(pick(LIVE_MS / 4));
        if (pick(2) === 0) await room.alarm();
        if (pick(4) === 0) await room.evict("close");
      } else if (pick(8) === 0) {
        await leaveAs(resident);
        generation += 1;
        resident = await room.resident(`claude ${generation}`);
      }
      for (const requestId of pending) {
        if (pick(40) === 0) note(requestId, (await statusAs(ana, requestId)).body.settlement);
      }
    }
    clock.advance(3 * LIVE_MS);
    const records = await recordsAs(ana);
    expect(records.map((record) => record.requestId).sort()).toEqual([...opened.keys()].sort());
    for (const { requestId, settlement, resident: asker } of records) {
      expect(settlement).toEqual(settled.get(requestId) ?? settlement);
      expect(asker.participantId).toBe(opened.get(requestId)?.participantId);
      expect("by" in settlement).toBe(["decided", "dismissed"].includes(settlement.state));
    }
    const ends = new Set(records.map((record) => record.settlement.state));
    expect([...ends].sort()).toEqual(["decided", "dismissed", "expired", "withdrawn"]);
    await closeAs(ana);
    expect((await historyAs(ana)).status).toBe(404);
  },
);
