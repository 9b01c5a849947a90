import { limits } from "../../protocol/index.ts";
import type { Card, Delivery, Settlement } from "../../protocol/index.ts";
import type { Attempt, CardEntry, RoomState } from "./state.ts";
import { settle } from "./state.ts";

/** Changes one card wherever it stands; the same state where there is none, or none was changed. */
export function changeEntry(
  state: RoomState,
  requestId: string,
  change: (entry: CardEntry) => CardEntry,
): RoomState {
  const open = changeIn(state.open, requestId, change);
  if (open !== undefined) return open === state.open ? state : { ...state, open };
  const settled = changeIn(state.settled, requestId, change);
  return settled === undefined || settled === state.settled ? state : { ...state, settled };
}

function changeIn(
  entries: readonly CardEntry[],
  requestId: string,
  change: (entry: CardEntry) => CardEntry,
): readonly CardEntry[] | undefined {
  const index = entries.findIndex((entry) => entry.card.requestId === requestId);
  const entry = entries[index];
  if (entry === undefined) return undefined;
  const changed = change(entry);
  return changed === entry ? entries : entries.with(index, changed);
}

/** Settles a card in its place. What is settled stays as it was settled; only its delivery moves on. */
export function settleEntry(
  state: RoomState,
  requestId: string,
  settlement: Settlement,
  delivery: Delivery,
): RoomState {
  let isNew = false;
  const settled = changeEntry(state, requestId, (entry) => {
    const attempt = resolveAttempt(entry.attempt, settlement, state.you?.participantId);
    if (entry.card.settlement !== undefined) {
      return {
        ...entry,
        attempt,
        card: { ...entry.card, delivery: laterDelivery(entry.card.delivery, delivery) },
      };
    }
    isNew = true;
    const card = settle(entry.card, settlement, delivery);
    return { ...entry, attempt, extension: undefined, standing: "known", card };
  });
  return isNew ? announce(settled, "settled", requestId) : settled;
}

const DELIVERY_ORDER = { none: 0, waiting: 1, sent: 2, applied: 3, not_applied: 3 } as const;

/** The one that has come further: it never goes back. */
export function laterDelivery(held: Delivery, news: Delivery): Delivery {
  return DELIVERY_ORDER[news.state] > DELIVERY_ORDER[held.state] ? news : held;
}

/** What is left of a press once its card is settled: nothing where it won, lost where something else did. */
export function resolveAttempt(
  attempt: Attempt | undefined,
  settlement: Settlement,
  you: string | undefined,
): Attempt | undefined {
  if (attempt === undefined || attempt.state === "lost") return attempt;
  if (isWon(attempt, settlement, you) || !("pressedAt" in attempt)) return undefined;
  return { state: "lost", optionId: attempt.optionId, pressedAt: attempt.pressedAt };
}

function isWon({ optionId }: Attempt, settlement: Settlement, you: string | undefined): boolean {
  if (!("by" in settlement) || settlement.by.participantId !== you) return false;
  return settlement.state === "decided"
    ? settlement.option.optionId === optionId
    : optionId === null;
}

/** The Room says that the card is pending, and until when: a press whose answer never came did not arrive. */
export function pendingAgain(entry: CardEntry): CardEntry {
  const known: CardEntry = { ...entry, extension: undefined, standing: "known" };
  const { attempt } = entry;
  if (attempt?.state !== "unknown") return known;
  return { ...known, attempt: { state: "not_arrived", optionId: attempt.optionId } };
}

/** By the time of the settlement, newest first, and no more than are shown. */
export function insertSettled(
  settled: readonly CardEntry[],
  entry: CardEntry,
): readonly CardEntry[] {
  const others = settled.filter((other) => other.card.requestId !== entry.card.requestId);
  const at = settledAt(entry.card);
  const index = others.findIndex((other) => settledAt(other.card) <= at);
  return others
    .toSpliced(index < 0 ? others.length : index, 0, entry)
    .slice(0, limits.RECENT_CARDS);
}

function settledAt(card: Card): number {
  return card.settlement?.at ?? 0;
}

/** A page that was away may learn of many at once. */
const ANNOUNCEMENTS_KEPT = 32;

export function announce(
  state: RoomState,
  about: "opened" | "settled",
  requestId: string,
): RoomState {
  const id = (state.announcements.at(-1)?.id ?? 0) + 1;
  const kept = state.announcements.slice(1 - ANNOUNCEMENTS_KEPT);
  return { ...state, announcements: [...kept, { id, about, requestId }] };
}
