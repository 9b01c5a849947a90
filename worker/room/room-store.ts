/** The Room itself. */
export interface StoredRoom {
  readonly roomId: string;
  readonly name: string;
  readonly createdAt: number;
}

export class RoomStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  find(): StoredRoom | undefined {
    return this.#sql
      .exec<{ roomId: string; name: string; createdAt: number }>(
        "SELECT room_id AS roomId, name, created_at AS createdAt FROM room",
      )
      .toArray()[0];
  }

  /** @throws where no Room was created here. */
  get(): StoredRoom {
    const room = this.find();
    if (room === undefined) throw new Error("no Room was created here");
    return room;
  }

  insert(room: StoredRoom): void {
    this.#sql.exec(
      "INSERT INTO room (one, room_id, name, created_at) VALUES (1, ?, ?, ?)",
      room.roomId,
      room.name,
      room.createdAt,
    );
  }
}
