import type { Emit } from "./events.ts";
import type { AgentInfo } from "./agent-info.ts";
import { measuredOf } from "./measured.ts";
import type { SessionSettings } from "./session-settings.ts";

/**
 * Returns what tells, once for every change, that a session's mode is now one that is not known to ask. `chosen`: the operator's own
 * mode, of which that is told only where it is known.
 */
export function watchMode(
  agent: AgentInfo,
  settings: Pick<SessionSettings, "mode">,
  emit: Emit,
  chosen?: string,
): () => void {
  const measured = measuredOf(agent);
  let { mode } = settings;
  return () => {
    if (settings.mode === mode) return;
    ({ mode } = settings);
    const asking = measured.asking(mode);
    const isOwn = mode !== undefined && mode === chosen;
    if (asking !== "asks" && !(isOwn && asking === "unknown")) emit({ type: "may_not_ask" });
  };
}
