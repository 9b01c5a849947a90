import type { Card } from "../../src/protocol/index.ts";

export const OPTIONS = [
  { optionId: "allow-1", name: "Allow once", kind: "allow_once" },
  { optionId: "no-2", name: "Reject", kind: "reject_once" },
];

/** A pending card of the resident "claude". */
export function makeCard(changes: Partial<Card> = {}): Card {
  return {
    requestId: "request-1",
    resident: { participantId: "p-claude", name: "claude" },
    toolCall: { toolCallId: "t1", kind: "execute", rawInput: { command: "ls" } },
    evidence: { inline: true, bytes: 60 },
    options: OPTIONS,
    openedAt: 1_000,
    expiresAt: 301_000,
    state: "pending",
    delivery: { state: "none", at: 1_000 },
    ...changes,
  };
}
