import type { Card } from "../../src/protocol/index.ts";
import type { Effect, TaskName } from "./tasks.ts";

/** What is done about the first card of a case, which the case is named by. */
export const ANSWERS = [
  "allow_once",
  "allow_always",
  "refuse",
  "dismiss",
  "expire",
  "stop",
  "kill_agent",
] as const;
export type Answer = (typeof ANSWERS)[number];

/** What is done about one card; `leave`: nothing. */
export type Press = Answer | "leave";

const KINDS: Partial<Record<Press, readonly string[]>> = {
  allow_once: ["allow_once"],
  allow_always: ["allow_always"],
  refuse: ["reject_once", "reject_always"],
};

/** Which option a person presses for it: the first of the first kind that is offered; undefined where none is, or none is pressed. */
export function optionFor(card: Pick<Card, "options">, press: Press): string | undefined {
  for (const kind of KINDS[press] ?? []) {
    const option = card.options.find((option) => option.kind === kind);
    if (option !== undefined) return option.optionId;
  }
  return undefined;
}

export function isAllow(press: Press): boolean {
  return press === "allow_once" || press === "allow_always";
}

/** One card as it was answered. */
export interface Played {
  /** The name of the effect that it is about; undefined where it is about something else. */
  effect: string | undefined;
  toolKind: string;
  press: Press;
  /** The option that was pressed. */
  optionId: string | undefined;
  /** Whether it counted: the Room took it, or it came to pass. */
  isTaken: boolean;
}

/**
 * What to do about the next card of a case. Of two effects that are asked for, the other one gets the opposite, which shows
 * whether they are independent; nothing more is allowed than what the case is about.
 */
export function pressFor(
  task: TaskName,
  answer: Answer,
  effect: string | undefined,
  earlier: readonly Played[],
): Press {
  const [first] = earlier;
  if (first === undefined) return answer;
  if (answer === "stop" || answer === "kill_agent") return "leave";
  if (task === "plan") return "refuse";
  if (task === "parallel" && effect !== first.effect) {
    return isAllow(answer) ? "refuse" : "allow_once";
  }
  return isAllow(answer) ? "allow_once" : "dismiss";
}

/** Which of a task's effects a card is about. */
export function effectOf(card: Card, effects: readonly Effect[]): Effect | undefined {
  const evidence = JSON.stringify(card.toolCall);
  const signed = effects.find(({ sign }) => evidence.includes(sign));
  if (signed !== undefined || card.toolCall.kind === "switch_mode") return signed;
  return effects.length === 1 ? effects[0] : undefined;
}
