import {
  findJsonIssue,
  limits,
  permissionRequest,
  type PermissionOption,
  type ToolCall,
  utf8Bytes,
  z,
} from "../protocol/index.ts";
import { toolKindOf } from "./reasons.ts";

/** What every ask must say to be understood at all, whatever its size. */
const readable = z.object({
  toolCall: z.looseObject({ toolCallId: z.string().min(1) }),
  options: z
    .array(
      z.looseObject({
        optionId: z.string().min(1),
        name: z.string(),
        kind: z.string().optional(),
      }),
    )
    .min(1)
    .refine((options) => new Set(options.map((o) => o.optionId)).size === options.length, {
      error: "an optionId is offered twice",
    }),
});

/** The two halves of a permission request that the Room takes as the agent sent them. */
const askable = permissionRequest.pick({ toolCall: true, options: true });

/** An ask that is understood. */
export interface ReadAsk {
  kind: "read";
  toolCall: ToolCall;
  options: PermissionOption[];
  toolKind: string;
}

/** `detail` names the place and the rule, never what stands there. */
export interface UnusableAsk {
  kind: "unreadable" | "over_limit";
  detail: string;
}

/** Whether a tool call and its options are understood at all, whatever their size. */
export function readAsk(toolCall: unknown, options: unknown): ReadAsk | UnusableAsk {
  const illFormed = findJsonIssue({ toolCall, options }, { depth: Number.POSITIVE_INFINITY });
  if (illFormed !== undefined) return { kind: "unreadable", detail: describeIssue(illFormed) };
  const ask = readable.safeParse({ toolCall, options });
  if (!ask.success) return { kind: "unreadable", detail: describeIssue(ask.error.issues[0]) };
  // Not the checked copy: it loses what is called `__proto__`.
  const read = { toolCall: toolCall as ToolCall, options: options as PermissionOption[] };
  return { kind: "read", ...read, toolKind: toolKindOf(read.toolCall["kind"]) };
}

export type FittingAsk = { kind: "fits"; toolCall: ToolCall; options: PermissionOption[] };

/** Whether the Room takes a tool call and its options whole. Nothing is ever cut to fit. */
export function fitAsk(toolCall: unknown, options: PermissionOption[]): FittingAsk | UnusableAsk {
  const asked = askable.safeParse({ toolCall, options });
  if (!asked.success) return { kind: "over_limit", detail: describeIssue(asked.error.issues[0]) };
  const callBytes = utf8Bytes(JSON.stringify(asked.data.toolCall));
  if (callBytes > limits.TOOL_CALL_BYTES) {
    return { kind: "over_limit", detail: `the tool call has ${callBytes} bytes` };
  }
  const optionBytes = utf8Bytes(JSON.stringify(asked.data.options));
  if (optionBytes > limits.OPTIONS_BYTES) {
    return { kind: "over_limit", detail: `the options have ${optionBytes} bytes` };
  }
  return { kind: "fits", ...asked.data };
}

function describeIssue(issue: { path: PropertyKey[]; message: string } | undefined): string {
  if (issue === undefined) return "not a permission request";
  // A path can hold names that the agent made up: only the first steps are ours.
  const place = issue.path.slice(0, 2).map(String).join(".");
  return place === "" ? issue.message : `${place}: ${issue.message}`;
}
