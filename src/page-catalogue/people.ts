import type { Decider, Participant } from "../protocol/index.ts";

/** The moment that every state shows. */
export const NOW = Date.UTC(2026, 6, 1, 12, 0, 0);

export const CLAUDE = resident("claude", "p-7c41d0e9b25f");
export const CODEX = resident("codex", "p-19af6b3e88d2");
export const OPENCODE = resident("opencode", "p-e05d72c4916a");
export const GEMINI = resident("gemini", "p-3b98f1a6d07c");
export const RESIDENTS: readonly Participant[] = [CLAUDE, CODEX, OPENCODE, GEMINI];

export const ANA: Decider = { participantId: "p-a2d6e4071b3c", name: "Ana", role: "human" };
export const BEN: Decider = { participantId: "p-5f0b9c83e7d1", name: "Ben", role: "human" };
/** Another person by the same name as BEN. */
export const OTHER_BEN: Decider = { participantId: "p-c8e17d42a609", name: "Ben", role: "human" };
/** The person whose page it is. */
export const YOU = ANA;

function resident(name: string, participantId: string): Participant {
  return { participantId, role: "resident", name, present: true };
}

export function isHere(person: Decider): Participant {
  return { ...person, present: true };
}

export function isAway(participant: Participant): Participant {
  return { ...participant, present: false };
}
