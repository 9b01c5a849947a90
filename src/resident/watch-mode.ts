import type { Emit } from "./events.ts";
import type { AgentInfo } from "./agent-info.ts";
import { measuredOf } from "./measured.ts";
import type { SessionSettings } from "./session-settings.ts";

/** Returns what tells, once for every change, that a session's mode is now one that is not known to ask. */
export function watchMode(
  agent: AgentInfo,
  settings: Pick<SessionSettings, "mode">,
  emit: Emit,
): () => void {
  const measured = measuredOf(agent);
  let { mode } = settings;
  return () => {
    if (settings.mode === mode) return;
    ({ mode } = settings);
    if (measured.asking(mode) !== "asks") emit({ type: "may_not_ask" });
  };
}
