import { TOOL_CALL_DEPTH, TOOL_CALL_ID_BYTES, TOOL_CALL_NODES, TURN_ID_BYTES } from "./limits.ts";
import { permissionOptions } from "./option.ts";
import { cardState, delivery, outcome, settlement } from "./settlement.ts";
import { exactText } from "./text.ts";
import { untouched } from "./untouched.ts";
import { z } from "./z.ts";

/** Made by the resident: random, fresh for every ACP request, never used twice. */
export const requestId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{7,63}$/, "must be 8 to 64 of A-Z a-z 0-9 . _ : -");

/** ACP `ToolCallUpdate` as the agent sent it. Only `toolCallId` is judged; a known field of the wrong type is shown raw. */
export const toolCall = untouched(z.looseObject({ toolCallId: exactText(1, TOOL_CALL_ID_BYTES) }), {
  depth: TOOL_CALL_DEPTH,
  nodes: TOOL_CALL_NODES,
});
export type ToolCall = z.infer<typeof toolCall>;

// Out-of-range durations are clamped by the Room, which echoes what it took.
const durationMs = z.int().nonnegative();

export const NO_HUMAN_POLICIES = ["wait", "withdraw"] as const;

/** What a resident posts: the tool call and the exact options that the agent offered. */
export const permissionRequest = z.object({
  requestId,
  toolCall,
  options: permissionOptions,
  /** How long people have to answer; default EXPIRES_IN_DEFAULT_MS, at most EXPIRES_IN_MAX_MS. */
  expiresInMs: durationMs.optional(),
  /** How far humans may extend the deadline, counted from `openedAt`. */
  maxExpiresInMs: durationMs.optional(),
  /** `withdraw`: with no human present the reply is already settled (`no_human`). */
  ifNoHuman: z.enum(NO_HUMAN_POLICIES).optional(),
  /** Correlation only, shown as a group. */
  turnId: exactText(0, TURN_ID_BYTES).optional(),
});
export type PermissionRequest = z.infer<typeof permissionRequest>;

const at = z.int().nonnegative();

/** How one request stands: the reply to every call and frame that names it. */
export const requestStatus = z.object({
  requestId,
  state: cardState,
  openedAt: at,
  expiresAt: at,
  maxExpiresAt: at.optional(),
  serverTime: at,
  /** Participants, not sockets. */
  humansPresent: z.int().nonnegative(),
  /** Only on a repeated POST. */
  duplicate: z.literal(true).optional(),
  /** Absent while pending; `cancelled` for all but a decision, and for a decision that became not_applied. */
  outcome: outcome.optional(),
  settlement: settlement.optional(),
  delivery,
});
export type RequestStatus = z.infer<typeof requestStatus>;
