import type { Outcome, RequestStatus, Settlement } from "../../src/protocol/index.ts";
import { ReferenceModel } from "./reference-model.ts";
import type { Answer, ModelCard, Op, Via, Who } from "./shapes.ts";

/** A frame about a card, to `humans` or to the resident that asked. */
export interface Told {
  readonly to: "humans" | Who;
  readonly frame: { readonly type: string; readonly requestId: string; [field: string]: unknown };
}

/** What the wire shows of one operation. */
export interface Prediction {
  /** Undefined: none is given. */
  readonly answer: (Answer & { shown?: unknown }) | undefined;
  readonly told: readonly Told[];
}

export function startModel(now: number, people: readonly Who[]): ReferenceModel {
  const model = new ReferenceModel();
  model.now = now;
  for (const who of people) model.people.set(who, { sockets: 0, calledAt: now, seenCards: 0 });
  return model;
}

export function forkModel(model: ReferenceModel): ReferenceModel {
  return Object.assign(new ReferenceModel(), structuredClone({ ...model }));
}

const UNANSWERED: readonly Op["do"][] = ["alarm", "advance", "evict", "disconnect"];

/**
 * Runs an operation in the model and says what everybody sees of it. `isBroken`: no card can be written, so that an operation
 * that would change one does not happen, and nobody hears of it.
 */
export function predict(model: ReferenceModel, op: Op, via: Via, isBroken = false): Prediction {
  const isHeard = via !== "stale" || op.do === "ack";
  if (!isHeard) return { answer: undefined, told: [] };
  const before = structuredClone(model.cards);
  const answer = model.answer(op, via);
  const told = framesOf(before, model.cards, op);
  const isSilent = via === "stale" || UNANSWERED.includes(op.do);
  if (isBroken && JSON.stringify([...before]) !== JSON.stringify([...model.cards])) {
    model.cards = before;
    return { answer: isSilent ? undefined : { code: "internal" }, told: [] };
  }
  if (isSilent) return { answer: undefined, told };
  const isDone = answer.code === "ok" || answer.code === "created";
  return { answer: isDone ? { ...answer, shown: shownBy(model, op, answer) } : answer, told };
}

function shownBy(model: ReferenceModel, op: Op, { code }: Answer): unknown {
  const cards = [...model.cards.values()];
  const settled = cards
    .filter((card) => card.settlement !== undefined)
    .sort((a, b) => (a.settlement?.at ?? 0) - (b.settlement?.at ?? 0));
  if (op.do === "history") return settled.map((card) => cardOf(card, true));
  if (op.do === "connect" || op.do === "view") {
    const isResident = op.who.startsWith("r");
    const pending = cards.filter((card) => card.settlement === undefined);
    const shown = pending.filter(({ owner }) => !isResident || owner === op.who);
    return [...shown, ...(isResident ? [] : settled.toReversed())].map((card) => cardOf(card));
  }
  if (!("requestId" in op)) return undefined;
  const card = model.cards.get(op.requestId);
  const isRepeated = op.do === "request" && code === "ok" && card !== undefined;
  const shown = card ?? (model.stones.get(op.requestId) as ModelCard);
  return { ...statusOf(shown, model), ...(isRepeated ? { duplicate: true } : {}) };
}

function statusOf(card: ModelCard, model: ReferenceModel): RequestStatus {
  const { requestId, openedAt, expiresAt, maxExpiresAt, settlement } = card;
  return structuredClone({
    requestId,
    state: settlement?.state ?? "pending",
    openedAt,
    expiresAt,
    ...(maxExpiresAt === undefined ? {} : { maxExpiresAt }),
    serverTime: model.now,
    humansPresent: model.humans(),
    ...(settlement === undefined ? {} : { settlement, outcome: outcomeOf(card) }),
    delivery: card.delivery,
  });
}

/** A card as lists and `card_opened` show it, or its record, as far as the model knows about it. */
function cardOf(card: ModelCard, isRecord = false): object {
  const { requestId, owner, title, options, expiresAt, maxExpiresAt, settlement, delivery } = card;
  return structuredClone({
    requestId,
    resident: { participantId: owner, name: owner },
    title,
    options,
    openedAt: card.openedAt,
    expiresAt,
    ...(maxExpiresAt === undefined || isRecord ? {} : { maxExpiresAt }),
    ...(settlement === undefined ? {} : { settlement }),
    delivery,
  });
}

function outcomeOf({ settlement, delivery }: ModelCard): Outcome {
  return settlement?.state === "decided" && delivery.state !== "not_applied"
    ? { outcome: "selected", optionId: settlement.option.optionId }
    : { outcome: "cancelled" };
}

/** What a change of the cards makes everybody hear, by what was and what is. */
function framesOf(
  before: ReadonlyMap<string, ModelCard>,
  after: ReadonlyMap<string, ModelCard>,
  op: Op,
): Told[] {
  return [...after.values()].flatMap((card): Told[] => {
    const { requestId, owner, settlement, delivery, expiresAt } = card;
    const old = before.get(requestId);
    const tell = (type: string, to: Who, more: object = {}): Told => ({
      to,
      frame: structuredClone({ type, requestId, ...more }),
    });
    if (old === undefined) return [tell("card_opened", "humans", { card: cardOf(card) })];
    if (settlement === undefined) {
      const frame = ["card_extended", { expiresAt }] as const;
      if (old.expiresAt === expiresAt) return [];
      return [tell(frame[0], owner, frame[1]), tell(frame[0], "humans", frame[1])];
    }
    const isNew = old.settlement === undefined;
    const isOwed = op.do === "resume" && op.who === owner && op.parked.includes(requestId);
    const end = { settlement, outcome: outcomeOf(card), delivery };
    const isMoved = !isNew && old.delivery.state !== delivery.state;
    return [
      ...(isOwed || (isNew && !isOwnWithdrawal(settlement)) ? [tell("decision", owner, end)] : []),
      ...(isNew ? [tell("card_settled", "humans", end)] : []),
      ...(isMoved ? [tell("card_delivery", "humans", { delivery })] : []),
    ];
  });
}

/** A resident hears nothing of what it did itself. */
function isOwnWithdrawal(settlement: Settlement): boolean {
  const byRoom = [
    "resident_restarted",
    "resident_left",
    "resident_removed",
    "room_closed",
    "no_human",
  ];
  return settlement.state === "withdrawn" && !byRoom.includes(settlement.reason);
}

/** When time will next do something to any card. */
export function nextDue(model: ReferenceModel): number {
  return Math.min(...[...model.cards.values()].map((card) => model.dueAt(card)));
}
