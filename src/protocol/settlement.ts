import { permissionOption } from "./option.ts";
import { z } from "./z.ts";

const at = z.int().nonnegative();

/** The human who pressed that option or dismiss; the name is a copy from that moment. */
export const decider = z.object({
  participantId: z.string(),
  name: z.string(),
  role: z.literal("human"),
});
export type Decider = z.infer<typeof decider>;

/** Reasons that a resident may send with `withdraw`. */
export const RESIDENT_WITHDRAW_REASONS = [
  "turn_ended",
  "turn_cancelled",
  "request_cancelled",
  "tool_settled",
  "answered_elsewhere",
  "agent_ended",
  "resident_stopped",
  "resident_deadline",
] as const;
/** Reasons that only the Room writes. */
export const ROOM_WITHDRAW_REASONS = [
  "resident_restarted",
  "resident_left",
  "resident_removed",
  "room_closed",
  "no_human",
] as const;
export const WITHDRAW_REASONS = [...RESIDENT_WITHDRAW_REASONS, ...ROOM_WITHDRAW_REASONS] as const;
export const residentWithdrawReason = z.enum(RESIDENT_WITHDRAW_REASONS);
export type ResidentWithdrawReason = z.infer<typeof residentWithdrawReason>;
export const withdrawReason = z.enum(WITHDRAW_REASONS);
export type WithdrawReason = z.infer<typeof withdrawReason>;

/** The one-way end of a card. `by` is there only where that human pressed that option or dismiss. */
export const settlement = z.discriminatedUnion("state", [
  z.object({ state: z.literal("decided"), at, by: decider, option: permissionOption }),
  z.object({ state: z.literal("dismissed"), at, by: decider }),
  z.object({ state: z.literal("expired"), at }),
  z.object({ state: z.literal("withdrawn"), at, reason: withdrawReason }),
]);
export type Settlement = z.infer<typeof settlement>;

export const CARD_STATES = ["pending", "decided", "dismissed", "expired", "withdrawn"] as const;
export const cardState = z.enum(CARD_STATES);
export type CardState = z.infer<typeof cardState>;

/** ACP `RequestPermissionOutcome`: what the agent may act on. */
export const outcome = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("selected"), optionId: z.string() }),
  z.object({ outcome: z.literal("cancelled") }),
]);
export type Outcome = z.infer<typeof outcome>;

export const DELIVERY_STATES = ["none", "waiting", "sent", "applied", "not_applied"] as const;
export const deliveryState = z.enum(DELIVERY_STATES);
export type DeliveryState = z.infer<typeof deliveryState>;

/** How far a settlement has come on its way to the resident; `at` is when it came there. */
export const delivery = z.object({ state: deliveryState, at });
export type Delivery = z.infer<typeof delivery>;
