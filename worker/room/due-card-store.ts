import type { Settlement } from "../../src/protocol/index.ts";

/** Cards by what time does to them. Ids only: a row that cannot be read must not hide the others. */
export class DueCardStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Ids of the cards that time has done something to, of one resident or all: past their deadline, or past their delivery. */
  ids(now: number, residentId?: string): string[] {
    return this.#sql
      .exec<{ request_id: string }>(
        `SELECT request_id FROM card WHERE state = 'pending' AND expires_at <= ?1 AND (?2 IS NULL OR resident_id = ?2)
         UNION
         SELECT request_id FROM card WHERE delivery = 'waiting' AND deliver_by <= ?1 AND (?2 IS NULL OR resident_id = ?2)
         UNION
         SELECT request_id FROM card WHERE no_human_at <= ?1 AND (?2 IS NULL OR resident_id = ?2)`,
        now,
        residentId ?? null,
      )
      .toArray()
      .map((row) => row.request_id);
  }

  /** When time will next do something to a card. */
  nextAt(): number | undefined {
    const row = this.#sql
      .exec<{ at: number | null }>(
        `SELECT min(at) AS at FROM (SELECT min(expires_at) AS at FROM card WHERE state = 'pending'
         UNION ALL SELECT min(deliver_by) FROM card WHERE delivery = 'waiting'
         UNION ALL SELECT min(no_human_at) FROM card WHERE no_human_at IS NOT NULL)`,
      )
      .one();
    return row.at ?? undefined;
  }

  /** Ids of the cards that still wait for something, oldest first: an answer, or its delivery. */
  unfinished(): string[] {
    return this.#sql
      .exec<{ request_id: string }>(
        "SELECT request_id FROM card WHERE state = 'pending' OR delivery = 'waiting' ORDER BY seq",
      )
      .toArray()
      .map((row) => row.request_id);
  }

  /** Ends a pending card whose row cannot be read, without reading it: as expired, which allows nothing. @returns whether it was. */
  expireUnreadable(requestId: string, settlement: Settlement): boolean {
    return (
      this.#sql
        .exec(
          `UPDATE card SET state = 'expired', settlement = ?2, settled_at = ?3, delivery = 'not_applied', delivery_at = ?3,
             no_human_at = NULL
           WHERE request_id = ?1 AND state = 'pending' RETURNING seq`,
          requestId,
          JSON.stringify(settlement),
          settlement.at,
        )
        .toArray().length === 1
    );
  }

  /** Gives up the delivery of a settled card whose row cannot be read; its end stays what it was. */
  giveUpUnreadable(requestId: string, now: number): void {
    this.#sql.exec(
      `UPDATE card SET delivery = 'not_applied', delivery_at = ?2 WHERE request_id = ?1 AND delivery = 'waiting'`,
      requestId,
      now,
    );
  }
}
