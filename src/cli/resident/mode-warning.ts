import type { AgentInfo } from "../../resident/agent-info.ts";
import { measuredOf } from "../../resident/measured.ts";
import type { SessionSettings } from "../../resident/session-settings.ts";
import { CommandFailure } from "../exit.ts";

/** Modes named at most: they are the agent's text. */
const MODES_NAMED = 20;
const ID_CHARACTERS = 60;

/**
 * What an operator is to know of the mode that an agent begins in, where it is not known to ask. A mode that was chosen is the
 * operator's own choice: it is warned of only where it is known not to ask.
 */
export function modeWarning(
  agent: AgentInfo,
  { mode, modes }: Pick<SessionSettings, "mode" | "modes">,
  wasChosen: boolean,
): string | undefined {
  const asking = measuredOf(agent).asking(mode);
  if (asking === "asks" || (wasChosen && asking === "unknown")) return undefined;
  const shown = mode === undefined ? "in a mode that it does not tell" : `in mode ${quote(mode)}`;
  const offered = modes.slice(0, MODES_NAMED).map(({ id }) => quote(id));
  const choice =
    offered.length === 0
      ? "It offers no modes; see that its own settings ask."
      : `Its modes: ${offered.join(", ")}. Choose one with --mode.`;
  return `Warning: this agent is ${shown}, ${WORDS[asking]}. ${wasChosen ? "" : choice}`.trim();
}

const WORDS = {
  never: "in which it acts without asking anybody",
  partly: "in which it does some things without asking",
  unknown: "and whether it asks there is not known: it may act without asking",
} as const;

/** @throws CommandFailure for a policy that would hold nothing back */
export function requireHeldBy(restricts: boolean, agent: AgentInfo): void {
  if (!restricts || !measuredOf(agent).neverAsks) return;
  throw new CommandFailure(
    "This agent never asks, so a policy that asks or denies would not hold it. The Room was not joined. Run it without the policy, or another agent.",
  );
}

function quote(text: string): string {
  const short = text.length > ID_CHARACTERS ? `${text.slice(0, ID_CHARACTERS)}…` : text;
  return JSON.stringify(short);
}
