import { callForJson } from "../../client/http.ts";
import { RoomRefusal, RoomUnreachable } from "../../client/index.ts";
import { health } from "../../protocol/index.ts";
import { type AgentFacts, inspect, type RoomFacts } from "../../resident/inspection.ts";
import { readSecrets } from "../../resident/secrets.ts";
import { makePaint } from "../colour.ts";
import type { DoctorOptions } from "../doctor.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit.ts";
import { readServer } from "../invite.ts";
import { jsonLine } from "../json-line.ts";
import { printFailure } from "../print-failure.ts";
import { readAgentCommand } from "../resident/agent-command.ts";
import { onStopSignal } from "../stop-signal.ts";
import type { Surroundings } from "../surroundings.ts";
import { meetAgent } from "./meet-agent.ts";
import { reportLines } from "./report-lines.ts";

/** Some agents download themselves first. */
const TIMEOUT_MS = 120_000;

/** Starts an agent, prints what is known of it, and ends it. */
export async function runDoctor(
  agent: readonly string[],
  options: DoctorOptions,
  { environment, stdout, stderr, hasColour }: Surroundings,
): Promise<ExitCode> {
  const { command, cwd } = readAgentCommand(agent);
  const named = options.server ?? environment["HANDRAISE_SERVER"];
  const server = named === undefined ? undefined : readServer(named);
  if (stderr.isTTY === true) stderr.write("Starting the agent…\n");
  const stopping = new AbortController();
  const stopListening = onStopSignal(() => stopping.abort());
  const [met, room] = await Promise.all([
    meetAgent(
      {
        command,
        cwd,
        choices: { mode: options.mode, config: options.config ?? new Map() },
      },
      { timeoutMs: options.timeout ?? TIMEOUT_MS, stopped: stopping.signal },
    ),
    server === undefined ? undefined : reach(server, stopping.signal),
  ]).finally(stopListening);
  const report = inspect({
    agent: met,
    node: process.versions.node,
    room,
    secrets: readSecrets(process.env),
  });
  const failure = describeFailure(met);
  // First: what follows it is for the most part unknown.
  if (failure !== undefined) printFailure(new CommandFailure(failure), { stderr, hasColour });
  if (options.json === true) stdout.write(jsonLine({ ...report }));
  else stdout.write(`${reportLines(report, makePaint(hasColour(stdout))).join("\n")}\n`);
  return failure === undefined ? EXIT.ok : EXIT.failed;
}

function describeFailure(agent: AgentFacts): string | undefined {
  if (agent.kind === "failed") {
    return `${agent.how} Nothing was joined. The command after -- has to start an ACP agent on stdio that is ready to work.`;
  }
  if (agent.choices !== "not_set") return undefined;
  return "The agent did not take what --mode or --config chose, so `run` would not join. Choose among the ids and values that it reports.";
}

/** Whether a server answers as a Room's does; nothing of the agent is told to it. */
async function reach(server: string, signal: AbortSignal): Promise<RoomFacts> {
  try {
    await callForJson({ server }, { method: "GET", path: "/api/health", signal }, health);
    return { reached: true };
  } catch (error) {
    const isAnswer = error instanceof RoomRefusal || error instanceof RoomUnreachable;
    return { reached: false, status: isAnswer ? error.status : undefined };
  }
}
