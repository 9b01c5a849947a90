import { aboutCards, cardShown, lists, type Observation } from "./observation.ts";
import { nextDue, type Prediction } from "./prediction.ts";
import type { Stored } from "./real-room.ts";
import type { RealAnswer } from "./wire.ts";
import type { ReferenceModel } from "./reference-model.ts";
import type { Call } from "./scene.ts";
import { isHuman, type ModelCard } from "./shapes.ts";
import { stable } from "./stable.ts";

/** One call with what the model says about it; in the order in which the Room is taken to have handled them. */
export interface Expected {
  readonly call: Call;
  readonly prediction: Prediction;
  readonly answer: RealAnswer | undefined;
}

/** How the Room differs from the model after a step, in words. */
export function compare(
  model: ReferenceModel,
  expected: readonly Expected[],
  observation: Observation,
  isOver: boolean,
): string[] {
  const differences: string[] = [];
  const check = (what: string, wanted: unknown, got: unknown): void => {
    if (stable(wanted) === stable(got)) return;
    differences.push(`${what}\n    expected ${stable(wanted)}\n    was      ${stable(got)}`);
  };
  for (const { call, prediction, answer } of expected)
    compareAnswer(call, prediction, answer, check);
  for (const { who, frames, isNew } of observation.heard) {
    const to = isHuman(who) ? "humans" : who;
    const told = expected
      .flatMap(({ prediction }) => prediction.told)
      .filter((one) => one.to === to && !isNew);
    const wanted = aboutCards(told.map(({ frame }) => ({ ...frame, type: frame.type })));
    const got = aboutCards(frames);
    for (const id of new Set([...wanted.keys(), ...got.keys()])) {
      check(`frames at ${who} about ${id}`, wanted.get(id) ?? [], got.get(id) ?? []);
    }
    for (const { type, serverTime } of frames) {
      if (serverTime !== undefined) check(`serverTime of ${type}`, model.now, serverTime);
    }
  }
  if (!isOver) compareStored(model, observation.stored, check);
  return differences;
}

type Check = (what: string, wanted: unknown, got: unknown) => void;

function compareAnswer(
  { op, via }: Call,
  { answer: wanted }: Prediction,
  got: RealAnswer | undefined,
  check: Check,
): void {
  if (wanted === undefined) return;
  // A frame is accepted or not; only HTTP tells a new card from a repeat.
  const code = via === "socket" && wanted.code === "created" ? "ok" : wanted.code;
  const what = `answer to ${op.who} ${op.do}`;
  check(what, code, got?.code);
  if (got === undefined || code !== got.code) return;
  if (wanted.settlement !== undefined) check(what, wanted.settlement, got.body["settlement"]);
  if (wanted.shown === undefined) return;
  const isList = op.do === "history" || op.do === "connect" || op.do === "view";
  check(what, wanted.shown, isList ? lists(got.body).map(cardShown) : got.body);
}

function compareStored(model: ReferenceModel, { rows, alarm }: Stored, check: Check): void {
  const wanted = [...model.cards.values()].map(rowOf);
  if (stable(wanted) !== stable(rows)) {
    for (const [n, row] of wanted.entries()) check(`stored ${row.requestId}`, row, rows[n]);
    check("stored cards", wanted.length, rows.length);
  }
  const due = nextDue(model);
  // What is due within a moment may wait for it: "normally within 2 s".
  const latest = Math.max(due, model.now + 2000);
  const isArmed = due === Infinity || (alarm !== null && alarm <= latest);
  check("alarm armed in time for what is due next", true, isArmed);
}

function rowOf({ requestId, expiresAt, graceEndsAt, settlement, delivery }: ModelCard) {
  return { requestId, expiresAt, graceEndsAt: graceEndsAt ?? null, settlement, delivery };
}
