import type { Outcome, Settlement } from "../../src/protocol/index.ts";
import type { Client, Frame } from "./client.ts";
import type { Stored } from "./real-room.ts";
import type { RealAnswer } from "./wire.ts";
import type { Sighting } from "./rules.ts";
import type { Who } from "./shapes.ts";

/** What one socket that was open before a step received in it. */
export interface Heard {
  readonly who: Who;
  readonly texts: readonly string[];
  readonly frames: readonly Frame[];
  /** Accepted in this step: it gets a `welcome`, and nothing of what happened before it. */
  readonly isNew: boolean;
}

/** All that can be seen of one step. */
export interface Observation {
  readonly answers: readonly (RealAnswer | undefined)[];
  readonly heard: readonly Heard[];
  readonly stored: Stored;
}

type Json = Record<string, unknown>;

export function hear(who: Who, client: Client): Heard {
  const texts = client.take();
  return { who, texts, frames: texts.map((text) => JSON.parse(text) as Frame), isNew: false };
}

const ABOUT_CARDS = ["card_opened", "card_settled", "card_extended", "card_delivery", "decision"];

/** Frames about cards, by card, in the order in which they came, and without the time of sending. */
export function aboutCards(frames: readonly Frame[]): Map<string, object[]> {
  const byCard = new Map<string, object[]>();
  for (const { serverTime: _, ...frame } of frames) {
    if (!ABOUT_CARDS.includes(frame.type)) continue;
    const { card, ...rest } = frame as Json;
    const isOpening = frame.type === "card_opened";
    const plain = isOpening ? { ...rest, ...cardShown(card as Json) } : rest;
    const id = String((plain as Json)["requestId"]);
    byCard.set(id, [...(byCard.get(id) ?? []), plain]);
  }
  return byCard;
}

/** A card, or a record of the history, as far as the model knows about it. */
export function cardShown(card: Json): object {
  const { requestId, resident, options, openedAt, expiresAt, maxExpiresAt, settlement, delivery } =
    card;
  const title = card["title"] ?? (card["toolCall"] as Json | undefined)?.["title"];
  return {
    requestId,
    resident,
    title,
    options,
    openedAt,
    expiresAt,
    ...(maxExpiresAt === undefined || "toolCallSha256" in card ? {} : { maxExpiresAt }),
    ...(settlement === undefined ? {} : { settlement }),
    delivery,
  };
}

/** Every place in a step where something was said about a card. */
export function sightings({ answers, heard }: Observation): Sighting[] {
  const seen: Sighting[] = [];
  const look = (where: string, value: Json): void => {
    const requestId = String(value["requestId"]);
    const { settlement, outcome } = value as { settlement?: Settlement; outcome?: Outcome };
    if (settlement !== undefined) seen.push({ where, requestId, settlement, outcome });
    else if (outcome !== undefined) seen.push({ where, requestId, outcome });
  };
  for (const answer of answers) {
    const body: Json = answer?.body ?? {};
    if (typeof body["requestId"] === "string") look("an answer", body);
    for (const card of lists(body)) look("a list", card);
  }
  for (const { who, frames } of heard) {
    for (const frame of frames)
      if (ABOUT_CARDS.includes(frame.type)) look(`${frame.type} at ${who}`, frame);
  }
  return seen;
}

/** The cards or records in an answer. */
export function lists(body: unknown): Json[] {
  if (Array.isArray(body)) return body as Json[];
  const {
    cards = [],
    recent = [],
    records = [],
  } = body as { cards?: Json[]; recent?: Json[]; records?: Json[] };
  return [...cards, ...recent, ...records];
}
