import { type StoredToolCall, summarise, type ToolCallSummary } from "../../src/approval/index.ts";
import { limits } from "../../src/protocol/index.ts";

/**
 * What cards hold of their tool calls, and the Room's budget for that. When it is used up the oldest settled bodies go; the
 * records stay, and so does what a card by reference shows.
 */
export class BodyStore {
  readonly #sql: SqlStorage;
  /** Bytes stored now; counted again after a start. */
  #bytes: number | undefined;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** A card's tool call; the text only where it is small enough to be shown inline. */
  shown(requestId: string): StoredToolCall {
    const row = this.#sql
      .exec<{
        text: string | null;
        summary: string | null;
        bytes: number;
        sha256: string;
        isDropped: number;
      }>(
        // A text that is damaged must not be spliced into a frame.
        `SELECT CASE WHEN tool_call_bytes <= ${limits.INLINE_TOOL_CALL_BYTES} AND json_valid(tool_call) THEN tool_call END AS text,
           tool_call_summary AS summary, tool_call_bytes AS bytes, tool_call_sha256 AS sha256, tool_call IS NULL AS isDropped
         FROM card WHERE request_id = ?`,
        requestId,
      )
      .one();
    return {
      bytes: row.bytes,
      sha256: row.sha256,
      text: row.text ?? undefined,
      summary: row.summary === null ? undefined : (JSON.parse(row.summary) as ToolCallSummary),
      isDropped: row.isDropped === 1,
    };
  }

  /** The stored bytes of a tool call, as text; undefined once dropped, or where there is no such card. */
  text(requestId: string): string | undefined {
    const [row] = this.#sql
      .exec<{ text: string | null }>(
        "SELECT tool_call AS text FROM card WHERE request_id = ?",
        requestId,
      )
      .toArray();
    return row?.text ?? undefined;
  }

  /** Makes room for `bytes` more within `budget`. @returns false where only bodies of pending cards are left. */
  makeRoom(bytes: number, budget: number): boolean {
    const stored = this.#stored();
    if (stored + bytes <= budget) return true;
    if (this.#pendingBytes() + bytes > budget) return false;
    let left = stored + bytes - budget;
    for (const row of this.#sql
      .exec<{ requestId: string; unsummarised: string | null; bytes: number }>(
        // A large body has its summary already: only small ones are read again.
        `SELECT request_id AS requestId, CASE WHEN tool_call_summary IS NULL THEN tool_call END AS unsummarised,
           tool_call_bytes AS bytes FROM card
         WHERE state <> 'pending' AND tool_call IS NOT NULL ORDER BY settled_at, seq LIMIT ${BATCH}`,
      )
      .toArray()) {
      if (left <= 0) return true;
      this.#drop(row.requestId, row.unsummarised);
      left -= row.bytes;
      this.#bytes = this.#stored() - row.bytes;
    }
    return left <= 0 || this.makeRoom(bytes, budget);
  }

  added(bytes: number): void {
    this.#bytes = this.#stored() + bytes;
  }

  #drop(requestId: string, unsummarised: string | null): void {
    this.#sql.exec(
      `UPDATE card SET tool_call = NULL, tool_call_summary = coalesce(tool_call_summary, ?2) WHERE request_id = ?1`,
      requestId,
      unsummarised === null
        ? null
        : JSON.stringify(summarise(JSON.parse(unsummarised) as Record<string, unknown>)),
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

/** Bodies dropped in one go. */
const BATCH = 16;
