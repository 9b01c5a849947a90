import type { Card, PermissionOption, ToolCall } from "../protocol/index.ts";
import { CLAUDE, NOW } from "./people.ts";

const SECOND = 1_000;

/** What an agent asks, and the options that it offers. */
export interface Ask {
  toolCall: ToolCall;
  options: PermissionOption[];
}

/** A request as an agent sent it, of a recording. */
export function recorded(recording: { messages: readonly { params: unknown }[] }, at = 0): Ask {
  const message = recording.messages[at];
  if (message === undefined) throw new Error("no such message");
  const { toolCall, options } = message.params as Ask;
  return { toolCall, options };
}

export const STD: PermissionOption[] = [
  { optionId: "allow-1", name: "Allow once", kind: "allow_once" },
  { optionId: "always-9", name: "Always allow", kind: "allow_always" },
  { optionId: "no-2", name: "Reject", kind: "reject_once" },
];

export const NO_WAYS: PermissionOption[] = [
  ...STD,
  { optionId: "never-3", name: "Never", kind: "reject_always" },
];

/** A tool call that runs a command. */
export function command(text: string, more: Partial<ToolCall> = {}): ToolCall {
  return { toolCallId: "t1", kind: "execute", title: text, rawInput: { command: text }, ...more };
}

/** A change to one file; `oldText` null: there was none. */
export function edit(path: string, oldText: string | null, newText: string): ToolCall {
  const content = [{ type: "diff", path, oldText, newText }];
  return { toolCallId: "t1", kind: "edit", title: `Edit ${path}`, content };
}

/** A card that came half a minute ago and waits another four and a half. */
export function makeCard(requestId: string, ask: Ask, changes: Partial<Card> = {}): Card {
  const { participantId, name } = CLAUDE;
  return {
    requestId,
    resident: { participantId, name },
    ...ask,
    evidence: { inline: true, bytes: JSON.stringify(ask.toolCall).length },
    openedAt: NOW - 28 * SECOND,
    expiresAt: NOW + 272 * SECOND,
    state: "pending",
    delivery: { state: "none", at: NOW - 28 * SECOND },
    ...changes,
  };
}
