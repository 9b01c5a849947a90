import { InvalidArgumentError } from "commander";
import { addServerOption } from "./common-options.ts";
import { parseDuration } from "./duration.ts";
import type { Register } from "./program.ts";
import { addChoiceOptions } from "./resident-options.ts";

export interface DoctorOptions {
  server?: string;
  mode?: string;
  config?: ReadonlyMap<string, string>;
  /** milliseconds */
  timeout?: number;
  json?: boolean;
}

/** `handraise doctor` */
export const registerDoctor: Register = (program, surroundings, end) => {
  const command = program
    .command("doctor")
    .usage("[options] -- AGENT [ARGS…]")
    .argument("<agent...>", "an ACP agent's command, after --")
    .description("start an agent, report how it is set and whether it may ask, and end it")
    .passThroughOptions();
  addServerOption(addChoiceOptions(command))
    .option(
      "--timeout <time>",
      "how long the agent may take: 30s, 5m; a bare number is seconds (default: 2m)",
      readTimeout,
    )
    .option("--json", "print the report as one line of JSON")
    .addHelpText(
      "after",
      `
Each line of the report is a value or "unknown", with where it was seen. Nothing is set without --mode or --config, no Room is
joined, and the agent gets no prompt: what it does when it works is not seen here.

Exit codes:
  0  the report is made, whatever it says
  3  the agent opened no session, or did not take --mode or --config

Example:
  handraise doctor -- my-agent --acp`,
    )
    .action(async (agent: string[], options: DoctorOptions) => {
      const { runDoctor } = await import("./doctor/run-doctor.ts");
      end(await runDoctor(agent, options, surroundings));
    });
};

function readTimeout(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined || ms === 0 || ms > 86_400_000) {
    throw new InvalidArgumentError("Write a time such as 30s or 5m; a bare number is seconds.");
  }
  return ms;
}
