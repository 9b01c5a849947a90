import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, startServer } from "../server.ts";
import type { Press } from "./answers.ts";
import { playCase, type ProofCase, readFacts } from "./play-case.ts";
import type { CaseResult } from "./result.ts";

/** The Room's server is killed under an open card and started again: the card is still there, and one press runs it once. */
export async function playRoomRestart({ id, row, world, through }: ProofCase): Promise<CaseResult> {
  const persistTo = mkdtempSync(join(tmpdir(), "handraise-compat-room-"));
  const port = await freePort("127.0.0.1");
  let server = await startServer({ port, persistTo });
  try {
    const { found, ...verdict } = await playCase(
      { world: { ...world, server: server.url }, row, through, task: "shell" },
      async (play) => {
        await play.start();
        await play.turn("shell", async (): Promise<Press> => {
          await server.kill();
          server = await startServer({ port, persistTo });
          return "allow_once";
        });
        await play.endDrive();
        const facts = readFacts(play, play.drive);
        if (facts.ran["shell"] !== 1) play.failed.add("allowed after the restart, and not run");
        return facts;
      },
    );
    const facts = found === undefined ? {} : { facts: found };
    return { id, ...verdict, what: "proof", proof: "room-restart", through, ...facts };
  } finally {
    await server.kill();
    rmSync(persistTo, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
