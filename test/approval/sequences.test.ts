import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  acknowledge,
  catchUp,
  confirm,
  decide,
  DEFAULT_TIMES,
  giveUp,
  isSettled,
  markSent,
  open,
  outcomeOf,
  restoreWaiting,
  resume,
  type SettledCard,
  type StoredCard,
  withdraw,
} from "../../src/approval/index.ts";
import { type DeliveryState, type Settlement, WITHDRAW_REASONS } from "../../src/protocol/index.ts";
import { ANA, BEN, OPENED } from "./cards.ts";

type Step =
  | { rule: "decide"; by: "ana" | "ben"; option: number | string }
  | { rule: "withdraw"; reason: (typeof WITHDRAW_REASONS)[number] }
  | { rule: "acknowledge" | "confirm"; applied: boolean }
  | { rule: "catchUp" | "markSent" | "giveUp" | "failedSend" | "repeat" }
  | { rule: "resume"; isParked: boolean; applied: boolean | undefined; lastSeqBefore: number };

const optionId = fc.oneof(
  fc.string({ minLength: 1, maxLength: 8, unit: "binary" }).filter((id) => id.isWellFormed()),
  fc.constantFrom("allow", "allow ", "Allow", "é", "e\u0301", "__proto__", "0"),
);

const offered = fc.uniqueArray(optionId, { minLength: 1, maxLength: 6 });

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      rule: fc.constant("decide" as const),
      by: fc.constantFrom("ana" as const, "ben" as const),
      option: fc.oneof(fc.nat(5), optionId),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      rule: fc.constant("withdraw" as const),
      reason: fc.constantFrom(...WITHDRAW_REASONS),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      rule: fc.constantFrom("acknowledge" as const, "confirm" as const),
      applied: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      rule: fc.constantFrom(
        "catchUp" as const,
        "markSent" as const,
        "giveUp" as const,
        "failedSend" as const,
        "repeat" as const,
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      rule: fc.constant("resume" as const),
      isParked: fc.boolean(),
      applied: fc.option(fc.boolean(), { nil: undefined }),
      lastSeqBefore: fc.nat(2),
    }),
  },
);

const sequence = fc.array(fc.tuple(step, fc.oneof(fc.constant(0), fc.nat(5_000), fc.nat(90_000))), {
  maxLength: 25,
});

function apply(card: StoredCard, taken: Step, now: number): StoredCard {
  switch (taken.rule) {
    case "decide":
      return decide(card, deciderOf(taken), optionOf(card, taken), now).card;
    case "withdraw":
      return withdraw(card, taken.reason, now).card;
    case "acknowledge":
      return acknowledge(card, taken.applied, now).card;
    case "confirm":
      return isSettled(card) ? confirm(card, taken.applied, now) : card;
    case "catchUp":
      return catchUp(card, now);
    case "markSent":
      return isSettled(card) ? markSent(card, now) : card;
    case "giveUp":
      return isSettled(card) ? giveUp(card, now) : card;
    case "failedSend":
      return isSettled(card) && card.delivery.state === "waiting"
        ? restoreWaiting(markSent(card, now))
        : card;
    case "repeat": {
      const answer = open(
        { ...card, options: [...card.options], expiresInMs: 1 },
        {
          existing: card,
          tombstone: undefined,
          nextSeq: 9,
          humans: { present: 1, mayReturn: true },
          times: DEFAULT_TIMES,
          pendingOfResident: () => 99,
          pendingInRoom: () => 999,
        },
        now,
      );
      return answer.code === "repeated" ? answer.card : card;
    }
    case "resume":
      return resume(
        card,
        {
          parked: new Set(taken.isParked ? [card.requestId] : []),
          answered: new Map(taken.applied === undefined ? [] : [[card.requestId, taken.applied]]),
          lastSeqBefore: taken.lastSeqBefore,
        },
        now,
      ).card;
  }
}

function deciderOf(taken: Step & { rule: "decide" }): typeof ANA {
  return taken.by === "ana" ? ANA : BEN;
}

function optionOf(card: StoredCard, taken: Step & { rule: "decide" }): string {
  if (typeof taken.option === "string") return taken.option;
  return card.options[taken.option % card.options.length]?.optionId ?? "";
}

/** What may follow on a settled card's delivery, by one rule. */
const NEXT: Record<DeliveryState, DeliveryState[]> = {
  none: [],
  waiting: ["sent", "not_applied"],
  sent: ["applied", "not_applied"],
  applied: [],
  not_applied: [],
};

