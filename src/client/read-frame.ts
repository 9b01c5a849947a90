import { anyFrame, card, roomFrame, type RoomFrame } from "../protocol/index.ts";

/** The request of a card that is of no shape that this client knows; undefined where not even that can be read. */
export type LostCard = string | undefined;

/** What came in one message: a frame, one of a type unknown to this client, or one that is broken. */
export type ReadFrame =
  /** `lost`: pending cards that were left out of it. */
  | { read: "frame"; frame: RoomFrame; lost: readonly LostCard[] }
  | { read: "unknown" }
  | { read: "broken"; type: string | undefined; lost: readonly LostCard[] };

const KNOWN_TYPES: ReadonlySet<string> = new Set(
  roomFrame.options.map((option) => option.shape.type.value),
);

/** Reads one message. Never throws, and never hands on what does not have the shape that its type promises. */
export function readFrame(data: unknown): ReadFrame {
  const json = typeof data === "string" ? parseJson(data) : undefined;
  const message = anyFrame.safeParse(json);
  if (!message.success) return { read: "broken", type: undefined, lost: [] };
  const { type } = message.data;
  if (!KNOWN_TYPES.has(type)) return { read: "unknown" };
  const frame = roomFrame.safeParse(json);
  if (frame.success) return { read: "frame", frame: frame.data, lost: [] };
  if (type === "welcome") return readWelcome(message.data);
  const lost = type === "card_opened" ? [requestOf(message.data["card"])] : [];
  return { read: "broken", type, lost };
}

/** A Room must stay open to a client that cannot read one of its cards. */
function readWelcome(data: Record<string, unknown>): ReadFrame {
  const cards = asList(data["cards"]);
  const frame = roomFrame.safeParse({
    ...data,
    cards: cards.filter(isCard),
    recent: asList(data["recent"]).filter(isCard),
  });
  if (!frame.success) return { read: "broken", type: "welcome", lost: [] };
  const lost = cards.filter((one) => !isCard(one)).map(requestOf);
  return { read: "frame", frame: frame.data, lost };
}

function isCard(value: unknown): boolean {
  return card.safeParse(value).success;
}

function requestOf(value: unknown): LostCard {
  const requestId =
    typeof value === "object" && value !== null && "requestId" in value ? value.requestId : "";
  return typeof requestId === "string" && requestId !== "" ? requestId : undefined;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
