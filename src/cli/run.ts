import type { Register } from "./program.ts";
import { addResidentOptions, type ResidentOptions } from "./resident-options.ts";

export interface RunOptions extends ResidentOptions {
  prompt?: string;
}

/** `handraise run` */
export const registerRun: Register = (program, surroundings, end) => {
  const command = program
    .command("run")
    .usage("[options] -- AGENT [ARGS…]")
    .argument("<agent...>", "an ACP agent's command, after --")
    .description("drive an agent whose permission requests go to a Room")
    .passThroughOptions()
    .option(
      "--prompt <text>",
      "run this one turn and end; - takes it from stdin. Without it: a prompt for each line of stdin, and what people in the Room address to the agent",
    );
  addResidentOptions(command)
    .addHelpText(
      "after",
      `
Some agents start in a mode where nobody is asked: "handraise doctor" tells, --mode sets one.
ACP is a control protocol, not a sandbox: what the agent does without asking, it does with its own rights.

Exit codes:
  0  with --prompt: the agent answered, whatever was allowed; without: stopped
  3  the agent or the Room could not be used, or the turn failed

Example:
  HANDRAISE_INVITE=… HANDRAISE_SERVER=https://… handraise run --prompt "Fix the tests" -- my-agent --acp`,
    )
    .action(async (agent: string[], options: RunOptions) => {
      const { runAgent } = await import("./run/run-agent.ts");
      end(await runAgent(agent, options, surroundings));
    });
};