/** How a delivery may stand right after the rule that settled its card. */
const FIRST: Record<Settlement["state"], DeliveryState[]> = {
  decided: ["waiting"],
  dismissed: ["waiting"],
  expired: ["waiting", "sent", "not_applied"],
  withdrawn: ["none"],
};

function newCard(options: string[], expiresInMs: number): StoredCard {
  const answer = open(
    {
      requestId: "request-1",
      resident: { participantId: "p-claude", name: "claude" },
      contentHash: "hash-1",
      options: options.map((optionId) => ({ optionId, name: "" })),
      expiresInMs,
    },
    {
      existing: undefined,
      tombstone: undefined,
      nextSeq: 1,
      humans: { present: 1, mayReturn: true },
      times: DEFAULT_TIMES,
      pendingOfResident: () => 0,
      pendingInRoom: () => 0,
    },
    OPENED,
  );
  if (answer.code !== "opened") throw new Error(answer.code);
  return answer.card;
}

/** What a rule has broken by making `after` of `before`; all is well where that is nothing. */
function faultsOf(before: StoredCard, taken: Step, after: StoredCard, now: number): string[] {
  const was = before.delivery.state;
  const is = after.delivery.state;
  const { settlement, delivery: _, ...rest } = after;
  const { settlement: end, delivery: __, ...restBefore } = before;
  const isNew = settlement !== undefined && end === undefined;
  const checks: [isRight: boolean, fault: string][] = [
    [isDeepStrictEqual(rest, restBefore), "more than settlement and delivery changed"],
    [end === undefined || settlement === end, "settled twice"],
    [settlement !== undefined || now < after.expiresAt, "pending past its deadline"],
    [settlement !== undefined || is === was, "delivered while pending"],
    [!isNew || FIRST[settlement.state].includes(is), `settled and at once ${is}`],
    [isNew || is === was || NEXT[was].includes(is), `delivery moved from ${was} to ${is}`],
    [
      !isNew || settlement.state !== "decided" || isDecisionOf(settlement, before, taken),
      "not what a human chose in time",
    ],
    [!isSettled(after) || isRightOutcome(after), "an outcome that is not the decision's"],
  ];
  return checks.filter(([isRight]) => !isRight).map(([, fault]) => fault);
}

/** Only a human's decision, before the deadline, for an option that was offered, in that human's name. */
function isDecisionOf(
  { at, by, option }: Settlement & { state: "decided" },
  before: StoredCard,
  taken: Step,
): boolean {
  return (
    taken.rule === "decide" &&
    by === deciderOf(taken) &&
    option.optionId === optionOf(before, taken) &&
    before.options.includes(option) &&
    at < before.expiresAt
  );
}

function isRightOutcome(card: SettledCard): boolean {
  const { settlement, delivery, options } = card;
  const outcome = outcomeOf(card);
  const isLive = settlement.state === "decided" && delivery.state !== "not_applied";
  if (outcome.outcome === "cancelled") return !isLive;
  return (
    isLive &&
    settlement.option.optionId === outcome.optionId &&
    options.some(({ optionId }) => optionId === outcome.optionId)
  );
}

test("whatever comes in whatever order: one settlement, legal deliveries, and only an offered option", () => {
  fc.assert(
    fc.property(offered, fc.nat(120_000), sequence, (options, expiresInMs, steps) => {
      let card = newCard(options, expiresInMs);
      let now = OPENED;
      for (const [taken, passes] of steps) {
        now += passes;
        const after = apply(card, taken, now);
        // What moves a settled card only does not look at the clock; the rules that do start with catchUp.
        const isBlind = ["confirm", "markSent", "giveUp", "failedSend"].includes(taken.rule);
        expect(faultsOf(card, taken, after, isBlind ? card.openedAt : now)).toEqual([]);
        card = after;
      }
    }),
    { numRuns: 2_000 },
  );
});

test("of two who decide at once one wins, whichever comes first, and both are told the same", () => {
  fc.assert(
    fc.property(offered, fc.nat(5), fc.nat(5), fc.boolean(), (options, a, b, anaFirst) => {
      const card = newCard(options, 60_000);
      const [first, second] = anaFirst ? [ANA, BEN] : [BEN, ANA];
      const pick = (n: number): string => options[n % options.length] as string;
      const won = decide(card, first, pick(a), OPENED + 1);
      const lost = decide(won.card, second, pick(b), OPENED + 1);
      expect(won.answer).toEqual({ code: "decided" });
      expect(lost.answer).toEqual({ code: "already_settled", settlement: won.card.settlement });
      expect(lost.card).toBe(won.card);
    }),
  );
});
