import { card } from "./card.ts";
import { errorDetail } from "./errors.ts";
import { REF_BYTES, RESUME_IDS } from "./limits.ts";
import { optionId } from "./option.ts";
import { permissionRequest, requestId, requestStatus } from "./request.ts";
import { message, messageText, participant, roomView } from "./room.ts";
import { delivery, outcome, residentWithdrawReason, settlement } from "./settlement.ts";
import { exactText } from "./text.ts";
import { z } from "./z.ts";

/** Answered `pong` by the runtime without waking the Room. Both are the whole text of a message, not JSON. */
export const PING = "ping";
export const PONG = "pong";

const at = z.int().nonnegative();
/** Echoed in the answer, for the sender to match it. */
const ref = exactText(0, REF_BYTES).optional();

const say = z.object({
  type: z.literal("say"),
  ref,
  text: messageText,
  to: z.string().max(64).optional(),
});

export const humanFrame = z.discriminatedUnion("type", [
  z.object({ type: z.literal("decide"), ref, requestId, optionId }),
  z.object({ type: z.literal("dismiss"), ref, requestId }),
  z.object({ type: z.literal("extend"), ref, requestId, expiresAt: at }),
  say,
]);
export type HumanFrame = z.infer<typeof humanFrame>;

export const residentFrame = z.discriminatedUnion("type", [
  z.object({ type: z.literal("request"), ref, ...permissionRequest.shape }),
  z.object({ type: z.literal("decision_ack"), ref, requestId, applied: z.boolean() }),
  z.object({ type: z.literal("withdraw"), ref, requestId, reason: residentWithdrawReason }),
  z.object({
    type: z.literal("resume"),
    ref,
    /** Every id that this process still holds. */
    parked: z.array(requestId).max(RESUME_IDS),
    /** Acknowledgements that no `accepted` has come for. */
    answered: z.array(z.object({ requestId, applied: z.boolean() })).max(RESUME_IDS),
  }),
  say,
]);
export type ResidentFrame = z.infer<typeof residentFrame>;

const welcome = z.object({ type: z.literal("welcome"), ...roomView.shape });
const participantChanged = z.object({ type: z.literal("participant_changed"), participant });
const messagePosted = z.object({ type: z.literal("message_posted"), message });
const accepted = z.object({
  type: z.literal("accepted"),
  ref: z.string().optional(),
  status: requestStatus.optional(),
});
const rejected = z.object({
  type: z.literal("rejected"),
  ref: z.string().optional(),
  requestId: z.string().optional(),
  error: errorDetail,
});
const cardOpened = z.object({ type: z.literal("card_opened"), card, serverTime: at });
const cardSettled = z.object({
  type: z.literal("card_settled"),
  requestId,
  settlement,
  outcome,
  delivery,
  serverTime: at,
});
const cardExtended = z.object({
  type: z.literal("card_extended"),
  requestId,
  expiresAt: at,
  serverTime: at,
});
const cardDelivery = z.object({ type: z.literal("card_delivery"), requestId, delivery });
const decision = z.object({
  type: z.literal("decision"),
  requestId,
  outcome,
  settlement,
  delivery,
  serverTime: at,
});

/** Every frame that the Room sends. Clients ignore types that they do not know. */
export const roomFrame = z.discriminatedUnion("type", [
  welcome,
  participantChanged,
  messagePosted,
  accepted,
  rejected,
  cardOpened,
  cardSettled,
  cardExtended,
  cardDelivery,
  decision,
]);
export type RoomFrame = z.infer<typeof roomFrame>;
export type FrameOf<T extends RoomFrame["type"]> = Extract<RoomFrame, { type: T }>;

/** The type of a message that may be a frame: enough to tell a frame that is unknown from one that is broken. */
export const anyFrame = z.looseObject({ type: z.string() });
