import { limits, type Message, type Role } from "../../src/protocol/index.ts";
import type { StoredParticipant } from "./participant-store.ts";

type MessageRow = {
  message_id: string;
  participant_id: string;
  name: string;
  role: Role;
  text: string;
  addressee: string | null;
  at: number;
};

/** Talk: the newest few messages, which are never consent to anything. */
export class MessageStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  insert(message: Message): void {
    const { messageId, from, text, to, at } = message;
    this.#sql.exec(
      "INSERT INTO message (message_id, participant_id, name, role, text, addressee, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
      messageId,
      from.participantId,
      from.name,
      from.role,
      text,
      to ?? null,
      at,
    );
    this.#sql.exec(
      `DELETE FROM message WHERE seq <= (SELECT max(seq) FROM message) - ${limits.MESSAGES_KEPT}`,
    );
  }

  /** What a participant may read, oldest first: a resident sees humans' messages and its own. */
  for(reader: StoredParticipant): Message[] {
    return this.#sql
      .exec<MessageRow>(
        "SELECT * FROM message WHERE ?1 = 'human' OR role = 'human' OR participant_id = ?2 ORDER BY seq",
        reader.role,
        reader.participantId,
      )
      .toArray()
      .map((row) => ({
        messageId: row.message_id,
        from: { participantId: row.participant_id, name: row.name, role: row.role },
        text: row.text,
        ...(row.addressee === null ? {} : { to: row.addressee }),
        at: row.at,
      }));
  }
}
