import type { Press } from "./answers.ts";
import { playCase, type ProofCase, readFacts } from "./play-case.ts";
import { pause } from "./play.ts";
import type { CaseResult } from "./result.ts";

const LATE_MS = 90_000;

/** A decision that takes 90 s goes on in the same turn. */
export async function playLate({ id, row, world, through }: ProofCase): Promise<CaseResult> {
  const patient = { ...world, turnLimitMs: world.turnLimitMs + LATE_MS };
  const { found, ...verdict } = await playCase(
    { world: patient, row, through, task: "shell" },
    async (play) => {
      await play.start();
      await play.turn("shell", async (): Promise<Press> => {
        await pause(LATE_MS);
        return "allow_once";
      });
      await play.endDrive();
      const facts = readFacts(play, play.drive);
      if (facts.ran["shell"] !== 1) play.failed.add("allowed after 90 s, and not run");
      return facts;
    },
  );
  const facts = found === undefined ? {} : { facts: found };
  return { id, ...verdict, what: "proof", proof: "late", through, ...facts };
}
