import { CommanderError } from "commander";
import { CommandFailure, EXIT, type ExitCode } from "./exit.ts";
import { makePaint } from "./colour.ts";
import { buildProgram } from "./program.ts";
import { safeText } from "./safe-text.ts";
import type { Surroundings } from "./surroundings.ts";

/** Runs one command line. `args`: what follows the command's name. Never throws. */
export async function runCommand(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.ok;
  const program = buildProgram(surroundings, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.failed;
    printFailure(error, surroundings);
    return error instanceof CommandFailure ? error.exitCode : EXIT.failed;
  }
}

function printFailure(error: unknown, { stderr, hasColour }: Surroundings): void {
  const message = error instanceof Error ? error.message : String(error);
  const said = error instanceof CommandFailure ? message : `Handraise failed: ${message}`;
  stderr.write(`${makePaint(hasColour(stderr))("red", safeText(said))}\n`);
}
