import { card } from "./card.ts";
import { credential, roomId } from "./credential.ts";
import { MESSAGE_BYTES } from "./limits.ts";
import { name, shownName } from "./names.ts";
import { exactText } from "./text.ts";
import { z } from "./z.ts";

export const PROTOCOL_VERSION = 1;

const at = z.int().nonnegative();

export const ROLES = ["human", "resident"] as const;
export const role = z.enum(ROLES);
export type Role = z.infer<typeof role>;

export const createRoom = z.object({ name: name.optional() });
export type CreateRoom = z.infer<typeof createRoom>;

export const roomCreated = z.object({
  roomId,
  name: shownName,
  humanInvite: credential,
  residentInvite: credential,
  /** The human invite as a link; it stands in the fragment, which browsers send nowhere. */
  humanUrl: z.url(),
  createdAt: at,
});
export type RoomCreated = z.infer<typeof roomCreated>;

export const joinRoom = z.object({ name });
export type JoinRoom = z.infer<typeof joinRoom>;

export const roomJoined = z.object({
  roomId,
  participantId: z.string(),
  role,
  name: shownName,
  token: credential,
});
export type RoomJoined = z.infer<typeof roomJoined>;

export const participant = z.object({
  participantId: z.string(),
  role,
  name: shownName,
  present: z.boolean(),
});
export type Participant = z.infer<typeof participant>;

export const messageText = exactText(1, MESSAGE_BYTES);

/** One message of talk: never consent. `to` is attention, not privacy. */
export const message = z.object({
  messageId: z.string(),
  from: z.object({ participantId: z.string(), name: shownName, role }),
  text: z.string(),
  to: z.string().optional(),
  at,
});
export type Message = z.infer<typeof message>;

/** The bounds that a client needs to know before it sends. */
export const shownLimits = z.object({
  bodyBytes: z.int(),
  frameBytes: z.int(),
  toolCallBytes: z.int(),
  messageBytes: z.int(),
  expiresInMs: z.object({ default: z.int(), min: z.int(), max: z.int() }),
  pendingPerResident: z.int(),
});
export type ShownLimits = z.infer<typeof shownLimits>;

/** The Room as one participant may see it: the `welcome` frame, and without its type the body of `GET /api/room`. */
export const roomView = z.object({
  protocol: z.literal(PROTOCOL_VERSION),
  serverTime: at,
  you: z.object({ participantId: z.string(), role, name: shownName }),
  room: z.object({ roomId, name: shownName }),
  participants: z.array(participant),
  /** A human's: all pending, oldest first. A resident's: its own pending. */
  cards: z.array(card),
  /** A human's: the newest settled, newest first. A resident's: empty. */
  recent: z.array(card),
  messages: z.array(message),
  limits: shownLimits,
});
export type RoomView = z.infer<typeof roomView>;

export const mintInvite = z.object({ role });
export const inviteMinted = z.object({ invite: credential, url: z.url().optional() });
export type InviteMinted = z.infer<typeof inviteMinted>;

export const health = z.object({
  status: z.literal("ok"),
  version: z.string(),
  protocol: z.literal(PROTOCOL_VERSION),
});
export type Health = z.infer<typeof health>;
