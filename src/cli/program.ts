import { Command } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { registerAsk } from "./ask.ts";
import { registerDoctor } from "./doctor.ts";
import type { ExitCode } from "./exit.ts";
import { registerProxy } from "./proxy.ts";
import { registerRoom } from "./room.ts";
import { registerRun } from "./run.ts";
import { safeText } from "./safe-text.ts";
import type { Surroundings } from "./surroundings.ts";
import { registerWatch } from "./watch.ts";

/** Adds one command. Its action calls `end` with what it came to; without that it is a success. */
export type Register = (
  program: Command,
  surroundings: Surroundings,
  end: (exitCode: ExitCode) => void,
) => void;

/** In the order of the help. What a command does is loaded when it runs: help and usage errors come at once. */
const COMMANDS: readonly Register[] = [
  registerRoom,
  registerRun,
  registerProxy,
  registerAsk,
  registerWatch,
  registerDoctor,
];

/** The whole command line. Its parser throws CommanderError in place of ending the process. */
export function buildProgram(
  surroundings: Surroundings,
  end: (exitCode: ExitCode) => void,
): Command {
  const program = new Command("handraise")
    .description(
      "Brings a coding agent's permission requests, or a script's question, to people in a Room.",
    )
    .version(packageJson.version, "-V, --version")
    .helpOption("-h, --help", "show this help")
    .helpCommand("help [command]", "show this help, or a command's")
    .enablePositionalOptions()
    .showHelpAfterError('"handraise COMMAND --help" tells what a command takes.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void surroundings.stdout.write(text),
      // It quotes arguments, and an invite may be among them.
      writeErr: (text) => void surroundings.stderr.write(safeText(text)),
      getOutHasColors: () => surroundings.hasColour(surroundings.stdout),
      getErrHasColors: () => surroundings.hasColour(surroundings.stderr),
    })
    .addHelpText(
      "after",
      `
Environment:
  HANDRAISE_INVITE             the invite, or a link that ends with one
  HANDRAISE_SERVER             the server, where the invite is no link
  HANDRAISE_ROOM_CREATION_KEY  for servers that let only its bearer make Rooms
  NO_COLOR                     no colours

"handraise COMMAND --help" tells what a command takes.`,
    );
  for (const register of COMMANDS) register(program, surroundings, end);
  for (const command of program.commands) {
    const name = `handraise ${command.name()}`;
    command.showHelpAfterError(
      `Usage: ${name} ${command.usage()}\n"${name} --help" tells the rest.`,
    );
  }
  return program;
}
