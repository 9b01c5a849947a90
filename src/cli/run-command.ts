import { CommanderError } from "commander";
import { requireSeparator } from "./agent-argument.ts";
import { CommandFailure, EXIT, type ExitCode } from "./exit.ts";
import { printFailure } from "./print-failure.ts";
import { buildProgram } from "./program.ts";
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
  program.hook("preAction", (_, command) => requireSeparator(command, args));
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.failed;
    printFailure(error, surroundings);
    return error instanceof CommandFailure ? error.exitCode : EXIT.failed;
  }
}
