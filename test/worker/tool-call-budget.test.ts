import { describe, expect, it } from "vitest";
import { limits, type RoomView, utf8Bytes } from "../../src/protocol/index.ts";
import { dismissAs, recordsAs } from "../support/workerd/commands.ts";
import { fillCards } from "../support/workerd/fill.ts";
import {
  ask,
  call,
  createRoom,
  freshId,
  type Member,
  post,
  type Reply,
  type TestRoom,
} from "../support/workerd/room.ts";

const KIB = 1024;
const BUDGET = limits.ROOM_TOOL_CALL_BYTES;
/** Larger than any call may be, so that few rows fill a Room: the budget counts bytes, whoever stored them. */
const LARGE = 1_620 * KIB;
/** As many as leave this much of the budget. */
const COUNT = Math.floor(BUDGET / LARGE);
const LEFT = BUDGET - COUNT * LARGE;

/** A tool call of exactly so many bytes. */
function toolCall(bytes: number): object {
  const empty = { toolCallId: "t1", title: "small", pad: "" };
  return { ...empty, pad: "x".repeat(bytes - JSON.stringify(empty).length) };
}

async function stored(room: TestRoom): Promise<string[]> {
  return room.inside((_, { storage }) =>
    storage.sql
      .exec<{ id: string }>(
        "SELECT request_id AS id FROM card WHERE tool_call IS NOT NULL ORDER BY seq",
      )
      .toArray()
      .map(({ id }) => id),
  );
}

function fetched(member: Member, requestId: string): Promise<Reply> {
  return call("GET", `/api/room/permissions/${requestId}/tool-call`, { token: member.token });
}

describe("the budget of stored tool calls", () => {
  it("is 64 MiB: up to it nothing goes, one byte past it the oldest settled body does", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    await fillCards(room, { count: COUNT, state: "expired", bytes: LARGE });
    const last = await ask(claude, { toolCall: toolCall(LEFT) });
    expect(await stored(room)).toHaveLength(COUNT + 1);
    const past = await ask(claude, { toolCall: { toolCallId: "t" } });
    const kept = await stored(room);
    expect(kept).toHaveLength(COUNT + 1);
    expect(kept).not.toContain("filler-000001");
    expect(kept.slice(-2)).toEqual([last, past]);
    for (const requestId of [last, past]) expect((await fetched(ana, requestId)).status).toBe(200);
  });

  it("leaves of what it drops the record and a card by reference that says so", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const inline = await ask(claude, {
      toolCall: { toolCallId: "t1", title: "npm test", kind: "execute", rawInput: { a: 1 } },
    });
    await dismissAs(ana, inline);
    const before = await recordsAs(ana);
    // The inline one ended later than the fillers: it goes when all of them have gone.
    await fillCards(room, { count: 3, state: "expired", bytes: LARGE });
    await room.inside((_, { storage }) => {
      storage.sql.exec("UPDATE card SET settled_at = 0 WHERE request_id = ?", inline);
    });
    await fillCards(room, { count: COUNT - 3, state: "pending", bytes: LARGE, prefix: "waiting" });
    const opened = await ask(claude, { toolCall: toolCall(900 * KIB) });
    const gone = await fetched(ana, inline);
    expect([gone.status, gone.body.error?.code]).toEqual([404, "request_not_found"]);
    const { body: view } = await call<RoomView>("GET", "/api/room", { token: ana.token });
    expect(view.recent.find((card) => card.requestId === inline)).toMatchObject({
      toolCall: { toolCallId: "t1", title: "npm test", kind: "execute" },
      evidence: { inline: false, available: false, cut: ["rawInput"] },
      settlement: { state: "dismissed" },
    });
    const filler = view.recent.find((card) => card.requestId === "filler-000001");
    expect(filler).toMatchObject({
      toolCall: { title: "kept title" },
      evidence: { available: false, bytes: LARGE, sha256: "sha" },
    });
    const records = await recordsAs(ana);
    expect(records.find((record) => record.requestId === inline)).toEqual(before[0]);
    expect(records).toHaveLength(4);
    expect((await fetched(ana, opened)).status).toBe(200);
    const newcomer = await (await room.human("New")).socket();
    expect((await newcomer.next("welcome")).cards).toHaveLength(COUNT - 2);
  });

  it("is never made by dropping what is pending: the Room is full, and nothing else is lost", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    await fillCards(room, { count: 1, state: "expired", bytes: 1000 });
    await fillCards(room, { count: COUNT, state: "pending", bytes: LARGE, prefix: "waiting" });
    const refused = await post(claude, freshId(), { toolCall: toolCall(LEFT + 1) });
    expect([refused.status, refused.body.error?.code]).toEqual([429, "room_full"]);
    expect(await stored(room)).toHaveLength(COUNT + 1);
    const fits = await ask(claude, { toolCall: toolCall(LEFT) });
    expect(await stored(room)).not.toContain("filler-000001");
    expect((await post(claude, freshId())).body.error?.code).toBe("room_full");
    expect((await post(claude, fits, { toolCall: toolCall(LEFT) })).body.duplicate).toBe(true);
    await dismissAs(ana, fits);
    expect((await post(claude, freshId())).status).toBe(201);
    const { cards } = await (await (await room.human("New")).socket()).next("welcome");
    expect(cards).toHaveLength(COUNT + 1);
  });

  // B111
  it.each([
    [100 * KIB, "x", 201],
    [130 * KIB, "x", 201],
    [60_000, "😀", 201],
    [limits.TOOL_CALL_BYTES, "x", 413],
    [2_150 * KIB, "x", 413],
  ])(
    "takes %s letters %s or refuses them before anything is stored",
    async (count, letter, status) => {
      const room = await createRoom();
      const claude = await room.resident();
      const call = { toolCallId: "t", rawInput: letter.repeat(count) };
      const reply = await post(claude, freshId(), { toolCall: call });
      expect(reply.status).toBe(status);
      expect(await stored(room)).toHaveLength(status === 201 ? 1 : 0);
      await room.evict("close");
      const { cards } = await (await (await room.human()).socket()).next("welcome");
      const bytes = utf8Bytes(JSON.stringify(call));
      expect(cards.map(({ evidence }) => evidence.bytes)).toEqual(status === 201 ? [bytes] : []);
    },
  );
});
