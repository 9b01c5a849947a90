import type {
  Card,
  HistoryRecord,
  HumanFrame,
  PermissionRequest,
  RequestStatus,
  ResidentFrame,
  RoomFrame,
  RoomView,
  Settlement,
} from "../../src/protocol/index.ts";

// One story: Ana and Ben are in the Room "Release night" with the resident claude. A test plays all of it against the Worker, and
// what the Worker then says has to be what is written here but for ids, credentials and times.

const secret = (word: string): string => `${word.padEnd(42, "-")}A`;
const AT = 1_764_518_400_000;

export const ROOM_ID = "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA";
export const HUMAN_INVITE = `hr1.hi.${ROOM_ID}.${secret("human-invite")}`;
export const RESIDENT_INVITE = `hr1.ri.${ROOM_ID}.${secret("resident-invite")}`;
export const ANAS_TOKEN = `hr1.ht.${ROOM_ID}.${secret("token-of-ana")}`;
export const CLAUDES_TOKEN = `hr1.rt.${ROOM_ID}.${secret("token-of-claude")}`;
export const ORIGIN = "https://handraise.example";

export const ANA = { participantId: "7d0f1c7e-5a53-4c0e-9a53-0f5d1d2b6a01", name: "Ana" } as const;
export const BEN = { participantId: "7d0f1c7e-5a53-4c0e-9a53-0f5d1d2b6a02", name: "Ben" } as const;
export const CLAUDE = {
  participantId: "7d0f1c7e-5a53-4c0e-9a53-0f5d1d2b6a03",
  name: "claude",
} as const;
export const MESSAGE_ID = "3f0a3c58-6f1d-4c39-8a34-cf2a90a40001";

/** Decided, dismissed, and withdrawn in the end. */
export const DECIDED = "6f1c2a5e-0d5b-4f6f-9c3a-2b8d1e7f4a90";
export const DISMISSED = "0b2e7a44-92c1-4e0d-8a55-61b0c4a7d3e1";
export const WITHDRAWN = "c81d4e2e-bcf2-41e6-869b-7df92533d2db";

export const allowOnce = { optionId: "allow-1", name: "Allow once", kind: "allow_once" };
const options = [allowOnce, { optionId: "no-2", name: "Reject", kind: "reject_once" }];
const toolCall = {
  toolCallId: "toolu_01",
  title: "npm test",
  kind: "execute",
  content: [],
  locations: [{ path: "/repo" }],
  rawInput: { command: "npm test" },
};
export const TOOL_CALL = toolCall;

export const permissionRequest: PermissionRequest = {
  requestId: DECIDED,
  toolCall,
  options,
  expiresInMs: 300_000,
  maxExpiresInMs: 900_000,
  ifNoHuman: "wait",
  turnId: "turn-7",
};
export const leastRequest: PermissionRequest = {
  requestId: WITHDRAWN,
  toolCall: { toolCallId: "toolu_02" },
  options: [{ optionId: "yes", name: "Yes" }],
};

const times = {
  openedAt: AT,
  expiresAt: AT + 300_000,
  maxExpiresAt: AT + 900_000,
};
export const EXPIRES_AT = times.expiresAt;
const none = { state: "none", at: AT } as const;
const by = { ...ANA, role: "human" } as const;
const cancelled = { outcome: "cancelled" } as const;
const selected = { outcome: "selected", optionId: allowOnce.optionId } as const;

export const decidedByAna: Settlement = { state: "decided", at: AT + 5000, by, option: allowOnce };
const dismissedByAna: Settlement = { state: "dismissed", at: AT + 5000, by };
const withdrawn: Settlement = { state: "withdrawn", at: AT + 5000, reason: "turn_ended" };

export const pendingStatus: RequestStatus = {
  requestId: DECIDED,
  state: "pending",
  ...times,
  serverTime: AT + 1000,
  humansPresent: 1,
  delivery: none,
};
export const repeatedStatus: RequestStatus = { ...pendingStatus, duplicate: true };
export const extendedStatus: RequestStatus = { ...pendingStatus, expiresAt: AT + 600_000 };
export const decidedStatus: RequestStatus = {
  ...pendingStatus,
  state: "decided",
  serverTime: AT + 5000,
  outcome: selected,
  settlement: decidedByAna,
  delivery: { state: "waiting", at: AT + 5000 },
};
export const fetchedStatus: RequestStatus = {
  ...decidedStatus,
  delivery: { state: "sent", at: AT + 5100 },
};
export const appliedStatus: RequestStatus = {
  ...decidedStatus,
  delivery: { state: "applied", at: AT + 5200 },
};
export const dismissedStatus: RequestStatus = {
  ...pendingStatus,
  requestId: DISMISSED,
  state: "dismissed",
  outcome: cancelled,
  settlement: dismissedByAna,
  delivery: { state: "waiting", at: AT + 5000 },
};
export const withdrawnStatus: RequestStatus = {
  requestId: WITHDRAWN,
  state: "withdrawn",
  openedAt: AT,
  expiresAt: AT + 300_000,
  serverTime: AT + 5000,
  humansPresent: 1,
  outcome: cancelled,
  settlement: withdrawn,
  delivery: { state: "none", at: AT + 5000 },
};

