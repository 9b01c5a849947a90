import type { AgentRow } from "./agent-row.ts";
import { playCase } from "./play-case.ts";
import type { World } from "./play.ts";
import type { CaseResult } from "./result.ts";

/** What an agent says of itself when its session is opened. */
interface Probed {
  result: CaseResult;
  acpName: string;
  modes: string[];
}

/** Opens a session as its row says, and looks. It fails where the agent is not the one that its row names. */
export async function probeAgent(row: AgentRow, world: World): Promise<Probed> {
  const settings = { mode: row.mode, config: row.config };
  const { found, ...verdict } = await playCase(
    { world, row, through: "proxy", task: "shell", settings },
    async (play) => {
      await play.start();
      await play.endDrive();
      const { agentInfo, modes } = play.drive.agent.transcript();
      const { name, version } = agentInfo;
      if (version !== undefined && version !== row.version) {
        throw new Error(`its row says version ${row.version}, the agent says ${version}`);
      }
      return { acpName: name ?? row.name, modes };
    },
  );
  const result: CaseResult = { id: "probe", ...verdict, what: "probe" };
  return { result, acpName: found?.acpName ?? row.name, modes: found?.modes ?? [] };
}
