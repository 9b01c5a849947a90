import { summarise } from "../../src/approval/index.ts";

/**
 * The Room's budget of stored tool calls. When it is used up the oldest settled bodies go; the records stay, and so does what a
 * card by reference shows.
 */
export class BodyStore {
  readonly #sql: SqlStorage;
  /** Bytes stored now; counted again after a start. */
  #bytes: number | undefined;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Makes room for `bytes` more within `budget`. @returns false where only bodies of pending cards are left. */
  makeRoom(bytes: number, budget: number): boolean {
    const stored = this.#stored();
    if (stored + bytes <= budget) return true;
    if (this.#pendingBytes() + bytes > budget) return false;
    let left = stored + bytes - budget;
    for (const row of this.#sql
      .exec<{ requestId: string; text: string; bytes: number }>(
        `SELECT request_id AS requestId, tool_call AS text, tool_call_bytes AS bytes FROM card
         WHERE state <> 'pending' AND tool_call IS NOT NULL ORDER BY settled_at, seq LIMIT ${BATCH}`,
      )
      .toArray()) {
      if (left <= 0) return true;
      this.#drop(row.requestId, row.text);
      left -= row.bytes;
      this.#bytes = this.#stored() - row.bytes;
    }
    return left <= 0 || this.makeRoom(bytes, budget);
  }

  added(bytes: number): void {
    this.#bytes = this.#stored() + bytes;
  }

  #drop(requestId: string, text: string): void {
    this.#sql.exec(
      `UPDATE card SET tool_call = NULL, tool_call_summary = coalesce(tool_call_summary, ?2) WHERE request_id = ?1`,
      requestId,
      JSON.stringify(summarise(JSON.parse(text) as Record<string, unknown>)),
    );
  }

  #stored(): number {
    this.#bytes ??= this.#sum("tool_call IS NOT NULL");
    return this.#bytes;
  }

  #pendingBytes(): number {
    return this.#sum("state = 'pending'");
  }

  #sum(where: string): number {
    return this.#sql
      .exec<{ n: number }>(`SELECT coalesce(sum(tool_call_bytes), 0) AS n FROM card WHERE ${where}`)
      .one().n;
  }
}

/** Bodies looked at in one go: the read holds their texts in memory. */
const BATCH = 16;
