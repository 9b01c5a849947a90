import {
  outcomeOf,
  type SettledCard,
  showToolCall,
  stateOf,
  type StoredCard,
  type StoredToolCall,
} from "../../src/approval/index.ts";
import { type Card, type FrameOf, limits } from "../../src/protocol/index.ts";

/** A card as humans see it, as JSON text: the tool call goes in as the very bytes that were stored. */
export function cardJson(
  card: StoredCard,
  toolCall: StoredToolCall,
  inlineLimit: number = limits.INLINE_TOOL_CALL_BYTES,
): string {
  const shown = showToolCall(toolCall, inlineLimit);
  const rest: Omit<Card, "toolCall"> = {
    requestId: card.requestId,
    resident: card.resident,
    evidence: shown.evidence,
    options: [...card.options],
    ...(card.turnId === undefined ? {} : { turnId: card.turnId }),
    openedAt: card.openedAt,
    expiresAt: card.expiresAt,
    ...(card.maxExpiresAt === undefined ? {} : { maxExpiresAt: card.maxExpiresAt }),
    state: stateOf(card),
    ...(card.settlement === undefined ? {} : { settlement: card.settlement }),
    delivery: card.delivery,
  };
  return `{"toolCall":${shown.json},${JSON.stringify(rest).slice(1)}`;
}

export function cardOpenedFrame(cardText: string, serverTime: number): string {
  return `{"type":"card_opened","card":${cardText},"serverTime":${serverTime}}`;
}

export function cardSettledFrame(card: SettledCard, serverTime: number): string {
  const frame: FrameOf<"card_settled"> = {
    type: "card_settled",
    requestId: card.requestId,
    settlement: card.settlement,
    outcome: outcomeOf(card),
    delivery: card.delivery,
    serverTime,
  };
  return JSON.stringify(frame);
}

export function cardExtendedFrame(card: StoredCard, serverTime: number): string {
  const { requestId, expiresAt } = card;
  const frame: FrameOf<"card_extended"> = {
    type: "card_extended",
    requestId,
    expiresAt,
    serverTime,
  };
  return JSON.stringify(frame);
}

export function cardDeliveryFrame(card: SettledCard): string {
  const { requestId, delivery } = card;
  const frame: FrameOf<"card_delivery"> = { type: "card_delivery", requestId, delivery };
  return JSON.stringify(frame);
}

export function decisionFrame(card: SettledCard, serverTime: number): string {
  const frame: FrameOf<"decision"> = {
    type: "decision",
    requestId: card.requestId,
    outcome: outcomeOf(card),
    settlement: card.settlement,
    delivery: card.delivery,
    serverTime,
  };
  return JSON.stringify(frame);
}
