import type { AgentInfo } from "./agent-info.ts";
import { askingIn, type Asking, findKnownAgent } from "./known-agents.ts";

/** Agents of which something was measured. */
export type AgentsTable = NonNullable<Parameters<typeof findKnownAgent>[1]>;

/** What was measured of one agent, as far as it holds for the version at hand. */
export interface Measured {
  /** Whether it asks in a mode. */
  asking(mode: string | undefined): Asking;
  /** Where that was seen, or why nothing was. */
  source(mode: string | undefined): string;
  /** Whether it never asks, whatever its mode. */
  neverAsks: boolean;
}

/** Looks an agent up by what it says of itself; undefined where it said nothing. */
export function measuredOf(info: AgentInfo | undefined, agents?: AgentsTable): Measured {
  const known = findKnownAgent(info?.name, agents);
  if (known === undefined) {
    const why =
      info === undefined
        ? "no session was opened"
        : "nothing was measured of an agent of this name";
    return { asking: () => "unknown", source: () => why, neverAsks: false };
  }
  const isSame = known.version === info?.version;
  const when = `Handraise's table of agents, measured on ${known.date} with version ${known.version}`;
  const asking = (mode: string | undefined): Asking => {
    const measured = askingIn(known, mode);
    // What asked in one release may not ask in the next. That it never asks is assumed of what is unknown in any case.
    return isSame || measured === "never" ? measured : "unknown";
  };
  return {
    asking,
    source(mode) {
      if (asking(mode) !== "unknown") {
        return isSame ? when : `${when}, which is not the version of this agent`;
      }
      if (known.asking === "configuration") return "this agent's own configuration decides";
      if (mode === undefined) return "the agent reports no mode";
      const found = askingIn(known, mode);
      if (found === "unknown") return "nothing was measured of this mode";
      return `${found === "asks" ? "it asked" : "it asked in part"} on ${known.date} with version ${known.version}, which is not the version of this agent`;
    },
    neverAsks: known.asking === "never",
  };
}
