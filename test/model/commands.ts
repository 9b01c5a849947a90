import * as fc from "fast-check";

/**
 * What a history is made of. The numbers choose among whatever there is when the command's turn comes, so that a history stays
 * meaningful while it is shrunk; the reference model resolves them (resolve.ts).
 */
export type Command =
  | AskCommand
  | ({ kind: "decide"; who: number; choice: number } & OnCard & Sent)
  | ({ kind: "dismiss"; who: number } & OnCard & Sent)
  | ({ kind: "extend"; who: number; isStale: boolean } & OnCard & Sent)
  | ({ kind: "withdraw"; who: number; reason: number } & OnCard & Sent)
  | EarlyWithdrawal
  | ({ kind: "ack"; who: number; applied: boolean } & OnCard & Sent)
  | { kind: "ackNext"; who: number; way: Way }
  | { kind: "lose"; who: number }
  | ({ kind: "status"; who: number; isHuman: boolean } & OnCard & { way: Way })
  | ({ kind: "foreign"; who: number; what: number } & OnCard & { way: Way })
  | ({ kind: "usurp"; who: number; isHuman: boolean; what: number } & OnCard & { way: Way })
  | {
      kind: "resume";
      who: number;
      parked: number;
      answered: number;
      applied: boolean;
      isBroken: boolean;
    }
  | { kind: "comeBack"; who: number; isRestarted: boolean }
  | { kind: "nobodyHere"; who: number; isCut: boolean; isBack: boolean; way: Way }
  | { kind: "again"; n: number; way: Way }
  | { kind: "atDeadline"; who: number; n: number; by: -1 | 0 | 1; choice: number; way: Way }
  | { kind: "connect"; who: number; isHuman: boolean }
  | { kind: "disconnect"; who: number; isHuman: boolean }
  | ({ kind: "stale"; who: number; isHuman: boolean; what: number } & OnCard)
  | { kind: "view" | "say"; who: number; isHuman: boolean; way: Way }
  | { kind: "history"; who: number; way: Way }
  | ({
      kind: "race";
      acts: { who: number; isHuman: boolean; what: number; choice: number; way: Way }[];
    } & OnCard)
  | {
      kind: "advance";
      target: "deadline" | "delivery" | "grace" | "tombstone" | "little";
      n: number;
      by: -1 | 0 | 1 | 5000;
    }
  | { kind: "alarm"; times: 1 | 2; isBroken: boolean }
  | { kind: "evict"; isCut: boolean }
  | { kind: "leave"; who: number; isHuman: boolean; isRemoved: boolean };

/** A withdrawal that overtakes its own request; which then may come. */
export interface EarlyWithdrawal {
  kind: "withdrawEarly";
  who: number;
  reason: number;
  isForeign: boolean;
  isFollowed: boolean;
  way: Way;
}
/** Commands that come to more than one step, or that look at more than a card (scenarios.ts). */
export type Scenario = Extract<
  Command,
  { kind: "comeBack" | "nobodyHere" | "withdrawEarly" | "stale" | "again" | "atDeadline" }
>;

export interface AskCommand {
  kind: "ask";
  who: number;
  again: "no" | "same" | "changed" | "foreign";
  n: number;
  options: number;
  time: number;
  more: number;
  ifNoHuman: "wait" | "withdraw";
  way: Way;
  isBroken: boolean;
}
/** By the socket where there is one, through the Worker's own entry, or by a call of the object's own method. */
export type Way = "socket" | "worker" | "direct";
export interface OnCard {
  card: number;
  among: "pending" | "settled" | "waiting" | "sent" | "any";
}
interface Sent {
  way: Way;
  /** The very same frame once more. */
  isTwice: boolean;
  isBroken: boolean;
}

export interface Setup {
  humans: number;
  residents: number;
}

const few = fc.nat(11);
const who = fc.nat(2);
const rarely = (per: number): fc.Arbitrary<boolean> => fc.nat(per - 1).map((n) => n === per - 1);
const way = fc.oneof(
  { arbitrary: fc.constant<Way>("socket"), weight: 5 },
  { arbitrary: fc.constant<Way>("direct"), weight: 2 },
  { arbitrary: fc.constant<Way>("worker"), weight: 2 },
);
const sent = { way, isTwice: rarely(9), isBroken: rarely(12) };
function onCard(...among: OnCard["among"][]): {
  card: typeof few;
  among: fc.Arbitrary<OnCard["among"]>;
} {
  return { card: few, among: fc.constantFrom(...among) };
}
function record<K extends Command["kind"], T>(
  kind: K,
  fields: { [F in keyof T]: fc.Arbitrary<T[F]> },
): fc.Arbitrary<T & { kind: K }> {
  const whole = { kind: fc.constant(kind), ...fields };
  return fc.record(whole) as unknown as fc.Arbitrary<T & { kind: K }>;
}

