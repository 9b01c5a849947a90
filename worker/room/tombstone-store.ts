import type { Tombstone } from "../../src/approval/index.ts";
import { limits, type ResidentWithdrawReason } from "../../src/protocol/index.ts";

type TombstoneRow = { request_id: string; resident_id: string; reason: string; at: number };

/** Withdrawals that came before their own request: the newest few of each resident, for a while. */
export class TombstoneStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  find(requestId: string, now: number): Tombstone | undefined {
    const [row] = this.#sql
      .exec<TombstoneRow>(
        "SELECT * FROM tombstone WHERE request_id = ? AND at > ?",
        requestId,
        now - limits.TOMBSTONE_MS,
      )
      .toArray();
    if (row === undefined) return undefined;
    return {
      requestId: row.request_id,
      residentId: row.resident_id,
      reason: row.reason as ResidentWithdrawReason,
      at: row.at,
    };
  }

  insert(tombstone: Tombstone): void {
    const { requestId, residentId, reason, at } = tombstone;
    this.#sql.exec("DELETE FROM tombstone WHERE at <= ?", at - limits.TOMBSTONE_MS);
    this.#sql.exec("INSERT INTO tombstone VALUES (?, ?, ?, ?)", requestId, residentId, reason, at);
    this.#sql.exec(
      // Of those with one time the one just written is the newest.
      `DELETE FROM tombstone WHERE resident_id = ?1 AND request_id NOT IN
         (SELECT request_id FROM tombstone WHERE resident_id = ?1
          ORDER BY at DESC, request_id = ?2 DESC LIMIT ${limits.TOMBSTONES_PER_RESIDENT})`,
      residentId,
      requestId,
    );
  }
}
