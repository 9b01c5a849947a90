import type { Expected } from "./compare.ts";
import type { Counts } from "./counts.ts";
import type { Observation } from "./observation.ts";
import { nextDue } from "./prediction.ts";
import type { ReferenceModel } from "./reference-model.ts";
import type { Step } from "./scene.ts";
import { isHuman, type ModelCard } from "./shapes.ts";

const COMMANDS = [
  "ask",
  "decide",
  "dismiss",
  "extend",
  "withdraw",
  "withdrawEarly",
  "ack",
  "ackNext",
  "lose",
  "status",
  "foreign",
  "usurp",
  "resume",
  "comeBack",
  "nobodyHere",
  "again",
  "atDeadline",
  "connect",
  "disconnect",
  "stale",
  "view",
  "say",
  "history",
  "race",
  "advance",
  "alarm",
  "evict",
  "leave",
];
const OPS = [
  "request",
  "decide",
  "dismiss",
  "extend",
  "withdraw",
  "ack",
  "resume",
  "status",
  "view",
  "history",
  "say",
  "connect",
  "disconnect",
  "advance",
  "alarm",
  "evict",
  "leave",
  "remove",
  "close",
];
const CAME_TO = [
  "request: opened",
  "request: repeated while pending",
  "request: repeated once settled",
  "request: conflict",
  "request: withdrawn before it came",
  "request: no_human at once",
  "request: a grace for humans",
  "decide: won",
  "decide: lost",
  "decide: repeated",
  "decide: late",
  "decide: unknown option",
  "decide: of ids that are almost equal",
  "dismiss: won",
  "dismiss: lost",
  "dismiss: repeated",
  "extend: extended",
  "extend: unchanged",
  "extend: not extendable",
  "extend: too late",
  "withdraw: withdrawn",
  "withdraw: repeated",
  "withdraw: too late",
  "withdraw: before the request",
  "ack: applied",
  "ack: not applied",
  "ack: too early",
  "ack: changed nothing",
  "foreign: looks unknown",
  "wrong role: resident",
  "wrong role: human",
  "unauthorized",
  "expired",
  "expired: met by an operation",
  "withdrawn: resident_restarted",
  "withdrawn: no_human",
  "withdrawn: resident_left or resident_removed",
  "withdrawn: room_closed",
  "delivery: waiting",
  "delivery: sent",
  "delivery: applied",
  "delivery: not applied",
  "delivery: not applied, too late",
  "decision: delivered",
  "decision: redelivered",
  "grace: survived",
  "resident replaced",
  "human connected again",
  "stale: ack heard",
  "stale: ack changed nothing",
  "stale: frame ignored",
  "evicted mid-way: hibernate",
  "evicted mid-way: close",
  "evicted with a card pending",
  "evicted with a card waiting",
  "alarm: early",
  "alarm: late",
  "alarm: twice",
  "no card writable: nothing happened",
  "no card writable: nothing to write",
  "race",
  "race: more than one wants to end it",
  "same frame twice",
  "way: socket",
  "way: worker",
  "way: direct",
];

/** Everything that has to be met often enough. */
export const EXPECTED_COUNTS: readonly string[] = [
  ...COMMANDS.map((name) => `command: ${name}`),
  ...OPS.map((name) => `op: ${name}`),
  ...CAME_TO,
];

/** Counts what a step was and what it came to. `before` and `after` are the model's. */
export function countStep(
  counts: Counts,
  { calls, isOrdered = false, isBroken = false }: Step,
  before: ReferenceModel,
  after: ReferenceModel,
  expected: readonly Expected[],
  { heard }: Observation,
): void {
  const add = (name: string): void => counts.add(name);
  for (const one of expected) countCall(add, one, before, calls.length === 1);
  if (calls.length > 1)
    add(isOrdered ? (calls[0]?.via === "socket" ? "same frame twice" : "alarm: twice") : "race");
  const enders = calls.filter(({ op }) => ["decide", "dismiss", "withdraw"].includes(op.do));
  if (!isOrdered && enders.length > 1) add("race: more than one wants to end it");
  if (isBroken) {
    const isInternal = expected.some(({ prediction }) => prediction.answer?.code === "internal");
    const isDue = calls[0]?.op.do === "alarm" && nextDue(before) <= before.now;
    add(`no card writable: nothing ${isInternal || isDue ? "happened" : "to write"}`);
  }
  for (const card of after.cards.values())
    countCard(add, before.cards.get(card.requestId), card, calls);
  for (const { who, frames } of heard) {
    for (const frame of frames) {
      if (frame.type !== "decision") continue;
      const old = before.cards.get(String(frame["requestId"]));
      add(
        `decision: ${old?.settlement !== undefined && old.delivery.state !== "waiting" ? "redelivered" : "delivered"}`,
      );
      void who;
    }
  }
}