const ask: fc.Arbitrary<AskCommand> = record("ask", {
  who,
  again: fc.constantFrom("no", "no", "no", "no", "same", "same", "changed", "foreign"),
  n: few,
  options: fc.nat(2),
  time: fc.nat(3),
  more: fc.nat(2),
  ifNoHuman: fc.constantFrom("wait", "wait", "withdraw"),
  way,
  isBroken: rarely(14),
});

const WEIGHTED: [number, fc.Arbitrary<Command>][] = [
  [14, ask],
  [
    20,
    record("decide", {
      who,
      choice: few,
      ...onCard("pending", "pending", "pending", "any"),
      ...sent,
    }),
  ],
  [7, record("dismiss", { who, ...onCard("pending", "pending", "any"), ...sent })],
  [
    11,
    record("extend", {
      who,
      isStale: rarely(2),
      ...onCard("pending", "pending", "pending", "any"),
      ...sent,
    }),
  ],
  [6, record("withdraw", { who, reason: few, ...onCard("pending", "any"), ...sent })],
  [
    5,
    record("withdrawEarly", {
      who,
      reason: few,
      isForeign: rarely(4),
      isFollowed: fc.boolean(),
      way,
    }),
  ],
  [11, record("ack", { who, applied: fc.boolean(), ...onCard("sent", "sent", "any"), ...sent })],
  [5, record("ackNext", { who, way })],
  [4, record("lose", { who })],
  [5, record("status", { who, isHuman: fc.boolean(), ...onCard("waiting", "any"), way })],
  [3, record("foreign", { who, what: few, ...onCard("any"), way })],
  [6, record("usurp", { who, isHuman: rarely(3), what: few, ...onCard("pending"), way })],
  [
    6,
    record("resume", {
      who,
      parked: fc.nat(255),
      answered: fc.nat(255),
      applied: fc.boolean(),
      isBroken: rarely(8),
    }),
  ],
  [7, record("comeBack", { who, isRestarted: rarely(3) })],
  [5, record("connect", { who, isHuman: fc.boolean() })],
  [7, record("disconnect", { who, isHuman: fc.boolean() })],
  [
    10,
    record("stale", { who, isHuman: rarely(5), what: few, ...onCard("sent", "sent", "pending") }),
  ],
  [15, record("again", { n: few, way })],
  [
    5,
    record("atDeadline", {
      who,
      n: few,
      by: fc.constantFrom(-1, 0, 1),
      choice: fc.nat(5),
      way,
    }),
  ],
  [8, record("nobodyHere", { who, isCut: fc.boolean(), isBack: fc.boolean(), way })],
  [
    2,
    record<"view", { who: number; isHuman: boolean; way: Way }>("view", {
      who,
      isHuman: fc.boolean(),
      way,
    }),
  ],
  [
    4,
    record<"say", { who: number; isHuman: boolean; way: Way }>("say", {
      who,
      isHuman: fc.boolean(),
      way,
    }),
  ],
  [2, record("history", { who, way })],
  [
    7,
    record("race", {
      ...onCard("pending", "pending", "sent"),
      acts: fc.array(fc.record({ who, isHuman: fc.boolean(), what: few, choice: few, way }), {
        minLength: 2,
        maxLength: 3,
      }),
    }),
  ],
  [
    10,
    record("advance", {
      target: fc.constantFrom(
        "deadline",
        "deadline",
        "deadline",
        "delivery",
        "grace",
        "tombstone",
        "little",
        "little",
      ),
      n: few,
      by: fc.constantFrom(-1, -1, 0, 1, 5000),
    }),
  ],
  [6, record("alarm", { times: fc.constantFrom(1, 1, 2), isBroken: rarely(8) })],
  [6, record("evict", { isCut: fc.boolean() })],
  [4, record("leave", { who, isHuman: rarely(3), isRemoved: fc.boolean() })],
];

const command = fc.oneof(...WEIGHTED.map(([weight, arbitrary]) => ({ arbitrary, weight })));

/** Mostly everybody is connected and every resident has three cards open before the rest begins. */
const opening = fc.tuple(
  ...[0, 1, 2].flatMap((n) => [
    fc.option(fc.constant<Command>({ kind: "connect", who: n, isHuman: true }), { freq: 5 }),
    fc.option(fc.constant<Command>({ kind: "connect", who: n, isHuman: false }), { freq: 5 }),
  ]),
  ...[0, 1, 2].flatMap((n) =>
    [0, 1, 2].map(() =>
      fc.option(
        ask.map((one): Command => ({ ...one, who: n, again: "no" })),
        { freq: 12 },
      ),
    ),
  ),
);

export const histories: fc.Arbitrary<[Setup, Command[]]> = fc
  .tuple(
    fc.record({ humans: fc.constantFrom(2, 3), residents: fc.constantFrom(2, 3) }),
    opening,
    fc.array(command, { maxLength: 40, size: "max" }),
  )
  .map(([setup, first, rest]) => [setup, [...first.filter((one) => one !== null), ...rest]]);
