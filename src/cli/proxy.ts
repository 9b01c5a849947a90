import type { Register } from "./program.ts";
import { addResidentOptions, type ResidentOptions } from "./resident-options.ts";

/** `handraise proxy` */
export const registerProxy: Register = (program, surroundings, end) => {
  const command = program
    .command("proxy")
    .usage("[options] -- AGENT [ARGS…]")
    .argument("<agent...>", "an ACP agent's command, after --")
    .description("stand between an editor and its agent: permission requests go to a Room")
    .passThroughOptions();
  addResidentOptions(command)
    .addHelpText(
      "after",
      `
It speaks ACP on stdin and stdout: name it to the editor in place of the agent. Everything else passes through untouched.
With --json its lines go to stderr. --mode and --config are set, and checked, in every session that the editor opens.
ACP is a control protocol, not a sandbox: what the agent does without asking, it does with its own rights.

Exit codes:
  0  the editor closed the connection, or it was stopped
  3  the agent or the Room could not be used`,
    )
    .action(async (agent: string[], options: ResidentOptions) => {
      const { proxyAgent } = await import("./proxy/proxy-agent.ts");
      end(await proxyAgent(agent, options, surroundings));
    });
};
