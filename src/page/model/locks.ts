import { refuses, type KindWord } from "./option-kind.ts";
import { isUndecidedPress, type CardEntry } from "./state.ts";

/** Why an option cannot be pressed now; undefined: it can. */
export type Lock = "not_connected" | "undecided" | EvidenceLock | "arming";
/** What a card needs a person to have read is not all here, or not read. */
export type EvidenceLock = "loading" | "unavailable" | "unread";

/** What a card's options depend on. */
export interface CardConditions {
  live: boolean;
  armed: boolean;
  isUnread: boolean;
}

/** What keeps the allowing options of a card flat, whatever the pointer does: none of its evidence may be missing or unread. */
export function evidenceLock(entry: CardEntry, isUnread: boolean): EvidenceLock | undefined {
  if (!entry.card.evidence.inline && entry.fetched?.state !== "loaded") {
    const isHopeless = entry.fetched?.state === "failed" || entry.fetched?.state === "unchecked";
    return isHopeless ? "unavailable" : "loading";
  }
  return isUnread ? "unread" : undefined;
}

/** Refusing is live as soon as it can be sent; allowing, and whatever is not known to refuse, waits for every safeguard. */
export function lockOf(
  kind: KindWord,
  entry: CardEntry,
  { live, armed, isUnread }: CardConditions,
): Lock | undefined {
  if (!live) return "not_connected";
  if (isUndecidedPress(entry.attempt) || entry.standing !== "known") return "undecided";
  if (refuses(kind)) return undefined;
  return evidenceLock(entry, isUnread) ?? (armed ? undefined : "arming");
}
