import { CardStore } from "./card-store.ts";
import { Deadlines } from "./deadlines.ts";
import { ParticipantStore } from "./participant-store.ts";
import { Presence } from "./presence.ts";
import { RoomStore } from "./room-store.ts";
import { Settling } from "./settling.ts";
import { Sockets } from "./sockets.ts";
import { TombstoneStore } from "./tombstone-store.ts";

/** Everything that the operations of one Room work with. */
export interface RoomParts {
  readonly room: RoomStore;
  readonly cards: CardStore;
  readonly tombstones: TombstoneStore;
  readonly participants: ParticipantStore;
  readonly sockets: Sockets;
  readonly presence: Presence;
  readonly deadlines: Deadlines;
  readonly settling: Settling;
  /** Several writes as one. */
  readonly transaction: <T>(write: () => T) => T;
}

export function buildParts(context: DurableObjectState): RoomParts {
  const { storage } = context;
  const { sql } = storage;
  const cards = new CardStore(sql);
  const participants = new ParticipantStore(sql);
  const sockets = new Sockets(context);
  const deadlines = new Deadlines(storage);
  return {
    room: new RoomStore(sql),
    cards,
    tombstones: new TombstoneStore(sql),
    participants,
    sockets,
    presence: new Presence(participants, sockets),
    deadlines,
    settling: new Settling(cards, sockets, deadlines),
    transaction: (write) => storage.transactionSync(write),
  };
}
