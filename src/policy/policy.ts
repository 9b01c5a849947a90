import type { Verdict } from "./verdict.ts";

/** The tool kinds that ACP names. */
export const TOOL_KINDS = [
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "switch_mode",
  "other",
] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];

/** The key of what no other key names. */
export const DEFAULT_KEY = "default";
/** The one kind of request that can switch asking off. */
export const SWITCH_MODE: ToolKind = "switch_mode";

/** An operator's verdicts in their order: by tool kind, by exact title, and for the rest under `default`. */
export type Policy = ReadonlyMap<string, Verdict>;

/** Says nothing of any request. */
export const EMPTY_POLICY: Policy = new Map();
/** In place of a policy that can no longer be read. */
export const UNREADABLE_POLICY: Policy = new Map([[DEFAULT_KEY, "ask"]]);

export function isToolKind(value: unknown): value is ToolKind {
  return TOOL_KINDS.some((kind) => kind === value);
}

/** Whether a key of a policy, or what an agent calls a request, can only be a title. */
export function isTitle(value: unknown): value is string {
  return typeof value === "string" && value !== DEFAULT_KEY && !isToolKind(value);
}
