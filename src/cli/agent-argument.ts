import type { Command } from "commander";
import { CommandFailure } from "./exit.ts";

/**
 * Without `--` an option behind the agent's command would be the agent's, whoever it was meant for: `--mode` would set nothing.
 * `args`: all that was parsed. @throws CommandFailure where a command that takes an agent's has none before it
 */
export function requireSeparator(command: Command, args: readonly string[]): void {
  if (command.registeredArguments[0]?.name() !== "agent") return;
  if (args.at(-command.args.length - 1) === "--") return;
  throw new CommandFailure(
    `Write -- before the agent's command, so that its options are its own. Nothing was started. Usage: handraise ${command.name()} ${command.usage()}`,
  );
}
