import compatibility from "../../docs/compatibility.json" with { type: "json" };

/**
 * What was measured of an agent in one of its modes (docs/compatibility.md): `asks` for everything that was tried, `partly` for
 * some of it, `never`. `unknown` is everything else: what its own configuration decides, another agent, another mode.
 */
export type Asking = "asks" | "partly" | "never" | "unknown";

interface KnownAgent {
  acpName: string;
  version: string;
  date: string;
  /** Whether its mode decides, its own configuration, or nothing: it never asks. */
  asking: string;
  modes: Record<string, string | undefined>;
}

const AGENTS: readonly KnownAgent[] = compatibility.agents;

/** What is known of an agent by the name that it gave itself in `initialize`. Facts of a dated version, never a promise. */
export function findKnownAgent(
  acpName: string | undefined,
  agents: readonly KnownAgent[] = AGENTS,
): KnownAgent | undefined {
  return agents.find((agent) => agent.acpName === acpName);
}

/** Whether a known agent asks in a mode. */
export function askingIn(agent: KnownAgent | undefined, mode: string | undefined): Asking {
  if (agent === undefined) return "unknown";
  if (agent.asking === "never") return "never";
  if (agent.asking !== "mode" || mode === undefined || !Object.hasOwn(agent.modes, mode)) {
    return "unknown";
  }
  const asking = agent.modes[mode];
  return asking === "asks" || asking === "partly" || asking === "never" ? asking : "unknown";
}
