import type { AgentRow } from "./agent-row.ts";
import { type Answer, isAllow, pressFor } from "./answers.ts";
import type { Through } from "./command.ts";
import { NotOffered, playCase, readFacts } from "./play-case.ts";
import type { World } from "./play.ts";
import type { CaseResult } from "./result.ts";
import type { TaskName } from "./tasks.ts";

const SHORT_EXPIRY = "2s";

interface AnswerCase {
  id: string;
  row: AgentRow;
  world: World;
  task: TaskName;
  answer: Answer;
  through: Through;
}

/** One task, whose first card gets one answer. */
export async function playAnswer(options: AnswerCase): Promise<CaseResult> {
  const { id, row, world, task, answer, through } = options;
  const expiry = answer === "expire" ? { expiresIn: SHORT_EXPIRY } : {};
  const { found, ...verdict } = await playCase(
    { world, row, through, task, ...expiry },
    async (play) => {
      await play.start();
      const [first] = await play.turn(task, (_, effect, earlier) =>
        pressFor(task, answer, effect, earlier),
      );
      await play.endDrive();
      if (first !== undefined && isAllow(answer) && first.optionId === undefined) {
        throw new NotOffered(`no option of kind ${answer}`);
      }
      return readFacts(play, play.drive);
    },
  );
  const facts = found === undefined ? {} : { facts: found };
  return { id, ...verdict, what: "answer", task, answer, through, ...facts };
}
