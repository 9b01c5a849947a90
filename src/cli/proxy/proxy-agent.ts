import { randomUUID } from "node:crypto";
import { AgentProcess } from "../../resident/agent-process.ts";
import { describeAgentEnd } from "../../resident/agent-session.ts";
import { monotonicClock, settledWithin } from "../../resident/clock.ts";
import { shapeEvidence } from "../../resident/evidence.ts";
import { KeptPlace } from "../../resident/kept-place.ts";
import { PermissionBridge } from "../../resident/permission-bridge.ts";
import { AcpProxy, type ProxyEnd } from "../../resident/proxy/acp-proxy.ts";
import { alsoInRoom } from "../../resident/room-lines.ts";
import { portTo } from "../../resident/room-port.ts";
import { RoomLink } from "../../resident/room-link.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit.ts";
import { readDoor } from "../invite.ts";
import type { ResidentOptions } from "../resident-options.ts";
import { readAgentCommand } from "../resident/agent-command.ts";
import { agentNameOf } from "../resident/agent-name.ts";
import { askSettingsOf } from "../resident/ask-settings.ts";
import { joinInTime } from "../resident/join.ts";
import { readOperatorPolicy } from "../resident/policy.ts";
import { secretsOf } from "../resident/secrets.ts";
import { Reporter } from "../resident/reporter.ts";
import { onStopSignal } from "../stop-signal.ts";
import type { Surroundings } from "../surroundings.ts";
import { ProxiedSessions } from "./proxied-sessions.ts";
import { whenAborted } from "../when-aborted.ts";

/** How long stopping waits for the Room to learn of withdrawals and for answers to reach the agent. */
const FAREWELL_MS = 500;
/** How long an agent that was told to cancel may take to end its turn. */
const LAST_TURN_MS = 1_000;

/** Stands between an editor on stdio and its agent until either ends, or this process is asked to stop. */
export async function proxyAgent(
  agentCommand: readonly string[],
  options: ResidentOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { stdin, stdout, stderr } = surroundings;
  const { command, cwd } = readAgentCommand(agentCommand);
  if (options.invite === "-") {
    throw new CommandFailure(
      "--invite -: stdin is the editor's here. Nothing was started. Use HANDRAISE_INVITE or --invite @FILE.",
    );
  }
  const door = await readDoor(options, "resident", surroundings);
  const name = agentNameOf(options.name, agentCommand);
  const reporter = new Reporter(options, {
    agent: name,
    stderr,
    // stdout is the editor's.
    events: stderr,
    beforeLine: () => undefined,
  });
  const policy = readOperatorPolicy(options, reporter.say);
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopListening = onStopSignal(() => stopping.abort());
  const place = new KeptPlace({ ...door, name });
  const token = await joinInTime(place, reporter.say, signal).catch((error: unknown) => {
    place.release();
    if (!signal.aborted) throw error;
  });
  if (token === undefined) {
    reporter.say("Stopped before the Room was joined. Nothing was started.");
    return EXIT.failed;
  }
  const secrets = secretsOf(options, door.invite);
  let link: RoomLink | undefined = undefined;
  const emit = alsoInRoom(reporter.emit, () => link);
  const bridge = new PermissionBridge({
    room: portTo(() => link),
    clock: monotonicClock,
    newRequestId: randomUUID,
    settings: askSettingsOf(options),
    emit,
    accepts: "any",
    policy: policy.answer,
    shape: (toolCall) => shapeEvidence(toolCall, secrets),
  });
  link = RoomLink.connect({ server: door.server, token }, bridge, reporter.emit, {
    onPrompt: ({ from }) =>
      link?.say(
        "This agent is driven by another client: messages here do not reach it.",
        from.participantId,
      ),
  });
  const agent = new AgentProcess(command, {
    cwd,
    onStderr: (line) => {
      if (options.quiet !== true) reporter.say(`agent: ${line}`);
    },
  });
  const sessions = new ProxiedSessions({
    choices: { mode: options.mode, config: options.config ?? new Map() },
    restricts: policy.restricts,
    say: reporter.say,
    emit,
  });
  const proxy = new AcpProxy({
    agent,
    client: { input: stdin, output: stdout },
    bridge: sessions.watching(bridge),
    onDiagnostic: (text) => emit({ type: "diagnostic", text }),
    onSessionOpened: (session, request) => sessions.open(session, request),
    onInitialized: (result) => sessions.noteAgent(result),
    onSet: (setting, answer) => sessions.noteSetting(setting, answer),
  });
  try {
    const end = await Promise.race([proxy.done, whenAborted(signal).then(() => "closed" as const)]);
    if (end === "agent_ended") await settledWithin(agent.ended, FAREWELL_MS, monotonicClock);
    return await exitCodeOf(end, agent);
  } finally {
    // As in a turn that the editor cancels: the agent learns of its end first, and what it still asks is answered.
    for (const sessionId of sessions.busy) proxy.cancel(sessionId);
    await settledWithin(bridge.stop(), FAREWELL_MS, monotonicClock);
    await settledWithin(sessions.idle(), LAST_TURN_MS, monotonicClock);
    await Promise.all([link.flush(FAREWELL_MS), agent.stop()]);
    proxy.close();
    link.close();
    place.release();
    stopListening();
  }
}

async function exitCodeOf(end: ProxyEnd, agent: AgentProcess): Promise<ExitCode> {
  if (end === "client_closed" || end === "closed") return EXIT.ok;
  if (end !== "agent_ended") {
    throw new CommandFailure(
      `${end.error.message.replace(/\.$/, "")}. The agent was ended, and what it had asked was answered cancelled.`,
    );
  }
  const how = await Promise.race([agent.ended, undefined]);
  const said = how === undefined ? "The agent closed its output" : describeAgentEnd(how);
  throw new CommandFailure(`${said}. What it had asked was answered cancelled.`);
}
