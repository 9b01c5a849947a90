import type { ErrorDetail, RequestStatus, RoomFrame } from "../../protocol/index.ts";
import { reduceFrame } from "./frames.ts";
import { changeEntry, insertSettled, pendingAgain, settleEntry } from "./entries.ts";
import type { Attempt, Choice, Connection, Extension, Fetched, RoomState } from "./state.ts";
import { canAnswer, findEntry } from "./state.ts";

/** Everything that can change what the page shows. `now` is this machine's clock. */
export type RoomEvent =
  | { type: "frame"; frame: RoomFrame; now: number }
  | { type: "connection"; connection: Connection }
  | { type: "pressed"; requestId: string; optionId: Choice; now: number }
  /** The Room took the press, or told how a card stands. */
  | { type: "status"; status: RequestStatus; now: number }
  /** The Room does not know the card. */
  | { type: "gone"; requestId: string }
  /** The Room said no to a press. */
  | { type: "refused"; requestId: string; error: ErrorDetail }
  | { type: "not_sent"; requestId: string; optionId: Choice }
  | { type: "answer_unknown"; requestId: string }
  /** What became of asking for more time; undefined: the Room has told the deadline. */
  | { type: "extension"; requestId: string; extension: Extension | undefined }
  /** Somebody is no participant any more. */
  | { type: "departed"; participantId: string }
  /** A card waits that this page cannot read. */
  | { type: "unreadable"; requestId: string | undefined }
  | { type: "fetched"; requestId: string; fetched: Fetched }
  /** Pointer and focus have left a settled card: it may move to the timeline. */
  | { type: "released"; requestId: string };

/** The page as one pure function of what happened. */
export function reduce(state: RoomState, event: RoomEvent): RoomState {
  switch (event.type) {
    case "frame":
      return reduceFrame(state, event.frame, event.now);
    case "connection": {
      const live = state.live && event.connection.state === "open";
      return { ...state, connection: event.connection, live };
    }
    case "pressed": {
      if (!canAnswer(state, event.requestId)) return state;
      const pressedAt = event.now + state.clockOffset;
      return tryAnswer(state, event.requestId, {
        state: "sending",
        optionId: event.optionId,
        pressedAt,
      });
    }
    case "status":
      return takeStatus(state, event.status, event.now);
    case "gone":
      return changeEntry(state, event.requestId, (entry) =>
        entry.card.state === "pending" ? { ...entry, standing: "gone" } : entry,
      );
    case "refused":
      return takeRefusal(state, event.requestId, event.error);
    case "not_sent":
      return takeNotSent(state, event.requestId, event.optionId);
    case "answer_unknown":
      return changeEntry(state, event.requestId, (entry) =>
        entry.attempt?.state === "sending"
          ? { ...entry, attempt: { ...entry.attempt, state: "unknown" } }
          : entry,
      );
    case "extension":
      return changeEntry(state, event.requestId, (entry) =>
        entry.card.state === "pending" ? { ...entry, extension: event.extension } : entry,
      );
    case "departed":
      return { ...state, participants: without(state.participants, event.participantId) };
    case "unreadable":
      if (state.unreadable.includes(event.requestId)) return state;
      return { ...state, unreadable: [...state.unreadable, event.requestId] };
    case "fetched":
      return changeEntry(state, event.requestId, (entry) => ({ ...entry, fetched: event.fetched }));
    case "released":
      return release(state, event.requestId);
  }
}

function without<T extends { participantId: string }>(list: readonly T[], id: string) {
  return list.filter((one) => one.participantId !== id);
}

function tryAnswer(state: RoomState, requestId: string, attempt: Attempt): RoomState {
  return changeEntry(state, requestId, (entry) =>
    entry.card.state === "pending" ? { ...entry, attempt } : entry,
  );
}

/** A press that may have counted stays unknown, however often it is pressed again without a connection. */
function takeNotSent(state: RoomState, requestId: string, optionId: Choice): RoomState {
  if (findEntry(state, requestId)?.attempt?.state === "unknown") return state;
  return tryAnswer(state, requestId, { state: "not_sent", optionId });
}

function takeStatus(state: RoomState, status: RequestStatus, now: number): RoomState {
  const timed = { ...state, clockOffset: status.serverTime - now };
  const { settlement, delivery } = status;
  if (settlement !== undefined) return settleEntry(timed, status.requestId, settlement, delivery);
  return changeEntry(timed, status.requestId, (entry) =>
    entry.card.state === "pending"
      ? pendingAgain({ ...entry, card: { ...entry.card, expiresAt: status.expiresAt } })
      : entry,
  );
}

function takeRefusal(state: RoomState, requestId: string, error: ErrorDetail): RoomState {
  if (error.settlement !== undefined) {
    const delivery = { state: "none", at: error.settlement.at } as const;
    return settleEntry(state, requestId, error.settlement, delivery);
  }
  return changeEntry(state, requestId, (entry) => {
    if (entry.card.state !== "pending" || entry.attempt === undefined) return entry;
    const { optionId } = entry.attempt;
    const { code, message } = error;
    const standing = code === "request_not_found" ? "gone" : entry.standing;
    return { ...entry, standing, attempt: { state: "refused", optionId, code, message } };
  });
}

function release(state: RoomState, requestId: string): RoomState {
  const entry = state.open.find((entry) => entry.card.requestId === requestId);
  if (entry === undefined) return state;
  const open = state.open.filter((other) => other !== entry);
  if (entry.card.settlement !== undefined) {
    return { ...state, open, settled: insertSettled(state.settled, entry) };
  }
  return entry.standing === "gone" ? { ...state, open } : state;
}
