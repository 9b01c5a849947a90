import { deliverBy, type SettledCard, stateOf, type StoredCard } from "../../src/approval/index.ts";
import { limits, type PermissionOption, type Settlement } from "../../src/protocol/index.ts";
import { logFault } from "../log.ts";

type CardRow = {
  seq: number;
  request_id: string;
  resident_id: string;
  resident_name: string;
  content_hash: string;
  turn_id: string | null;
  options: string;
  opened_at: number;
  expires_at: number;
  max_expires_at: number | null;
  expires_in_ms: number;
  no_human_at: number | null;
  settlement: string | null;
  delivery: StoredCard["delivery"]["state"];
  delivery_at: number;
};

const RULE_COLUMNS = `seq, request_id, resident_id, resident_name, content_hash, turn_id, options, opened_at, expires_at,
  max_expires_at, expires_in_ms, no_human_at, settlement, delivery, delivery_at`;

/** A place in the history: the last card that was read. */
export interface HistoryPlace {
  readonly settledAt: number;
  readonly seq: number;
}

/** A tool call to store: the Worker's one serialisation, and the JSON of its summary where it is too large to be inline. */
export interface NewToolCall {
  readonly text: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly summary?: string | undefined;
}

/** Every statement on cards. All are synchronous: between a read and the write that follows it nothing else can run. */
export class CardStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** @throws where the row cannot be read. */
  find(requestId: string): StoredCard | undefined {
    const [row] = this.#sql
      .exec<CardRow>(`SELECT ${RULE_COLUMNS} FROM card WHERE request_id = ?`, requestId)
      .toArray();
    return row === undefined ? undefined : readCard(row);
  }

  has(requestId: string): boolean {
    return (
      this.#sql.exec("SELECT 1 FROM card WHERE request_id = ?", requestId).toArray().length > 0
    );
  }

  /** All pending, oldest first. */
  pending(): StoredCard[] {
    return this.#list("WHERE state = 'pending' ORDER BY seq");
  }

  pendingOf(residentId: string): StoredCard[] {
    return this.#list("WHERE state = 'pending' AND resident_id = ? ORDER BY seq", residentId);
  }

  /** The newest settled, newest first. */
  recent(): StoredCard[] {
    return this.#list(
      `WHERE state <> 'pending' ORDER BY settled_at DESC, seq DESC LIMIT ${limits.RECENT_CARDS}`,
    );
  }

  /** A resident's cards that a resume bears on: all that still wait for something, and those that it names. */
  ofResume(residentId: string, named: readonly string[]): StoredCard[] {
    return this.#list(
      `WHERE resident_id = ?1 AND (state = 'pending' OR delivery = 'waiting'
         OR request_id IN (SELECT value FROM json_each(?2))) ORDER BY seq`,
      residentId,
      JSON.stringify(named),
    );
  }

  /** Settled cards after a place in the order of their settling, oldest first. */
  settledAfter(after: HistoryPlace, count: number): StoredCard[] {
    return this.#list(
      `WHERE state <> 'pending' AND (settled_at, seq) > (?, ?) ORDER BY settled_at, seq LIMIT ?`,
      after.settledAt,
      after.seq,
      count,
    );
  }

  /** Pending and not yet due: what the caps count. */
  countPending(now: number, residentId?: string): number {
    return this.#sql
      .exec<{ n: number }>(
        "SELECT count(*) AS n FROM card WHERE state = 'pending' AND expires_at > ?1 AND (?2 IS NULL OR resident_id = ?2)",
        now,
        residentId ?? null,
      )
      .one().n;
  }

  /** Order of the newest card; 0 where there is none. */
  lastSeq(): number {
    return this.#sql.exec<{ last: number }>("SELECT coalesce(max(seq), 0) AS last FROM card").one()
      .last;
  }

  insert(card: StoredCard, optionsText: string, toolCall: NewToolCall): void {
    this.#sql.exec(
      `INSERT INTO card (seq, request_id, resident_id, resident_name, content_hash, turn_id, tool_call, tool_call_summary,
         tool_call_bytes, tool_call_sha256, options, opened_at, expires_at, max_expires_at, expires_in_ms, no_human_at, state, delivery, delivery_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', 'none', ?)`,
      card.seq,
      card.requestId,
      card.resident.participantId,
      card.resident.name,
      card.contentHash,
      card.turnId ?? null,
      toolCall.text,
      toolCall.summary ?? null,
      toolCall.bytes,
      toolCall.sha256,
      optionsText,
      card.openedAt,
      card.expiresAt,
      card.maxExpiresAt ?? null,
      card.expiresInMs,
      card.noHumanAt ?? null,
      card.delivery.at,
    );
  }

  /**
   * Writes a card's end. Conditional, so that a second end can never overwrite the first, and a decision can never come after
   * the deadline, whatever called it.
   * @returns whether this was the end.
   */
  settle(card: SettledCard): boolean {
    const { settlement, delivery } = card;
    return (
      this.#sql
        .exec(
          `UPDATE card SET state = ?2, settlement = ?3, settled_at = ?4, delivery = ?5, delivery_at = ?6, deliver_by = ?7,
             no_human_at = NULL
           WHERE request_id = ?1 AND state = 'pending' AND (?2 NOT IN ('decided', 'dismissed') OR expires_at > ?4)
           RETURNING seq`,
          card.requestId,
          stateOf(card),
          JSON.stringify(settlement),
          settlement.at,
          delivery.state,
          delivery.at,
          deliverBy(card),
        )
        .toArray().length === 1
    );
  }

  /** Moves a pending card's deadline, and ends or keeps its grace, if the deadline still stands where it stood. */
  amend(before: StoredCard, after: StoredCard): boolean {
    return (
      this.#sql
        .exec(
          `UPDATE card SET expires_at = ?3, no_human_at = ?4 WHERE request_id = ?1 AND state = 'pending' AND expires_at = ?2
           RETURNING seq`,
          after.requestId,
          before.expiresAt,
          after.expiresAt,
          after.noHumanAt ?? null,
        )
        .toArray().length === 1
    );
  }

  /** Moves a settled card's delivery on, if it still stands where it stood. */
  moveDelivery(before: SettledCard, after: SettledCard): boolean {
    return (
      this.#sql
        .exec(
          "UPDATE card SET delivery = ?3, delivery_at = ?4 WHERE request_id = ?1 AND delivery = ?2 RETURNING seq",
          after.requestId,
          before.delivery.state,
          after.delivery.state,
          after.delivery.at,
        )
        .toArray().length === 1
    );
  }

  /** One unreadable row must not close the Room to everybody: it is left out, and said so in the log. */
  #list(where: string, ...bindings: unknown[]): StoredCard[] {
    const cards: StoredCard[] = [];
    for (const row of this.#sql.exec<CardRow>(
      `SELECT ${RULE_COLUMNS} FROM card ${where}`,
      ...bindings,
    )) {
      try {
        cards.push(readCard(row));
      } catch (error) {
        logFault("card_unreadable", error, { requestId: row.request_id });
      }
    }
    return cards;
  }
}

function readCard(row: CardRow): StoredCard {
  const card: StoredCard = {
    requestId: row.request_id,
    resident: { participantId: row.resident_id, name: row.resident_name },
    seq: row.seq,
    contentHash: row.content_hash,
    options: JSON.parse(row.options) as PermissionOption[],
    turnId: row.turn_id ?? undefined,
    openedAt: row.opened_at,
    expiresAt: row.expires_at,
    maxExpiresAt: row.max_expires_at ?? undefined,
    expiresInMs: row.expires_in_ms,
    noHumanAt: row.no_human_at ?? undefined,
    delivery: { state: row.delivery, at: row.delivery_at },
  };
  return row.settlement === null
    ? card
    : { ...card, settlement: JSON.parse(row.settlement) as Settlement };
}
