import room from "../../migrations/0001_room.sql";

/** In order, append only: a landed migration is never edited. The place in the list is its number, from 1. */
const MIGRATIONS: readonly string[] = [room];

/** Whether a Room was ever created in this object: an id that nobody issued must leave no storage behind. */
export function isCreated(sql: SqlStorage): boolean {
  return sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'migration'").toArray().length > 0;
}

/** Brings the Room's database up to date, in one transaction. */
export function migrate(storage: DurableObjectStorage): void {
  storage.transactionSync(() => {
    storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS migration (number INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT",
    );
    const [row] = storage.sql
      .exec<{ last: number }>("SELECT coalesce(max(number), 0) AS last FROM migration")
      .toArray();
    for (const [index, text] of MIGRATIONS.entries()) {
      const number = index + 1;
      if (number <= (row?.last ?? 0)) continue;
      storage.sql.exec(text);
      storage.sql.exec("INSERT INTO migration VALUES (?, ?)", number, Date.now());
    }
  });
}
