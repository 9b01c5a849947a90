import { describe, expect, it } from "vitest";
import { type HistoryRecord, historyRecord } from "../../src/protocol/index.ts";
import { csvHeader, csvLine } from "../../worker/csv.ts";
import { stopClock } from "../support/workerd/clock.ts";
import { decideAs, dismissAs, historyAs, recordsAs } from "../support/workerd/commands.ts";
import {
  ask,
  createRoom,
  STD,
  statusAs,
  type TestRoom,
  withdrawAs,
} from "../support/workerd/room.ts";
import { openScene } from "../support/workerd/scene.ts";

/** Makes `count` settled records, `together` of them with one settled_at. */
function fill(room: TestRoom, count: number, together: number): Promise<void> {
  return room.inside((_, { storage }) => {
    for (let n = 1; n <= count; n += 1) {
      const at = 1_000_000 + Math.floor(n / together);
      storage.sql.exec(
        `INSERT INTO card (seq, request_id, resident_id, resident_name, content_hash, tool_call, tool_call_bytes,
           tool_call_sha256, options, opened_at, expires_at, expires_in_ms, state, settlement, settled_at, delivery, delivery_at)
         VALUES (?1, ?2, 'r', 'claude', 'h', '{"toolCallId":"t"}', 18, 's', '[]', 0, ?3, 1000, 'expired', ?4, ?3, 'not_applied', ?3)`,
        n,
        `filler-${String(n).padStart(6, "0")}`,
        at,
        JSON.stringify({ state: "expired", at }),
      );
    }
  });
}

/** By hand: the runtime warns of media types that it does not know for text. */
function decoded(bytes: ArrayBuffer): string {
  return new TextDecoder().decode(bytes);
}

function asJson(records: readonly HistoryRecord[]): string {
  return JSON.stringify(records);
}

function asLines(records: readonly HistoryRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

function asTable(records: readonly HistoryRecord[]): string {
  return csvHeader() + records.map(csvLine).join("");
}

describe("the history", () => {
  it("has one whole record of every settled card and none of a pending one, oldest end first", async () => {
    const { ana, claude } = await openScene();
    const clock = stopClock();
    const title = "npm test";
    const ids = [
      await ask(claude, { turnId: "turn-1" }),
      await ask(claude, { toolCall: { toolCallId: "t2", title: 7, kind: ["execute"] } }),
      await ask(claude),
    ];
    await ask(claude);
    const settled: HistoryRecord["settlement"][] = [];
    for (const end of [
      () => withdrawAs(claude, ids[2] as string, "tool_settled"),
      () => decideAs(ana, ids[0] as string, "no-2"),
      () => dismissAs(ana, ids[1] as string),
    ]) {
      clock.advance(10);
      const { body } = await end();
      if (body.settlement !== undefined) settled.push(body.settlement);
    }
    const records = (await recordsAs(ana)).map((record) => historyRecord.parse(record));
    expect(records.map((record) => record.settlement)).toEqual(settled);
    expect(records.map((record) => record.requestId)).toEqual([ids[2], ids[0], ids[1]]);
    expect(records[1]).toMatchObject({
      turnId: "turn-1",
      resident: { participantId: claude.participantId, name: "claude" },
      title,
      kind: "execute",
      options: STD,
      outcome: { outcome: "selected", optionId: "no-2" },
      delivery: { state: "sent" },
    });
    expect(records[1]?.toolCallSha256).toMatch(/^[0-9a-f]{64}$/);
    for (const field of ["title", "kind", "turnId"]) expect(records[2]).not.toHaveProperty(field);
  });

  it.each([
    ["", "application/json; charset=utf-8", asJson],
    ["?format=json", "application/json; charset=utf-8", asJson],
    ["?format=jsonl", "application/jsonl; charset=utf-8", asLines],
    ["?format=csv", "text/csv; charset=utf-8", asTable],
  ])("as %j says what it is, and is of the same records", async (query, mediaType, written) => {
    const { ana, claude } = await openScene();
    const ids = [await ask(claude), await ask(claude), await ask(claude)];
    const empty = await historyAs(ana, query);
    expect(empty.status).toBe(200);
    const nothing = decoded(await empty.arrayBuffer());
    for (const requestId of ids) await dismissAs(ana, requestId);
    const response = await historyAs(ana, query);
    expect(response.headers.get("content-type")).toBe(mediaType);
    expect(response.headers.get("content-disposition")).toContain("handraise-history.");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const text = decoded(await response.arrayBuffer());
    const records = await recordsAs(ana);
    expect([nothing, text]).toEqual([written([]), written(records)]);
  });

  it.each([
    [99, 7],
    [100, 100],
    [101, 101],
    [250, 60],
    [300, 1],
  ])("of %s records, %s at a time, has each once and in order", async (count, together) => {
    const room = await createRoom();
    const ana = await room.human();
    await fill(room, count, together);
    const expected = Array.from(
      { length: count },
      (_, n) => `filler-${String(n + 1).padStart(6, "0")}`,
    );
    expect((await recordsAs(ana)).map((record) => record.requestId)).toEqual(expected);
    const csv = await (await historyAs(ana, "?format=csv")).text();
    expect(
      csv
        .split("\r\n")
        .slice(1, -1)
        .map((line) => line.split(",")[0]),
    ).toEqual(expected);
  });

  it("comes page by page, as it is read", async () => {
    const room = await createRoom();
    const ana = await room.human();
    await fill(room, 1000, 1000);
    const response = await historyAs(ana, "?format=jsonl");
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const decoder = new TextDecoder();
    const lines: number[] = [];
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      lines.push(decoder.decode(value, { stream: true }).split("\n").length - 1);
    }
    expect(lines.reduce((sum, count) => sum + count, 0)).toBe(1000);
    expect(Math.max(...lines)).toBeLessThan(1000);
  });

  it("settles first what is due, and tells everybody", async () => {
    const { ana, claude, b, r } = await openScene();
    const clock = stopClock();
    const requestId = await ask(claude, { expiresInMs: 1000 });
    clock.advance(1000);
    const settlement = { state: "expired", at: clock.now() };
    expect(await recordsAs(ana)).toMatchObject([{ requestId, settlement }]);
    expect((await b.next("card_settled")).settlement).toEqual(settlement);
    expect((await r.next("decision")).settlement).toEqual(settlement);
  });

  it("leaves out a row that cannot be read, and nothing else", async () => {
    const { room, ana, claude } = await openScene();
    const ids = [await ask(claude), await ask(claude), await ask(claude)];
    for (const requestId of ids) await dismissAs(ana, requestId);
    await room.inside((_, { storage }) => {
      storage.sql.exec("UPDATE card SET options = '[' WHERE request_id = ?", ids[1]);
    });
    expect((await recordsAs(ana)).map((one) => one.requestId)).toEqual([ids[0], ids[2]]);
  });

  it("is for humans, in a format that there is", async () => {
    const { room, ana, claude } = await openScene();
    const requestId = await ask(claude);
    await dismissAs(ana, requestId);
    for (const query of ["", "?format=csv"]) {
      const refused = await historyAs(claude, query);
      expect(refused.status).toBe(403);
      expect(await refused.json()).toMatchObject({ error: { code: "human_only" } });
    }
    for (const format of ["xml", "", "JSON", "json,csv"]) {
      const refused = await historyAs(ana, `?format=${format}`);
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({
        error: { code: "invalid_request", issues: [{ path: ["format"] }] },
      });
    }
    expect((await historyAs({ ...ana, token: room.created.humanInvite })).status).toBe(401);
    expect((await statusAs(ana, requestId)).body.state).toBe("dismissed");
  });
});
