import type { AgentRow } from "./agent-row.ts";
import { isAllow } from "./answers.ts";
import { playCase, readFacts } from "./play-case.ts";
import type { World } from "./play.ts";
import type { CaseResult, InMode } from "./result.ts";
import { TASKS, type TaskName } from "./tasks.ts";

interface ModeCase {
  id: string;
  row: AgentRow;
  world: World;
  mode: string;
  task: TaskName;
}

/** One task in one of the agent's modes: whether anybody is asked. */
export async function playInMode(options: ModeCase): Promise<CaseResult> {
  const { id, row, world, mode, task } = options;
  const { found, ...verdict } = await playCase(
    { world, row, through: "run", task, settings: { mode }, mayActUnasked: true },
    async (play): Promise<InMode> => {
      await play.start();
      const effects: readonly { name: string }[] = TASKS[task].effects;
      const played = await play.turn(task, (_, effect, earlier) => {
        if (effect === undefined) return "refuse";
        return earlier.some(({ press }) => isAllow(press)) ? "dismiss" : "allow_once";
      });
      await play.endDrive();
      const { ran } = readFacts(play, play.drive);
      if (played.some(({ effect }) => effects.some(({ name }) => name === effect))) return "asked";
      return Object.values(ran).some((count) => count > 0) ? "ran unasked" : "neither";
    },
  );
  const inMode = found === undefined ? {} : { inMode: found };
  return { id, ...verdict, what: "mode", mode, task, ...inMode };
}
