import type { AgentCommand } from "../../resident/agent-process.ts";
import { CommandFailure } from "../exit.ts";

/** The agent's command and the folder it works in. @throws CommandFailure where there is none */
export function readAgentCommand([file = "", ...args]: readonly string[]): {
  command: AgentCommand;
  cwd: string;
} {
  if (file.trim() === "") {
    throw new CommandFailure(
      "The agent's command is empty, so nothing was started. It stands after --, such as `-- my-agent --acp`.",
    );
  }
  try {
    return { command: { file, args }, cwd: process.cwd() };
  } catch {
    throw new CommandFailure(
      "The folder that this was started in is gone, so nothing was started. Change to one that exists.",
    );
  }
}
