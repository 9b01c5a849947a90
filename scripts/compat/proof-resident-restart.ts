import type { Press } from "./answers.ts";
import { playCase, type ProofCase, readFacts } from "./play-case.ts";
import type { CaseResult } from "./result.ts";

/** A resident that is started again closes the cards of its dead predecessor this soon. */
const CLOSED_WITHIN_MS = 10_000;

/** `run` is killed under an open card and started again: the old card closes, and what it asked for never runs. */
export async function playResidentRestart(options: ProofCase): Promise<CaseResult> {
  const { id, row, world, through } = options;
  let closedAfterMs: number | undefined;
  const { found, ...verdict } = await playCase(
    { world, row, through, task: "shell" },
    async (play) => {
      await play.start();
      const { human } = play;
      const dead = play.drive;
      const prompt = await play.stage.promptFor("shell");
      void dead.turn(prompt);
      const card = await human.nextCard(AbortSignal.timeout(world.turnLimitMs));
      if (card === undefined) throw new Error("it asked nothing");
      await play.crash();
      await play.start();
      const startedAt = performance.now();
      const watch = async (): Promise<void> => {
        const timeout = AbortSignal.timeout(CLOSED_WITHIN_MS);
        if (await human.until(() => human.endOf(card) !== undefined, timeout)) {
          closedAfterMs = performance.now() - startedAt;
        } else play.unsafe.add("the old card was not closed within 10 s of the restart");
      };
      const closed = watch();
      await play.turn("shell", async (): Promise<Press> => {
        await closed;
        return "refuse";
      });
      await closed;
      await play.endDrive();
      return readFacts(play, play.drive);
    },
  );
  const facts = found === undefined ? {} : { facts: found };
  const measured =
    closedAfterMs === undefined
      ? {}
      : { measured: `old card closed ${(closedAfterMs / 1000).toFixed(1)} s after the start` };
  const what = { what: "proof", proof: "resident-restart", through } as const;
  return { id, ...verdict, ...what, ...facts, ...measured };
}
