import {
  isSettled,
  outcomeOf,
  type SettledCard,
  type StoredToolCall,
} from "../../src/approval/index.ts";
import type { HistoryRecord } from "../../src/protocol/index.ts";
import type { HistoryPlace } from "./card-store.ts";
import type { RoomParts } from "./room-parts.ts";

/** Records read in one go; the Worker asks again for as long as there are more. */
const PAGE = 100;

/** One page of the history, as the Worker asks for it. */
export interface HistoryPage {
  readonly records: readonly HistoryRecord[];
  /** Where to go on; absent at the end. */
  readonly next?: HistoryPlace;
}

export const HISTORY_START: HistoryPlace = { settledAt: -1, seq: -1 };

/** Every settled card's record, oldest first, from a place on. */
export function historyPage(parts: RoomParts, after: HistoryPlace): HistoryPage {
  const cards = parts.cards.settledAfter(after, PAGE).filter(isSettled);
  const records = cards.map((card) => recordOf(card, parts.bodies.shown(card.requestId)));
  const last = cards.at(-1);
  return last === undefined || cards.length < PAGE
    ? { records }
    : { records, next: { settledAt: last.settlement.at, seq: last.seq } };
}

function recordOf(card: SettledCard, toolCall: StoredToolCall): HistoryRecord {
  const { title, kind } = namesOf(toolCall);
  return {
    requestId: card.requestId,
    ...(card.turnId === undefined ? {} : { turnId: card.turnId }),
    resident: card.resident,
    openedAt: card.openedAt,
    expiresAt: card.expiresAt,
    ...(title === undefined ? {} : { title }),
    ...(kind === undefined ? {} : { kind }),
    toolCallSha256: toolCall.sha256,
    toolCallBytes: toolCall.bytes,
    options: [...card.options],
    settlement: card.settlement,
    outcome: outcomeOf(card),
    delivery: card.delivery,
  };
}

/** Title and kind as far as they are kept: a field of the wrong type counts as absent. */
function namesOf({ text, summary }: StoredToolCall): { title?: string; kind?: string } {
  const toolCall =
    text === undefined ? (summary?.toolCall ?? {}) : (JSON.parse(text) as Record<string, unknown>);
  const { title, kind } = toolCall;
  return {
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof kind === "string" ? { kind } : {}),
  };
}
