import { type PermissionOption, RESIDENT_WITHDRAW_REASONS } from "../../src/protocol/index.ts";
import type { OnCard, Way } from "./commands.ts";
import type { ReferenceModel } from "./reference-model.ts";
import type { Call, Scene, Step } from "./scene.ts";
import type { ModelCard, Op, Via, Who } from "./shapes.ts";

const SLOTS = 9;
export const STANDARD: PermissionOption[] = [
  { optionId: "allow-1", name: "Allow once", kind: "allow_once" },
  { optionId: "always-9", name: "Always allow", kind: "allow_always" },
  { optionId: "no-2", name: "Reject", kind: "reject_once" },
];
export const OPTIONS: PermissionOption[][] = [
  STANDARD,
  // Ids that are the same to whoever trims, folds case or normalises.
  [
    { optionId: "yes", name: "Yes" },
    { optionId: "yes ", name: "Yes" },
    { optionId: "Yes", name: "Yes", kind: "allow_once" },
    { optionId: "no", name: "No", kind: "reject_once", extra: { kept: true } },
  ],
  [
    { optionId: "caf\u00e9", name: "one", kind: "allow_once" },
    { optionId: "cafe\u0301", name: "two", kind: "made_up" },
  ],
];
export const TIMES = [60_000, 90_000, 300_000, 61_000];
export const MORE = [undefined, 900_000, 600_000];

export function one(op: Op, via: Via, isDirect = false): Step {
  return { calls: [{ op, via, isDirect }] };
}

export function sent(
  scene: Scene,
  how: { way: Way; isTwice: boolean; isBroken: boolean },
  op: Op,
): Step {
  const [via, isDirect] = wayOf(scene, op.who, how.way);
  const call: Call = { op, via, isDirect };
  const isFrame = via === "socket";
  return {
    calls: isFrame && how.isTwice ? [call, { ...call }] : [call],
    isOrdered: true,
    isBroken: isFrame && how.isBroken,
  };
}

export function wayOf({ model }: Scene, who: Who, way: Way): [Via, boolean] {
  return way === "socket" && model.people.get(who)?.sockets ? ["socket", false] : byCall(way);
}

export function byCall(way: Way): [Via, boolean] {
  return ["http", way === "direct"];
}

export function member(names: readonly Who[], n: number): Who {
  return pick(names, n) as Who;
}

export function pick<T>(list: readonly T[], n: number): T | undefined {
  return list[n % Math.max(1, list.length)];
}

export function reason(n: number): (typeof RESIDENT_WITHDRAW_REASONS)[number] {
  return RESIDENT_WITHDRAW_REASONS[n % 3] as (typeof RESIDENT_WITHDRAW_REASONS)[number];
}

/** A card of the kind asked for, or any. */
export function find(
  model: ReferenceModel,
  { card: n, among }: OnCard,
  owner?: Who,
): ModelCard | undefined {
  const all = [...model.cards.values()].filter((card) => (owner ?? card.owner) === card.owner);
  const fits = ({ settlement, delivery }: ModelCard): boolean =>
    among === "pending"
      ? settlement === undefined
      : among === "settled"
        ? settlement !== undefined
        : delivery.state === among;
  const some = among === "any" ? all : all.filter(fits);
  return pick(some.length > 0 ? some : all, n);
}

/** One of its options, or something that is almost one. */
export function choose({ options }: ModelCard, n: number): string {
  const { optionId } = pick(options, n) as PermissionOption;
  const almost = [
    `${optionId} `,
    ` ${optionId}`,
    optionId.toUpperCase(),
    optionId.normalize("NFD"),
  ];
  return n < 8 ? optionId : (almost[n - 8] as string);
}

export function freshId(model: ReferenceModel, owner: Who): string | undefined {
  for (let n = 0; n < SLOTS; n += 1) {
    const id = `card-${owner}-${n}`;
    if (!model.cards.has(id) && !model.stones.has(id)) return id;
  }
  return undefined;
}

export function target(model: ReferenceModel, what: string, n: number): number {
  const cards = [...model.cards.values()];
  const times: Record<string, number[]> = {
    deadline: cards.filter(({ settlement }) => !settlement).map(({ expiresAt }) => expiresAt),
    delivery: cards.filter(({ settlement }) => settlement).map((card) => model.dueAt(card)),
    grace: cards.map(({ graceEndsAt }) => graceEndsAt ?? 0),
    tombstone: [...model.stones.values()].map(({ openedAt }) => openedAt + 600_000),
  };
  const ahead = (times[what] ?? []).filter((at) => at >= model.now && at < Infinity);
  return pick(ahead, n) ?? 0;
}