function countCall(
  add: (name: string) => void,
  { call, prediction }: Expected,
  before: ReferenceModel,
  isAlone: boolean,
): void {
  const { op, via, isDirect = false, isUsurping = false } = call;
  const code = prediction.answer?.code;
  add(`op: ${op.do}`);
  if (op.who !== "" && via !== "stale")
    add(`way: ${via === "socket" ? via : isDirect ? "direct" : "worker"}`);
  if (code === "unauthorized") return add("unauthorized");
  if (isUsurping) return add(`wrong role: ${isHuman(op.who) ? "human" : "resident"}`);
  const card = "requestId" in op ? before.cards.get(op.requestId) : undefined;
  if (card !== undefined && code === "request_not_found") return add("foreign: looks unknown");
  if (via === "stale") {
    const isTaken = op.do === "ack" && card?.delivery.state === "sent";
    return add(
      op.do !== "ack"
        ? "stale: frame ignored"
        : isTaken
          ? "stale: ack heard"
          : "stale: ack changed nothing",
    );
  }
  if (op.do === "alarm") add(`alarm: ${nextDue(before) > before.now ? "early" : "late"}`);
  if (op.do === "evict") countEviction(add, op.cut, [...before.cards.values()]);
  const sockets = before.people.get(op.who)?.sockets ?? 0;
  if (op.do === "connect" && sockets > 0)
    add(isHuman(op.who) ? "human connected again" : "resident replaced");
  if (code === "internal" || !isAlone) return;
  const isLate = card !== undefined && card.settlement === undefined;
  switch (op.do) {
    case "request":
      if (code === "request_conflict") return add("request: conflict");
      if (code === "created") return add("request: opened");
      if (card === undefined) return add("request: withdrawn before it came");
      return add(
        `request: repeated ${card.settlement === undefined ? "while pending" : "once settled"}`,
      );
    case "decide": {
      if (code === "option_not_offered") return add("decide: unknown option");
      const isEqual = card?.options.some(
        (one) => one.optionId !== op.optionId && almost(one.optionId) === almost(op.optionId),
      );
      if (isEqual === true) add("decide: of ids that are almost equal");
      return add(
        `decide: ${code === "ok" ? (isLate ? "won" : "repeated") : isLate ? "late" : "lost"}`,
      );
    }
    case "dismiss":
      return add(`dismiss: ${code === "ok" ? (isLate ? "won" : "repeated") : "lost"}`);
    case "extend":
      if (code === "not_extendable") return add("extend: not extendable");
      return add(
        `extend: ${code !== "ok" ? "too late" : op.seen === card?.expiresAt ? "extended" : "unchanged"}`,
      );
    case "withdraw":
      if (card === undefined) return add("withdraw: before the request");
      return add(`withdraw: ${code !== "ok" ? "too late" : isLate ? "withdrawn" : "repeated"}`);
    case "ack":
      if (code === "not_settled") return add("ack: too early");
      if (card?.delivery.state !== "sent") return add("ack: changed nothing");
      return add(`ack: ${op.applied ? "applied" : "not applied"}`);
    default:
  }
}

function countEviction(
  add: (name: string) => void,
  isCut: boolean,
  cards: readonly ModelCard[],
): void {
  const isPending = cards.some(({ settlement }) => settlement === undefined);
  const isWaiting = cards.some(({ delivery }) => delivery.state === "waiting");
  if (isPending) add("evicted with a card pending");
  if (isWaiting) add("evicted with a card waiting");
  if (isPending || isWaiting) add(`evicted mid-way: ${isCut ? "close" : "hibernate"}`);
}

function countCard(
  add: (name: string) => void,
  old: ModelCard | undefined,
  { settlement, delivery, graceEndsAt, openedAt }: ModelCard,
  calls: Step["calls"],
): void {
  if (old === undefined && settlement !== undefined) add("request: no_human at once");
  if (old === undefined && graceEndsAt !== undefined) add("request: a grace for humans");
  const isOver =
    old?.graceEndsAt !== undefined && old.graceEndsAt > openedAt && graceEndsAt === undefined;
  if (isOver && settlement === undefined) add("grace: survived");
  if (old !== undefined && old.settlement === undefined && settlement !== undefined) {
    const isSwept = calls.some(({ op }) => op.do === "alarm");
    if (settlement.state === "expired") add(isSwept ? "expired" : "expired: met by an operation");
    if (
      settlement.state === "withdrawn" &&
      /^(no_|room_|resident_(restarted|left|removed))/.test(settlement.reason)
    ) {
      add(
        `withdrawn: ${settlement.reason.replace(/resident_(left|removed)/, "resident_left or resident_removed")}`,
      );
    }
  }
  if (old === undefined || old.delivery.state === delivery.state || delivery.state === "none")
    return;
  add(`delivery: ${delivery.state.replace("_", " ")}`);
  if (old.delivery.state !== "sent" && delivery.state === "not_applied")
    add("delivery: not applied, too late");
}

function almost(optionId: string): string {
  return optionId.trim().toLowerCase().normalize("NFC");
}
