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

export type JudgedAsk =
  | { kind: "askable"; toolCall: ToolCall; options: PermissionOption[]; toolKind: string }
  | { kind: "unreadable" | "over_limit"; detail: string };

/**
 * Whether a tool call and its options can be asked whole. Nothing is ever cut to fit. `detail` names the place and the rule,
 * never what stands there.
 */
export function judgeAsk(toolCall: unknown, options: unknown): JudgedAsk {
  const illFormed = findJsonIssue({ toolCall, options }, { depth: Number.POSITIVE_INFINITY });
  if (illFormed !== undefined) return { kind: "unreadable", detail: describeIssue(illFormed) };
  const shape = readable.safeParse({ toolCall, options });
  if (!shape.success) return { kind: "unreadable", detail: describeIssue(shape.error.issues[0]) };
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
  return { kind: "askable", ...asked.data, toolKind: toolKindOf(asked.data.toolCall["kind"]) };
}

function describeIssue(issue: { path: PropertyKey[]; message: string } | undefined): string {
  if (issue === undefined) return "not a permission request";
  // A path can hold names that the agent made up: only the first steps are ours.
  const place = issue.path.slice(0, 2).map(String).join(".");
  return place === "" ? issue.message : `${place}: ${issue.message}`;
}
