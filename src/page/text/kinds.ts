import type { KindWord } from "../model/option-kind.ts";

const TOOL_KINDS: Readonly<Record<string, string>> = {
  execute: "Run a command",
  edit: "Edit a file",
  delete: "Delete",
  move: "Move",
  read: "Read",
  search: "Search",
  fetch: "Fetch",
  think: "Think",
  switch_mode: "Switch mode",
  // ACP's own word for all the rest, also where none is given.
  other: "Use a tool",
};

/** The tool kind in our words; one that ACP does not name follows as untrusted text. */
export function toolKindWords(kind = "other"): { words: string; other?: string } {
  const words = Object.hasOwn(TOOL_KINDS, kind) ? TOOL_KINDS[kind] : undefined;
  return words === undefined ? { words: "Other: ", other: kind } : { words };
}

/** Instead, where the agent's name for it is too long to stand in a heading. */
export const OTHER_KIND_BELOW = "Other, named by the agent below";

export const KIND_WORDS: Readonly<Record<KindWord, string>> = {
  allow_once: "allows once",
  allow_always: "allows and may be remembered by the agent",
  reject_once: "refuses once",
  reject_always: "refuses and may be remembered",
  unknown: "kind not known",
};
