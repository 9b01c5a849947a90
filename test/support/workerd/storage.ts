import type { TestRoom } from "./room.ts";

/** Every row of every table, the key-value side and the alarm: two that are equal mean that nothing was changed. */
export function dumpRoom(room: TestRoom): Promise<string> {
  return room.inside((_, state) => dumpStorage(state));
}

export async function dumpStorage({ storage }: DurableObjectState): Promise<string> {
  const tables = tablesOf(storage).map((table) => [
    table,
    storage.sql.exec(`SELECT * FROM "${table}"`).toArray(),
  ]);
  const pairs = [...(await storage.list())];
  return JSON.stringify({ tables, pairs, alarm: await storage.getAlarm() });
}

/** The tables that the Room made; the runtime's own are not readable. */
export function tablesOf({ sql }: DurableObjectStorage): string[] {
  return sql
    .exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY name",
    )
    .toArray()
    .map(({ name }) => name);
}