const pendingCard: Card = {
  requestId: DECIDED,
  resident: CLAUDE,
  toolCall,
  evidence: { bytes: 139, inline: true },
  options,
  turnId: "turn-7",
  ...times,
  state: "pending",
  delivery: none,
};

const limits: RoomView["limits"] = {
  bodyBytes: 1_048_576,
  frameBytes: 65_536,
  toolCallBytes: 983_040,
  messageBytes: 4000,
  expiresInMs: { default: 300_000, min: 1000, max: 86_400_000 },
  pendingPerResident: 64,
};

export const anasView: RoomView = {
  protocol: 1,
  serverTime: AT + 1000,
  you: { ...ANA, role: "human" },
  room: { roomId: ROOM_ID, name: "Release night" },
  participants: [
    { ...ANA, role: "human", present: true },
    { ...CLAUDE, role: "resident", present: true },
  ],
  messages: [],
  limits,
  cards: [pendingCard],
  recent: [],
};

export const historyRecord: HistoryRecord = {
  requestId: DECIDED,
  turnId: "turn-7",
  resident: CLAUDE,
  openedAt: AT,
  expiresAt: AT + 600_000,
  title: "npm test",
  kind: "execute",
  toolCallSha256: "8cbcb2a0047d183661fae25dc3fb550d738ecb2d421c532b8dfda2e971a6344e",
  toolCallBytes: 139,
  options,
  settlement: decidedByAna,
  outcome: selected,
  delivery: { state: "applied", at: AT + 5200 },
};

/** One of every frame that a human sends. */
export const HUMAN_FRAMES: { [T in HumanFrame["type"]]: Extract<HumanFrame, { type: T }> } = {
  decide: { type: "decide", ref: "1", requestId: DECIDED, optionId: allowOnce.optionId },
  dismiss: { type: "dismiss", ref: "2", requestId: DISMISSED },
  extend: { type: "extend", ref: "3", requestId: DECIDED, expiresAt: EXPIRES_AT },
  say: { type: "say", ref: "4", text: "yes, go ahead", to: CLAUDE.participantId },
};

/** One of every frame that a resident sends. */
export const RESIDENT_FRAMES: {
  [T in ResidentFrame["type"]]: Extract<ResidentFrame, { type: T }>;
} = {
  request: { type: "request", ref: "5", ...permissionRequest },
  decision_ack: { type: "decision_ack", ref: "6", requestId: DECIDED, applied: true },
  withdraw: { type: "withdraw", ref: "7", requestId: WITHDRAWN, reason: "turn_ended" },
  resume: {
    type: "resume",
    ref: "8",
    parked: [WITHDRAWN],
    answered: [{ requestId: DECIDED, applied: true }],
  },
  say: { type: "say", ref: "4", text: "yes, go ahead", to: CLAUDE.participantId },
};

const serverTime = AT + 5000;
const delivery = { state: "sent", at: AT + 5000 } as const;

/** One of every frame that the Room sends. */
export const ROOM_FRAMES: { [T in RoomFrame["type"]]: Extract<RoomFrame, { type: T }> } = {
  welcome: { type: "welcome", ...anasView },
  participant_changed: {
    type: "participant_changed",
    participant: { ...BEN, role: "human", present: true },
  },
  message_posted: {
    type: "message_posted",
    message: {
      messageId: MESSAGE_ID,
      from: { ...ANA, role: "human" },
      text: "yes, go ahead",
      to: CLAUDE.participantId,
      at: AT,
    },
  },
  accepted: {
    type: "accepted",
    ref: "1",
    status: {
      ...decidedStatus,
      expiresAt: AT + 600_000,
      humansPresent: 2,
      delivery,
    },
  },
  rejected: {
    type: "rejected",
    ref: "1",
    requestId: DECIDED,
    error: {
      code: "already_settled",
      message: "This request is already settled; this call was not used.",
      settlement: decidedByAna,
    },
  },
  card_opened: {
    type: "card_opened",
    card: { ...pendingCard, requestId: DISMISSED },
    serverTime: AT,
  },
  card_settled: {
    type: "card_settled",
    requestId: DECIDED,
    settlement: decidedByAna,
    outcome: selected,
    delivery,
    serverTime,
  },
  card_extended: {
    type: "card_extended",
    requestId: DECIDED,
    expiresAt: AT + 600_000,
    serverTime: AT + 2000,
  },
  card_delivery: {
    type: "card_delivery",
    requestId: DECIDED,
    delivery: { state: "applied", at: AT + 5100 },
  },
  decision: {
    type: "decision",
    requestId: DECIDED,
    outcome: selected,
    settlement: decidedByAna,
    delivery,
    serverTime,
  },
};
