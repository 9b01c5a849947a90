import {
  type CardState,
  type Delivery,
  limits,
  type Outcome,
  type PermissionOption,
  type Settlement,
} from "../protocol/index.ts";

/** A card as the rules see it: everything but the tool call, which no rule looks at. Times are epoch ms by the Room's clock. */
export interface StoredCard {
  readonly requestId: string;
  readonly resident: { readonly participantId: string; readonly name: string };
  /** Order of opening in the Room, from 1. */
  readonly seq: number;
  /** SHA-256 of what makes two requests the same. */
  readonly contentHash: string;
  readonly options: readonly PermissionOption[];
  readonly turnId?: string | undefined;
  readonly openedAt: number;
  readonly expiresAt: number;
  /** Latest deadline that humans may extend to; absent where the resident allows no extension. */
  readonly maxExpiresAt?: number | undefined;
  /** The time to answer as taken: one extension's worth. */
  readonly expiresInMs: number;
  /** When it is withdrawn unless a human is present then: only where its resident wanted that and nobody was here. */
  readonly noHumanAt?: number | undefined;
  /** Absent while pending. */
  readonly settlement?: Settlement | undefined;
  readonly delivery: Delivery;
}

export type SettledCard = StoredCard & { readonly settlement: Settlement };

export function isSettled(card: StoredCard): card is SettledCard {
  return card.settlement !== undefined;
}

export function stateOf(card: StoredCard): CardState {
  return card.settlement?.state ?? "pending";
}

/** What the agent may act on: the decision, as long as it can still be applied; a refusal for every other end. */
export function outcomeOf(card: SettledCard): Outcome {
  const { settlement, delivery } = card;
  return settlement.state === "decided" && delivery.state !== "not_applied"
    ? { outcome: "selected", optionId: settlement.option.optionId }
    : { outcome: "cancelled" };
}

/** Until when a waiting settlement is worth delivering. */
export function deliverBy(card: SettledCard): number {
  return Math.max(card.expiresAt, card.settlement.at + limits.DELIVERY_GRACE_MS);
}

/** The card with its end. A withdrawal needs no delivery; every other end waits for its resident. */
export function settle(card: StoredCard, settlement: Settlement): SettledCard {
  const state = settlement.state === "withdrawn" ? "none" : "waiting";
  return { ...card, settlement, delivery: { state, at: settlement.at } };
}
