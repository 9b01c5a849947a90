import { limits } from "../../protocol/index.ts";
import type { Card, FrameOf, Message, Participant, RoomFrame } from "../../protocol/index.ts";
import {
  announce,
  changeEntry,
  laterDelivery,
  pendingAgain,
  resolveAttempt,
  settleEntry,
} from "./entries.ts";
import type { CardEntry, RoomState } from "./state.ts";
import { findEntry } from "./state.ts";

/** Takes one frame of the Room. Answers to this page's own frames come as events of their own, with what they answer. */
export function reduceFrame(state: RoomState, frame: RoomFrame, now: number): RoomState {
  switch (frame.type) {
    case "welcome":
      return welcome(state, frame, now);
    case "participant_changed":
      return { ...state, participants: upsert(state.participants, frame.participant) };
    case "card_opened":
      return openCard({ ...state, clockOffset: frame.serverTime - now }, frame.card);
    case "card_settled": {
      const unreadable = state.unreadable.filter((id) => id !== frame.requestId);
      const timed = { ...state, unreadable, clockOffset: frame.serverTime - now };
      return settleEntry(timed, frame.requestId, frame.settlement, frame.delivery);
    }
    case "card_extended": {
      const timed = { ...state, clockOffset: frame.serverTime - now };
      return changeEntry(timed, frame.requestId, (entry) => ({
        ...entry,
        // One's own is answered by itself.
        extension: entry.extension?.state === "sending" ? entry.extension : undefined,
        card: { ...entry.card, expiresAt: frame.expiresAt },
      }));
    }
    case "card_delivery":
      return changeEntry(state, frame.requestId, (entry) => ({
        ...entry,
        card: { ...entry.card, delivery: laterDelivery(entry.card.delivery, frame.delivery) },
      }));
    case "message_posted":
      return { ...state, messages: post(state.messages, frame.message) };
    case "accepted":
    case "rejected":
    case "decision":
      return state;
  }
}

/** A welcome replaces what this page held; cards that are on the page keep their place. */
function welcome(state: RoomState, frame: FrameOf<"welcome">, now: number): RoomState {
  const told = new Map([...frame.cards, ...frame.recent].map((card) => [card.requestId, card]));
  const kept = state.open.map((entry) => {
    const card = told.get(entry.card.requestId);
    return card === undefined ? missing(entry) : retell(entry, card, frame.you.participantId);
  });
  const isHeld = new Set(kept.map((entry) => entry.card.requestId));
  const opened = frame.cards.filter((card) => !isHeld.has(card.requestId));
  const settled = frame.recent
    .filter((card) => !isHeld.has(card.requestId))
    .map((card) => retellSettled(findEntry(state, card.requestId), card));
  const next: RoomState = {
    ...state,
    live: true,
    you: frame.you,
    room: frame.room,
    participants: frame.participants,
    clockOffset: frame.serverTime - now,
    open: [...kept, ...opened.map(newEntry)],
    unreadable: [],
    settled,
    messages: frame.messages,
  };
  // What is there when the page opens is no news.
  if (state.room === undefined) return next;
  return opened.reduce((state, card) => announce(state, "opened", card.requestId), next);
}

function newEntry(card: Card): CardEntry {
  return { card, standing: "known" };
}

function missing(entry: CardEntry): CardEntry {
  const isUncertain = entry.card.state === "pending" && entry.standing === "known";
  return isUncertain ? { ...entry, standing: "checking" } : entry;
}

function retell(entry: CardEntry, told: Card, you: string): CardEntry {
  const card = withWhole(told, entry.card);
  if (card.settlement === undefined) return pendingAgain({ ...entry, card });
  const attempt = resolveAttempt(entry.attempt, card.settlement, you);
  return { ...entry, card, attempt, extension: undefined, standing: "known" };
}

/** A welcome may carry only a summary of what is here whole. What a card asks never changes. */
function withWhole(told: Card, held: Card): Card {
  if (told.evidence.inline || !held.evidence.inline) return told;
  return { ...told, toolCall: held.toolCall, evidence: held.evidence };
}

function retellSettled(held: CardEntry | undefined, card: Card): CardEntry {
  return held === undefined ? newEntry(card) : { ...held, card: withWhole(card, held.card) };
}

function openCard(state: RoomState, card: Card): RoomState {
  if (findEntry(state, card.requestId) !== undefined) return state;
  return announce({ ...state, open: [...state.open, newEntry(card)] }, "opened", card.requestId);
}

function post(messages: readonly Message[], message: Message): readonly Message[] {
  if (messages.some((one) => one.messageId === message.messageId)) return messages;
  return [...messages, message].slice(-limits.MESSAGES_KEPT);
}

/** Who is not known and goes away was removed on this page already. */
function upsert(list: readonly Participant[], changed: Participant): readonly Participant[] {
  const index = list.findIndex((one) => one.participantId === changed.participantId);
  if (index >= 0) return list.with(index, changed);
  return changed.present ? [...list, changed] : list;
}
