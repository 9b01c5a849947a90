import type { PermissionOption, ToolCall } from "../protocol/index.ts";

/** What an operator's policy says of one request. */
export type PolicyAnswer =
  | { kind: "ask" }
  /** `optionId` is one that was offered; without it a refusal is `cancelled`. */
  | { kind: "allow"; optionId: string; by: PolicyKey }
  | { kind: "deny"; optionId?: string; by: PolicyKey };

/** What in which policy decided: `key` is undefined where nothing in it matched. */
export interface PolicyKey {
  policy: "agent" | "launch";
  key: string | undefined;
}

/** An operator's policy, consulted for every request. Never throws. */
export type PolicyPort = (toolCall: ToolCall, options: readonly PermissionOption[]) => PolicyAnswer;
