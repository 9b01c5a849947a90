/** The Room itself. */
export interface StoredRoom {
  readonly roomId: string;
  readonly name: string;
  readonly createdAt: number;
  /** The first participant's joining, whoever has left since. */
  readonly joinedAt: number | undefined;
  /** Set once the Room has ended: everything is settled, and what is left is to tell people and to delete. */
  readonly closedAt: number | undefined;
  /** Since when nobody is present and nothing is pending or waiting. */
  readonly idleSince: number | undefined;
  /** A human's socket was accepted and the last one has not ended with an event. */
  readonly humansHere: boolean;
}

type RoomRow = {
  room_id: string;
  name: string;
  created_at: number;
  joined_at: number | null;
  closed_at: number | null;
  idle_since: number | null;
  humans_here: number;
};

export class RoomStore {
  readonly #sql: SqlStorage;
  /** A copy of the one row, which nothing else writes; read again after a start. */
  #row: StoredRoom | undefined;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  find(): StoredRoom | undefined {
    this.#row ??= this.#read();
    return this.#row;
  }

  /** @throws where no Room was created here. */
  get(): StoredRoom {
    const room = this.find();
    if (room === undefined) throw new Error("no Room was created here");
    return room;
  }

  insert(room: Pick<StoredRoom, "roomId" | "name" | "createdAt">): void {
    this.#sql.exec(
      "INSERT INTO room (one, room_id, name, created_at) VALUES (1, ?, ?, ?)",
      room.roomId,
      room.name,
      room.createdAt,
    );
  }

  setJoined(at: number): void {
    this.#write("UPDATE room SET joined_at = ?", at);
  }

  setClosed(at: number): void {
    this.#write("UPDATE room SET closed_at = ?", at);
  }

  setIdleSince(at: number | undefined): void {
    this.#write("UPDATE room SET idle_since = ?", at ?? null);
  }

  setHumansHere(areHere: boolean): void {
    this.#write("UPDATE room SET humans_here = ?", areHere ? 1 : 0);
  }

  #write(statement: string, value: number | null): void {
    this.#row = undefined;
    this.#sql.exec(statement, value);
  }

  #read(): StoredRoom | undefined {
    const [row] = this.#sql.exec<RoomRow>("SELECT * FROM room").toArray();
    if (row === undefined) return undefined;
    return {
      roomId: row.room_id,
      name: row.name,
      createdAt: row.created_at,
      joinedAt: row.joined_at ?? undefined,
      closedAt: row.closed_at ?? undefined,
      idleSince: row.idle_since ?? undefined,
      humansHere: row.humans_here === 1,
    };
  }
}
