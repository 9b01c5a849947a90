import type { AgentRow } from "./agent-row.ts";
import { NotOffered, playCase } from "./play-case.ts";
import type { Play, World } from "./play.ts";
import type { AfterAlways, AlwaysFacts, CaseResult } from "./result.ts";
import type { TaskName } from "./tasks.ts";

interface AlwaysCase {
  id: string;
  row: AgentRow;
  world: World;
}

/** What pressing `allow_always` on a command does to the next ones: in the same turn, the next, a new process, and outside. */
export async function playAlways({ id, row, world }: AlwaysCase): Promise<CaseResult> {
  const { found, ...verdict } = await playCase(
    { world, row, through: "proxy", task: "shell" },
    async (play): Promise<AlwaysFacts> => {
      await play.start();
      const sameTurn = await playTwice(play);
      const nextTurn = await playOnce(play, "shell");
      const outside = await playOnce(play, "outside");
      await play.endDrive();
      await play.start();
      const newProcess = await playOnce(play, "shell");
      await play.endDrive();
      return { sameTurn, nextTurn, newProcess, outside };
    },
  );
  return { id, ...verdict, what: "always", ...(found === undefined ? {} : { always: found }) };
}

async function playTwice(play: Play): Promise<AfterAlways> {
  const played = await play.turn("twice", (_, __, earlier) =>
    earlier.length === 0 ? "allow_always" : "allow_once",
  );
  if (played[0]?.optionId === undefined) throw new NotOffered("no option of kind allow_always");
  if (played.length > 1) return "asked again";
  return (play.ledger.count()["shell"] ?? 0) > 1 ? "ran unasked" : "not tried";
}

async function playOnce(play: Play, task: TaskName): Promise<AfterAlways> {
  const before = sum(play.ledger.count());
  // What goes outside stays refused: where an agent asks, nothing more is to be learnt.
  const press = task === "outside" ? "refuse" : "allow_once";
  const played = await play.turn(task, () => press);
  if (played.length > 0) return "asked again";
  return sum(play.ledger.count()) > before ? "ran unasked" : "not tried";
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
