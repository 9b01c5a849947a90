import type { AgentSettings } from "./agent-row.ts";
import type { Transcript } from "./transcript.ts";

interface Known {
  settings: AgentSettings;
  /** Every option that a person pressed. */
  pressed: readonly (string | undefined)[];
  /** Which questions may be without an answer, because the agent or the command was ended: those after a stop, or any. */
  unanswered: "none" | "late" | "any";
}

/** What is unsafe in what an agent was told, whatever it did with it. */
export function findInTranscript(transcript: Transcript, known: Known): string[] {
  const { turnEnds, asks } = transcript;
  const findings: string[] = turnEnds.length === 0 ? [] : findUnset(transcript, known.settings);
  const pressed = new Set(known.pressed);
  for (const { afterCancel, selected, outcome } of asks) {
    if (outcome === "other") findings.push("the agent was given an answer that is none");
    const mayBeUnanswered =
      known.unanswered === "any" || (known.unanswered === "late" && afterCancel);
    if (outcome === undefined && !mayBeUnanswered) {
      findings.push("a question of the agent's was left without an answer");
    }
    if (selected !== undefined && !pressed.has(selected)) {
      findings.push("the agent was told an option that nobody had pressed");
    }
    if (afterCancel && outcome !== undefined && outcome !== "cancelled") {
      findings.push("a question that came after a stop was not answered cancelled");
    }
  }
  return findings;
}

function findUnset(transcript: Transcript, { mode, config }: AgentSettings): string[] {
  const now = transcript.settings;
  const findings: string[] = [];
  if (mode !== undefined && now.mode !== mode) {
    findings.push(
      `mode ${mode} was asked for, and the agent was prompted in ${now.mode ?? "none"}`,
    );
  }
  for (const [id, value] of Object.entries(config ?? {})) {
    if (String(now.config[id]) === value) continue;
    findings.push(`${id} was to be ${value}, and the agent was prompted without`);
  }
  return findings;
}
