import type { Settings } from "../settings.ts";
import { BodyStore } from "./body-store.ts";
import { CardStore } from "./card-store.ts";
import { Deadlines } from "./deadlines.ts";
import { DueCardStore } from "./due-card-store.ts";
import { LongPolls } from "./long-polls.ts";
import { MessageStore } from "./message-store.ts";
import { ParticipantStore } from "./participant-store.ts";
import { Presence } from "./presence.ts";
import { RoomStore } from "./room-store.ts";
import { Settling } from "./settling.ts";
import { Sockets } from "./sockets.ts";
import { TombstoneStore } from "./tombstone-store.ts";

/** Everything that the operations of one Room work with. */
export interface RoomParts {
  readonly settings: Settings;
  readonly room: RoomStore;
  readonly cards: CardStore;
  readonly dueCards: DueCardStore;
  readonly bodies: BodyStore;
  readonly tombstones: TombstoneStore;
  readonly participants: ParticipantStore;
  readonly messages: MessageStore;
  readonly sockets: Sockets;
  readonly presence: Presence;
  readonly deadlines: Deadlines;
  readonly longPolls: LongPolls;
  readonly settling: Settling;
  /** Several writes as one. */
  readonly transaction: <T>(write: () => T) => T;
}

export function buildParts(context: DurableObjectState, settings: Settings): RoomParts {
  const { storage } = context;
  const { sql } = storage;
  const room = new RoomStore(sql);
  const cards = new CardStore(sql);
  const participants = new ParticipantStore(sql);
  const sockets = new Sockets(context);
  const deadlines = new Deadlines(storage);
  const longPolls = new LongPolls();
  return {
    settings,
    room,
    cards,
    dueCards: new DueCardStore(sql),
    bodies: new BodyStore(sql),
    tombstones: new TombstoneStore(sql),
    participants,
    messages: new MessageStore(sql),
    sockets,
    presence: new Presence(room, participants, sockets),
    deadlines,
    longPolls,
    settling: new Settling(cards, sockets, deadlines, longPolls),
    transaction: (write) => storage.transactionSync(write),
  };
}
