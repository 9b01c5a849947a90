import type { AgentCommand } from "../../resident/agent-process.ts";
import { AgentSession } from "../../resident/agent-session.ts";
import { applyChoices, type SessionChoices } from "../../resident/apply-choices.ts";
import type { AgentFacts } from "../../resident/inspection.ts";
import { CANCELLED } from "../../resident/settled-answer.ts";
import { describeDuration } from "../duration.ts";
import { describeStartFailure } from "./start-failure.ts";

export interface AgentToMeet {
  command: AgentCommand;
  cwd: string;
  choices: SessionChoices;
}

/** When to give up on the agent. */
export interface Patience {
  timeoutMs: number;
  stopped: AbortSignal;
}

/** Starts an agent, opens a session, sets and checks what was chosen, and ends it. It gets no prompt. Never throws. */
export async function meetAgent(
  { command, cwd, choices }: AgentToMeet,
  { timeoutMs, stopped }: Patience,
): Promise<AgentFacts> {
  const over = new AbortController();
  const { signal } = over;
  const stop = (): void => over.abort();
  const timer = setTimeout(stop, timeoutMs);
  if (stopped.aborted) stop();
  stopped.addEventListener("abort", stop);
  let asked = false;
  const giveUp = (): AgentFacts | undefined => {
    if (stopped.aborted) return { kind: "failed", how: "Stopped before the agent was ready." };
    const how = `The agent was not ready within ${describeDuration(timeoutMs)}, and was ended.`;
    return signal.aborted ? { kind: "failed", how } : undefined;
  };
  let session: AgentSession | undefined;
  try {
    session = await AgentSession.open({
      command,
      cwd,
      signal,
      events: {
        onUpdate: () => undefined,
        onAsk(ask) {
          asked = true;
          // It may be gone by then, which is no answer either.
          ask.give({ outcome: CANCELLED }).catch(() => undefined);
        },
      },
    });
    const { process, info, settings } = session;
    signal.addEventListener("abort", () => void process.stop());
    const outcome = await trySetting(session, choices);
    return giveUp() ?? { kind: "opened", info, settings, choices: outcome, asked };
  } catch (error) {
    return giveUp() ?? { kind: "failed", ...describeStartFailure(error) };
  } finally {
    clearTimeout(timer);
    stopped.removeEventListener("abort", stop);
    await session?.process.stop();
  }
}

async function trySetting(
  { sessionId, settings, acp }: AgentSession,
  choices: SessionChoices,
): Promise<"none" | "set" | "not_set"> {
  if (choices.mode === undefined && choices.config.size === 0) return "none";
  try {
    await applyChoices(sessionId, settings, choices, (method, params) => acp.set(method, params));
    return "set";
  } catch {
    // Its words may quote values of options that are not to be shown.
    return "not_set";
  }
}
