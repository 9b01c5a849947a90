import type { KindWord } from "../model/option-kind.ts";
import type { IconName } from "./icons.tsx";

interface Look {
  icon: IconName;
  /** Class of an option's row. */
  row: string;
  /** Class of what such an option decided. */
  tone: string;
}

export const KIND_LOOKS: Readonly<Record<KindWord, Look>> = {
  allow_once: { icon: "allow", row: "k-allow", tone: "tone-allow" },
  allow_always: { icon: "allow_stack", row: "k-durable", tone: "tone-durable" },
  reject_once: { icon: "refuse", row: "k-refuse", tone: "tone-refuse" },
  reject_always: { icon: "refuse_stack", row: "k-refuse", tone: "tone-refuse" },
  unknown: { icon: "unknown", row: "k-unknown", tone: "" },
};

const TOOL_ICONS: Readonly<Record<string, IconName>> = {
  execute: "run",
  edit: "edit",
  delete: "delete",
  move: "move",
  read: "read",
  search: "search",
  fetch: "fetch",
  think: "think",
  switch_mode: "mode",
};

export function toolIcon(kind: string | undefined): IconName {
  return kind !== undefined && Object.hasOwn(TOOL_ICONS, kind)
    ? (TOOL_ICONS[kind] ?? "other")
    : "other";
}
