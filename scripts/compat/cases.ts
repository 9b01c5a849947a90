import type { AgentRow } from "./agent-row.ts";
import { ANSWERS, type Answer } from "./answers.ts";
import { playAlways } from "./play-always.ts";
import { playAnswer } from "./play-answer.ts";
import { playInMode } from "./play-mode.ts";
import type { World } from "./play.ts";
import { PROOFS } from "./proofs.ts";
import type { Through } from "./command.ts";
import type { CaseResult } from "./result.ts";
import type { TaskName } from "./tasks.ts";

/** What is asked about in every mode. */
export const MODE_TASKS = ["shell", "plain", "outside", "write", "edit", "fetch"] as const;
/** What is answered in every way. */
export const ANSWERED_TASKS = ["shell", "write", "edit", "fetch", "plan", "parallel"] as const;
const WAYS: readonly Through[] = ["run", "proxy"];

/** One case of one agent. */
export interface Case {
  /** Its parts, by `/`: what `--cases` chooses by. */
  id: string;
  row: AgentRow;
  play(world: World): Promise<CaseResult>;
}

export interface CaseChoice {
  /** Modes that the agent offers. */
  modes: readonly string[];
  /** Ids or parts of ids; a case is played where its id is or has one of them. Undefined: every case. */
  only: readonly string[] | undefined;
  /** The ones that take minutes, too. */
  slow: boolean;
}

/** Every case of an agent, in the order of the report. */
export function listCases(row: AgentRow, { modes, only, slow }: CaseChoice): Case[] {
  const cases = [
    ...ANSWERED_TASKS.flatMap((task) =>
      ANSWERS.flatMap((answer) => WAYS.map((through) => answerCase(row, task, answer, through))),
    ),
    ...modes.flatMap((mode) => MODE_TASKS.map((task) => modeCase(row, mode, task))),
    alwaysCase(row),
    ...PROOFS.filter(({ isSlow }) => slow || !isSlow).flatMap(({ name, ways, play }) =>
      ways.map((through) => {
        const id = `proof/${name}/${through}`;
        return { id, row, play: (world: World) => play({ id, row, world, through }) };
      }),
    ),
  ];
  if (only === undefined) return cases;
  return cases.filter(({ id }) => [id, ...id.split("/")].some((part) => only.includes(part)));
}

function answerCase(row: AgentRow, task: TaskName, answer: Answer, through: Through): Case {
  const id = `${task}/${answer}/${through}`;
  return { id, row, play: (world) => playAnswer({ id, row, world, task, answer, through }) };
}

function modeCase(row: AgentRow, mode: string, task: TaskName): Case {
  const id = `modes/${mode}/${task}`;
  return { id, row, play: (world) => playInMode({ id, row, world, mode, task }) };
}

function alwaysCase(row: AgentRow): Case {
  const id = "always";
  return { id, row, play: (world) => playAlways({ id, row, world }) };
}
