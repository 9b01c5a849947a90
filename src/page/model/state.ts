import type {
  Card,
  Delivery,
  Message,
  Participant,
  Role,
  Settlement,
  ToolCall,
} from "../../protocol/index.ts";

/** What was pressed: an offered option by its id; null is the page's own Refuse, which is none of them. */
export type Choice = string | null;

/** What became of a person's press on this page; gone once the Room took it. */
export type Attempt = { optionId: Choice } & (
  | { state: "sending"; pressedAt: number }
  /** No frame left this page. */
  | { state: "not_sent" }
  /** A frame left, and the connection was cut before its answer. */
  | { state: "unknown"; pressedAt: number }
  /** The Room, asked afterwards, still holds the card as pending. */
  | { state: "not_arrived" }
  /** The Room said no, and the card is still pending. */
  | { state: "refused"; code: string; message: string }
  /** The card had ended otherwise; `pressedAt` is by the Room's clock. */
  | { state: "lost"; pressedAt: number }
);

/** What became of asking for more time; gone once the Room told the deadline. */
export type Extension =
  | { state: "sending" }
  | { state: "not_sent" }
  | { state: "unknown" }
  | { state: "refused"; code: string; message: string };

/** A tool call that came by reference, on its way here. */
export type Fetched =
  | { state: "loading" }
  | { state: "loaded"; toolCall: ToolCall }
  /** Here, but its hash could not be computed. */
  | { state: "unchecked"; toolCall: ToolCall }
  | { state: "failed"; why: "unreachable" | "altered" | "dropped" };

export interface CardEntry {
  card: Card;
  attempt?: Attempt | undefined;
  extension?: Extension | undefined;
  fetched?: Fetched | undefined;
  /**
   * `checking`: held as pending, but in neither list of the newest welcome. `gone`: the Room does not know it any more.
   */
  standing: "known" | "checking" | "gone";
}

/** How the socket stands, as the client reports it. */
export type Connection =
  | { state: "connecting" }
  | { state: "open" }
  | { state: "waiting"; retryAt: number }
  | { state: "closed"; code: number | undefined };

/** One thing to say aloud, once. */
export interface Announcement {
  id: number;
  about: "opened" | "settled";
  requestId: string;
}

export interface RoomState {
  connection: Connection;
  /** A welcome has come on the socket that is open now: what is shown is how the Room stands. */
  live: boolean;
  you: { participantId: string; role: Role; name: string } | undefined;
  room: { roomId: string; name: string } | undefined;
  participants: readonly Participant[];
  /** Milliseconds to add to this machine's clock to read the Room's. */
  clockOffset: number;
  /** In the page's order: pending cards, oldest first, and settled ones that still keep their place. */
  open: readonly CardEntry[];
  /** Cards that wait and that this page cannot read, by their request, as far as that can be read. */
  unreadable: readonly (string | undefined)[];
  /** Newest first, at most RECENT_CARDS. */
  settled: readonly CardEntry[];
  /** Talk, oldest first, at most MESSAGES_KEPT. */
  messages: readonly Message[];
  announcements: readonly Announcement[];
}

export const NO_ROOM: RoomState = {
  connection: { state: "connecting" },
  live: false,
  you: undefined,
  room: undefined,
  participants: [],
  clockOffset: 0,
  open: [],
  unreadable: [],
  settled: [],
  messages: [],
  announcements: [],
};

export function findEntry(state: RoomState, requestId: string): CardEntry | undefined {
  const isIt = (entry: CardEntry) => entry.card.requestId === requestId;
  return state.open.find(isIt) ?? state.settled.find(isIt);
}

export function isPending(entry: CardEntry): boolean {
  return entry.card.state === "pending" && entry.standing !== "gone";
}

/** Whether a press on this card may be sent now. The Room alone judges the deadline. */
export function canAnswer(state: RoomState, requestId: string): boolean {
  const entry = findEntry(state, requestId);
  if (entry === undefined || !state.live || entry.card.state !== "pending") return false;
  return entry.standing === "known" && !isUndecidedPress(entry.attempt);
}

/** The Room will not be heard of again on this page: nothing here can be pressed any more. */
export function isOver(state: RoomState): boolean {
  return state.connection.state === "closed";
}

/** Whether the resident lets people give a card more time, and how much of that is left. */
export function extendability({ card }: CardEntry): "none" | "open" | "used_up" {
  if (card.maxExpiresAt === undefined) return "none";
  return card.expiresAt < card.maxExpiresAt ? "open" : "used_up";
}

/** Whether more time may be asked for now. */
export function canExtend(state: RoomState, requestId: string): boolean {
  const entry = findEntry(state, requestId);
  if (entry === undefined || !state.live || entry.card.state !== "pending") return false;
  const isAsked = entry.extension?.state === "sending" || entry.extension?.state === "unknown";
  return entry.standing === "known" && !isAsked && extendability(entry) === "open";
}

/** Pressed, and what became of it is not known yet. */
export function isUndecidedPress(attempt: Attempt | undefined): boolean {
  return attempt?.state === "sending" || attempt?.state === "unknown";
}

/** The card as it stands once the Room has settled it. */
export function settle(card: Card, settlement: Settlement, delivery: Delivery): Card {
  return { ...card, state: settlement.state, settlement, delivery };
}

export function waitingCount(state: RoomState): number {
  if (isOver(state)) return 0;
  return state.open.filter(isPending).length + state.unreadable.length;
}

/** Whether two participants go by this name, here or in a record: then a short id stands beside each. */
export function isNameShared(state: RoomState, name: string, participantId: string): boolean {
  const isAnother = (other: { participantId: string; name: string }) =>
    other.name === name && other.participantId !== participantId;
  if (state.participants.some(isAnother)) return true;
  return [...state.open, ...state.settled].some(({ card }) => {
    const by = card.settlement !== undefined && "by" in card.settlement && card.settlement.by;
    return isAnother(card.resident) || (by && isAnother(by));
  });
}

/** The end of an id: enough to tell two apart, and nothing that a name can imitate. */
export function shortId(participantId: string): string {
  return participantId.slice(-6);
}
