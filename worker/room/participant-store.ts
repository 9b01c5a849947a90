import { type CredentialKind, limits, nameKey, type Role } from "../../src/protocol/index.ts";

/** Someone joined, as the Room stored it: the role is from here, never from a frame, body or name. */
export interface StoredParticipant {
  readonly participantId: string;
  readonly role: Role;
  readonly name: string;
}

type ParticipantRow = { participant_id: string; role: Role; name: string };

/** Participants and the credentials that prove them. */
export class ParticipantStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The participant behind a token's hash. */
  byTokenHash(hash: string): StoredParticipant | undefined {
    return this.#one("JOIN credential USING (participant_id) WHERE credential.hash = ?", hash);
  }

  byId(participantId: string): StoredParticipant | undefined {
    return this.#one("WHERE participant_id = ?", participantId);
  }

  all(): StoredParticipant[] {
    return this.#sql
      .exec<ParticipantRow>("SELECT participant_id, role, name FROM participant ORDER BY joined_at")
      .toArray()
      .map(readParticipant);
  }

  count(): number {
    return this.#sql.exec<{ n: number }>("SELECT count(*) AS n FROM participant").one().n;
  }

  countRole(role: Role): number {
    return this.#sql
      .exec<{ n: number }>("SELECT count(*) AS n FROM participant WHERE role = ?", role)
      .one().n;
  }

  isNameTaken(key: string): boolean {
    return this.#sql.exec("SELECT 1 FROM participant WHERE name_key = ?", key).toArray().length > 0;
  }

  /** The kind of an invite by its hash. */
  inviteKind(hash: string): CredentialKind | undefined {
    const [row] = this.#sql
      .exec<{ kind: CredentialKind }>(
        "SELECT kind FROM credential WHERE hash = ? AND participant_id IS NULL",
        hash,
      )
      .toArray();
    return row?.kind;
  }

  /** A repeat of the same invite, as after a lost reply, changes nothing. */
  countInvites(): number {
    return this.#sql
      .exec<{ n: number }>("SELECT count(*) AS n FROM credential WHERE participant_id IS NULL")
      .one().n;
  }

  insertInvite(hash: string, kind: "hi" | "ri", now: number): void {
    this.#sql.exec(
      "INSERT INTO credential VALUES (?, ?, NULL, ?) ON CONFLICT (hash) DO NOTHING",
      hash,
      kind,
      now,
    );
  }

  insert(participant: StoredParticipant, tokenHash: string, now: number): void {
    const { participantId, role, name } = participant;
    this.#sql.exec(
      "INSERT INTO participant (participant_id, role, name, name_key, joined_at, called_at) VALUES (?, ?, ?, ?, ?, ?)",
      participantId,
      role,
      name,
      nameKey(name),
      now,
      now,
    );
    const kind: CredentialKind = role === "human" ? "ht" : "rt";
    this.#sql.exec(
      "INSERT INTO credential VALUES (?, ?, ?, ?)",
      tokenHash,
      kind,
      participantId,
      now,
    );
  }

  /** Ends a participant and its token; its name is free again, and records keep their own copies. */
  remove(participantId: string): void {
    this.#sql.exec("DELETE FROM credential WHERE participant_id = ?", participantId);
    this.#sql.exec("DELETE FROM participant WHERE participant_id = ?", participantId);
  }

  /** Notes a call over HTTP, at most every CALL_STORE_INTERVAL_MS. */
  noteCall(participantId: string, now: number): void {
    this.#sql.exec(
      "UPDATE participant SET called_at = ?2 WHERE participant_id = ?1 AND called_at <= ?2 - ?3",
      participantId,
      now,
      limits.CALL_STORE_INTERVAL_MS,
    );
  }

  /** Who called over HTTP within CALL_FRESH_MS. */
  calledLately(now: number): StoredParticipant[] {
    return this.#sql
      .exec<ParticipantRow>(
        "SELECT participant_id, role, name FROM participant WHERE called_at > ?",
        now - limits.CALL_FRESH_MS,
      )
      .toArray()
      .map(readParticipant);
  }

  announcedPresent(): string[] {
    return this.#sql
      .exec<{ participant_id: string }>(
        "SELECT participant_id FROM participant WHERE is_present = 1",
      )
      .toArray()
      .map((row) => row.participant_id);
  }

  setAnnounced(participantId: string, isPresent: boolean): void {
    this.#sql.exec(
      "UPDATE participant SET is_present = ? WHERE participant_id = ?",
      isPresent ? 1 : 0,
      participantId,
    );
  }

  #one(where: string, binding: string): StoredParticipant | undefined {
    const [row] = this.#sql
      .exec<ParticipantRow>(`SELECT participant_id, role, name FROM participant ${where}`, binding)
      .toArray();
    return row === undefined ? undefined : readParticipant(row);
  }
}

function readParticipant(row: ParticipantRow): StoredParticipant {
  return { participantId: row.participant_id, role: row.role, name: row.name };
}
