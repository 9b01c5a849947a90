import { ACP_VERSION } from "./acp-connection.ts";
import type { AgentInfo } from "./agent-info.ts";
import { type AskingReport, reportAsking, reportUsableUnattended } from "./inspection-asking.ts";
import {
  type Finding,
  foundNowhere,
  type OptionShown,
  reportModes,
  reportOptions,
  type ModeShown,
} from "./inspection-settings.ts";
import { type AgentsTable, measuredOf } from "./measured.ts";
import type { Secret } from "./secrets.ts";
import type { SessionSettings } from "./session-settings.ts";
import { shortTextOf } from "./short-text.ts";

/** What was seen when an agent was started. */
export type AgentFacts =
  | {
      kind: "opened";
      info: AgentInfo;
      settings: Pick<SessionSettings, "mode" | "modes" | "config">;
      /** What became of an operator's choices for this session. */
      choices: "none" | "set" | "not_set";
      /** Whether a permission request came. */
      asked: boolean;
    }
  | {
      kind: "failed";
      /** For people, without any text of the agent's. */
      how: string;
      /** The version that it speaks, where it told another. */
      protocol?: number | undefined;
    };

/** Whether the Room's server answered `GET /api/health`; undefined where none was named. */
export type RoomFacts = { reached: true } | { reached: false; status: number | undefined };

export interface InspectionFacts {
  agent: AgentFacts;
  /** Node's version, as in `22.12.0`. */
  node: string;
  room: RoomFacts | undefined;
  /** Values that stand in the environment and are shown nowhere. */
  secrets: readonly Secret[];
}

/** What is known of an agent, each with where it was seen. Holds no path, account, tool or value of the environment. */
export interface InspectionReport {
  agent: Finding<string>;
  protocol: Finding<string>;
  effectiveMode: Finding<string>;
  modes: Finding<ModeShown[]>;
  configOptions: Finding<OptionShown[]>;
  mayStillAsk: AskingReport;
  sandbox: Finding<string>;
  scope: Finding<"session">;
  usableUnattended: Finding<string[]>;
  node: Finding<string>;
  room: Finding<"reachable" | "unreachable">;
}

const INITIALIZE = "the agent's answer to initialize";
const SESSION = "the agent's answer to session/new";
const AFTER_SETTING = "the agent's answers when --mode and --config were set";
const NO_SESSION = "no session was opened";

/** Says what the facts show, and `unknown` of all else. `agents`: what was measured of which agent. */
export function inspect(facts: InspectionFacts, agents?: AgentsTable): InspectionReport {
  const { agent, secrets } = facts;
  const show = shortTextOf(secrets);
  const settings =
    agent.kind === "opened" ? agent.settings : { mode: undefined, modes: [], config: [] };
  const seenIn = agent.kind === "opened" && agent.choices !== "none" ? AFTER_SETTING : SESSION;
  const measured = measuredOf(agent.kind === "opened" ? agent.info : undefined, agents);
  const isOpen = agent.kind === "opened";
  return {
    agent: reportAgent(agent, show),
    protocol: reportProtocol(agent),
    effectiveMode:
      settings.mode === undefined
        ? foundNowhere(isOpen ? "the agent reports no mode" : NO_SESSION)
        : { value: show(settings.mode), seenIn },
    modes: isOpen ? reportModes(settings.modes, measured, show, seenIn) : foundNowhere(NO_SESSION),
    configOptions: isOpen ? reportOptions(settings.config, show, seenIn) : foundNowhere(NO_SESSION),
    mayStillAsk: reportAsking(measured, settings.mode, isOpen && agent.asked),
    sandbox: foundNowhere(
      "ACP has no field in which an agent reports one",
      "Count on nothing that is not enforced from outside.",
    ),
    scope: reportScope(agent),
    usableUnattended: reportUsableUnattended(measured, settings.modes, show),
    node: { value: facts.node, seenIn: "this process", note: "22.12 or newer is needed." },
    room: reportRoom(facts.room),
  };
}

function reportAgent(agent: AgentFacts, show: (text: string) => string): Finding<string> {
  if (agent.kind === "failed") return foundNowhere(NO_SESSION, agent.how);
  const { name, version } = agent.info;
  if (name === undefined) return foundNowhere("the agent does not say what it is");
  const shown = version === undefined ? "version unknown" : show(version);
  return { value: `${show(name)} ${shown}`, seenIn: INITIALIZE };
}

function reportProtocol(agent: AgentFacts): Finding<string> {
  if (agent.kind === "opened") return { value: `ACP ${ACP_VERSION}`, seenIn: INITIALIZE };
  const { protocol } = agent;
  if (protocol === undefined) return foundNowhere(NO_SESSION);
  const note = `Handraise speaks ACP ${ACP_VERSION} alone.`;
  return { value: `ACP ${protocol}`, seenIn: INITIALIZE, note };
}

function reportScope(agent: AgentFacts): InspectionReport["scope"] {
  if (agent.kind === "opened" && agent.choices === "set") {
    const note = "It ended with this process: `run` needs the same --mode and --config.";
    return { value: "session", seenIn: "--mode and --config of this command", note };
  }
  return foundNowhere(
    "ACP does not tell whether a setting holds for the session, the launch or globally",
    agent.kind === "opened" && agent.choices === "not_set"
      ? "What --mode and --config chose was not taken as a whole."
      : "Nothing was set here: what is in force comes from the agent's own arguments, settings or defaults.",
  );
}

function reportRoom(room: RoomFacts | undefined): InspectionReport["room"] {
  if (room === undefined) return foundNowhere("neither --server nor HANDRAISE_SERVER is set");
  const seenIn = "GET /api/health";
  if (room.reached) return { value: "reachable", seenIn };
  return { value: "unreachable", seenIn, note: `Answer: ${room.status ?? "no connection"}.` };
}
