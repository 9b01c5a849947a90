import type { Command, Setup } from "./commands.ts";

export type HistoryPlan = readonly [Setup, readonly Command[]];

/** Plain values of what only some cases need. */
const PLAIN: Readonly<Record<string, unknown>> = {
  isBroken: false,
  isTwice: false,
  ifNoHuman: "wait",
  way: "socket",
  times: 1,
};

/**
 * Takes away from a history that fails whatever it also fails without: commands, many at once at first, then particulars. A
 * Room's history is slow to try, so that this is stingier than fast-check's own shrinking.
 */
export async function shrink(
  plan: HistoryPlan,
  fails: (plan: HistoryPlan) => Promise<boolean>,
  budgetMs: number,
): Promise<HistoryPlan> {
  const until = performance.now() + budgetMs;
  const isFailing = async (tried: HistoryPlan): Promise<boolean> =>
    performance.now() < until && (await fails(tried));
  const [setup] = plan;
  let commands = plan[1];
  for (let size = Math.ceil(commands.length / 2); size >= 1; size = Math.floor(size / 2)) {
    let isSmaller = true;
    while (isSmaller) {
      isSmaller = false;
      for (let from = commands.length - size; from >= 0; from -= size) {
        const tried = commands.toSpliced(from, size);
        if (!(await isFailing([setup, tried]))) continue;
        commands = tried;
        isSmaller = true;
      }
      if (size > 1) break;
    }
  }
  for (const [n, command] of commands.entries()) {
    for (const [field, value] of Object.entries(PLAIN)) {
      if (!(field in command) || (command as never)[field] === value) continue;
      const tried = commands.with(n, { ...command, ...commands[n], [field]: value } as Command);
      if (await isFailing([setup, tried])) commands = tried;
    }
  }
  return [setup, commands];
}
