import { env, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import wrangler from "../../wrangler.toml?raw";
import * as entry from "../../worker/index.ts";
import { migrate } from "../../worker/room/schema.ts";
import {
  ask,
  call,
  createRoom,
  statusAs,
  type TestRoom,
  withdrawAs,
} from "../support/workerd/room.ts";
import { dumpRoom, tablesOf } from "../support/workerd/storage.ts";

/** Every migration by its file name, as it is on disk. */
const FILES = Object.entries(
  import.meta.glob<string>("../../migrations/*.sql", {
    query: "?raw",
    import: "default",
    eager: true,
  }),
)
  .map(([path, text]) => [path.split("/").at(-1) as string, text] as const)
  .sort(([a], [b]) => (a < b ? -1 : 1));

/** SHA-256 of every landed migration. A line is added with a new one; none is ever changed: its Rooms are out there. */
const LANDED: Record<string, string> = {
  "0001_room.sql": "36181b4a93ae4df1c297eef16c846be12da40291ad673ff79367125214954a89",
};

function sqlInside<T>(room: TestRoom, use: (sql: SqlStorage) => T): Promise<T> {
  return room.inside((_, { storage }) => use(storage.sql));
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

describe("migrations", () => {
  it("are numbered from 1 without a gap, and those that landed are never edited", async () => {
    expect(FILES.map(([name]) => Number(name.slice(0, 4)))).toEqual(FILES.map((_, n) => n + 1));
    const hashes = await Promise.all(
      FILES.map(async ([name, text]) => [name, await sha256(text)] as const),
    );
    expect(Object.fromEntries(hashes)).toEqual(LANDED);
  });

  it("are all applied to a new Room, in order and each once", async () => {
    const room = await createRoom();
    const applied = await sqlInside(room, (sql) =>
      sql.exec<{ number: number }>("SELECT number FROM migration ORDER BY rowid").toArray(),
    );
    expect(applied.map(({ number }) => number)).toEqual(FILES.map((_, n) => n + 1));
  });

  it("are not applied again by a start, a second creation, or by hand", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const requestId = await ask(claude);
    const before = await dumpRoom(room);
    await room.evict();
    await room.inside((instance, { storage }) => {
      migrate(storage);
      const { roomId } = room.created;
      const again = { roomId, name: "X", humanInviteHash: "x", residentInviteHash: "y" };
      expect(instance.create(again)).toMatchObject({ name: "Test" });
    });
    expect(await dumpRoom(room)).toBe(before);
    expect((await statusAs(ana, requestId)).body.state).toBe("pending");
  });

  it("bring an older database up to date at its start", async () => {
    const room = await createRoom();
    const tables = await room.inside((_, { storage }) => {
      const whole = tablesOf(storage);
      // As it was before the first migration: all that there is, is the list of what was applied.
      storage.transactionSync(() => {
        storage.sql.exec("PRAGMA defer_foreign_keys = ON");
        for (const table of whole) {
          if (table !== "migration") storage.sql.exec(`DROP TABLE "${table}"`);
        }
        storage.sql.exec("DELETE FROM migration");
      });
      return whole;
    });
    await room.evict();
    expect(await room.inside((_, { storage }) => tablesOf(storage))).toEqual(tables);
    const reply = await call("POST", "/api/room/join", {
      token: room.created.humanInvite,
      body: { name: "Ana" },
    });
    expect(reply.status).toBe(404);
  });

  it("are applied whole or not at all", async () => {
    const id = env.ROOMS.newUniqueId();
    await runInDurableObject(env.ROOMS.get(id), (_, { storage }) => {
      // A table of the first migration is there already, which makes that migration fail.
      storage.sql.exec("CREATE TABLE tombstone (x)");
      expect(() => migrate(storage)).toThrow(/already exists/);
      expect(tablesOf(storage)).toEqual(["tombstone"]);
    });
  });
});

describe("the database itself", () => {
  async function filledRoom() {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const [pending, withdrawn, decided] = [await ask(claude), await ask(claude), await ask(claude)];
    await withdrawAs(claude, withdrawn);
    const a = await ana.socket();
    await a.ask({ type: "decide", requestId: decided, optionId: "allow-1" });
    return { room, ana, claude, pending, withdrawn, decided };
  }

  it.each([
    ["a state that there is not", "UPDATE card SET state = 'approved'"],
    ["a delivery that there is not", "UPDATE card SET delivery = 'lost'"],
    ["a pending card with an end", "UPDATE card SET settlement = '{}' WHERE state = 'pending'"],
    [
      "a pending card with the time of an end",
      "UPDATE card SET settled_at = 1 WHERE state = 'pending'",
    ],
    ["a settled card without an end", "UPDATE card SET settlement = NULL WHERE state = 'decided'"],
    [
      "a settled card that is pending again",
      "UPDATE card SET state = 'pending' WHERE state = 'decided'",
    ],
    [
      "a delivery of a pending card",
      "UPDATE card SET delivery = 'waiting' WHERE state = 'pending'",
    ],
    [
      "a delivery of a withdrawn card",
      "UPDATE card SET delivery = 'sent' WHERE state = 'withdrawn'",
    ],
    ["a decided card with none", "UPDATE card SET delivery = 'none' WHERE state = 'decided'"],
    ["two cards with one requestId", "UPDATE card SET request_id = 'same'"],
    ["a deadline that is no number", "UPDATE card SET expires_at = 'soon'"],
    ["no options", "UPDATE card SET options = NULL"],
    ["a third role", "UPDATE participant SET role = 'admin'"],
    ["two participants with one name", "UPDATE participant SET name_key = 'same'"],
    ["a presence that is neither", "UPDATE participant SET is_present = 2"],
    ["a fifth kind of credential", "UPDATE credential SET kind = 'xx'"],
    ["a token of nobody", "UPDATE credential SET participant_id = NULL WHERE kind = 'ht'"],
    ["a token of someone unknown", "UPDATE credential SET participant_id = 'x' WHERE kind = 'ht'"],
    [
      "an invite of somebody",
      "UPDATE credential SET participant_id = (SELECT min(participant_id) FROM participant) WHERE kind = 'hi'",
    ],
    ["a second Room", "INSERT INTO room (one, room_id, name, created_at) VALUES (2, 'x', 'x', 0)"],
    [
      "the same Room twice",
      "INSERT INTO room (one, room_id, name, created_at) VALUES (1, 'x', 'x', 0)",
    ],
  ])("refuses %s", async (_, statement) => {
    const { room } = await filledRoom();
    const before = await dumpRoom(room);
    await sqlInside(room, (sql) =>
      expect(() => sql.exec(statement)).toThrow(/constraint|cannot store/i),
    );
    expect(await dumpRoom(room)).toBe(before);
  });

  it.each(["room", "participant", "credential", "card", "tombstone", "migration"])(
    "keeps %s STRICT: no column takes another type",
    async (table) => {
      const room = await createRoom();
      const isStrict = await sqlInside(room, (sql) =>
        sql
          .exec<{ sql: string }>("SELECT sql FROM sqlite_master WHERE name = ?", table)
          .one()
          .sql.includes("STRICT"),
      );
      expect(isStrict).toBe(true);
    },
  );

  it("finds pending, waiting and due cards and credentials by an index", async () => {
    const room = await createRoom();
    const plans = await sqlInside(room, (sql) =>
      [
        "SELECT request_id FROM card WHERE state = 'pending' AND expires_at <= 1",
        "SELECT request_id FROM card WHERE delivery = 'waiting' AND deliver_by <= 1",
        "SELECT 1 FROM card WHERE request_id = 'x'",
        "SELECT 1 FROM credential WHERE hash = 'x'",
      ].map((query) =>
        sql
          .exec<{ detail: string }>(`EXPLAIN QUERY PLAN ${query}`)
          .toArray()
          .map(({ detail }) => detail)
          .join(),
      ),
    );
    for (const plan of plans) expect(plan).toMatch(/^SEARCH .* USING /);
  });
});

// B115
describe("wrangler.toml", () => {
  it("declares every bound class as exported and on SQLite, for good", () => {
    const bound = [...wrangler.matchAll(/^class_name = "(\w+)"$/gm)].map(([, name]) => name);
    expect(bound).toEqual(["Room"]);
    for (const name of bound as string[]) {
      expect(entry).toHaveProperty(name);
      const section = wrangler.split(`[exports.${name}]`)[1]?.split(/^\[/m)[0] ?? "";
      expect(section).toMatch(/^type = "durable-object"$/m);
      expect(section).toMatch(/^storage = "sqlite"$/m);
    }
    expect(wrangler).not.toMatch(/new_classes/);
  });

  it("lets the Worker answer /api/* before any asset, and logs no request metadata", () => {
    expect(wrangler).toMatch(/^run_worker_first = \["\/api\/\*"\]$/m);
    expect(wrangler).toMatch(/^invocation_logs = false$/m);
  });

  it("holds no secret", () => {
    expect(wrangler).not.toMatch(/ROOM_CREATION_KEY|hr1\./);
  });
});
