import { limits, type PermissionRequest } from "../protocol/index.ts";
import { catchUp } from "./delivery.ts";
import { type HumanPresence, withoutHumans } from "./no-human.ts";
import type { StoredCard } from "./stored-card.ts";
import type { Tombstone } from "./withdraw.ts";

/** A resident's request as the Room takes it. */
export interface OpenCommand {
  readonly requestId: string;
  readonly resident: { readonly participantId: string; readonly name: string };
  readonly contentHash: string;
  readonly options: PermissionRequest["options"];
  readonly turnId?: string | undefined;
  readonly expiresInMs?: number | undefined;
  readonly maxExpiresInMs?: number | undefined;
  readonly ifNoHuman?: PermissionRequest["ifNoHuman"];
}

/** How long people may have to answer, in ms. */
export interface TimeBounds {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

export const DEFAULT_TIMES: TimeBounds = {
  min: limits.EXPIRES_IN_MIN_MS,
  max: limits.EXPIRES_IN_MAX_MS,
  default: limits.EXPIRES_IN_DEFAULT_MS,
};

/** What the Room already holds that bears on a request. */
export interface OpenContext {
  readonly existing: StoredCard | undefined;
  readonly tombstone: Tombstone | undefined;
  readonly nextSeq: number;
  readonly humans: HumanPresence;
  readonly times: TimeBounds;
  /** Cards pending and not yet due. */
  readonly pendingOfResident: () => number;
  readonly pendingInRoom: () => number;
}

export type OpenAnswer =
  | { code: "opened"; card: StoredCard }
  | { code: "repeated"; existing: StoredCard; card: StoredCard }
  | { code: "withdrawn_before"; tombstone: Tombstone }
  | { code: "request_conflict" }
  | { code: "too_many_pending" }
  | { code: "records_full" };

/** Opens a card, or tells what the same id already led to. Identity comes before the Room's caps: a repeat is never refused. */
export function open(command: OpenCommand, context: OpenContext, now: number): OpenAnswer {
  const { existing, tombstone } = context;
  const { participantId } = command.resident;
  if (existing !== undefined) {
    const isSame =
      existing.resident.participantId === participantId &&
      existing.contentHash === command.contentHash;
    return isSame
      ? { code: "repeated", existing, card: catchUp(existing, now) }
      : { code: "request_conflict" };
  }
  if (tombstone !== undefined) {
    return tombstone.residentId === participantId
      ? { code: "withdrawn_before", tombstone }
      : { code: "request_conflict" };
  }
  if (!mayOpen(context)) return { code: "too_many_pending" };
  if (context.nextSeq > limits.RECORDS_PER_ROOM) return { code: "records_full" };
  const card = newCard(command, context, now);
  return {
    code: "opened",
    card: command.ifNoHuman === "withdraw" ? withoutHumans(card, context.humans, now) : card,
  };
}

function mayOpen(context: OpenContext): boolean {
  const own = context.pendingOfResident();
  if (own >= limits.PENDING_PER_RESIDENT) return false;
  return (
    own < limits.PENDING_ALWAYS_PER_RESIDENT || context.pendingInRoom() < limits.PENDING_PER_ROOM
  );
}

function newCard(command: OpenCommand, context: OpenContext, now: number): StoredCard {
  const { times, nextSeq } = context;
  const clamp = (ms: number): number => Math.min(times.max, Math.max(times.min, ms));
  const expiresInMs = clamp(command.expiresInMs ?? times.default);
  const { maxExpiresInMs } = command;
  return {
    requestId: command.requestId,
    resident: command.resident,
    seq: nextSeq,
    contentHash: command.contentHash,
    options: command.options,
    turnId: command.turnId,
    openedAt: now,
    expiresAt: now + expiresInMs,
    maxExpiresAt:
      maxExpiresInMs === undefined ? undefined : now + Math.max(expiresInMs, clamp(maxExpiresInMs)),
    expiresInMs,
    delivery: { state: "none", at: now },
  };
}
