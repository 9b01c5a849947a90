import {
  ackBody,
  card,
  createRoom,
  decideBody,
  delivery,
  emptyBody,
  errorBody,
  errorDetail,
  evidence,
  extendBody,
  health,
  historyRecord,
  humanFrame,
  inviteMinted,
  joinRoom,
  message,
  mintInvite,
  outcome,
  participant,
  permissionOption,
  permissionRequest,
  requestStatus,
  residentFrame,
  roomCreated,
  roomFrame,
  roomJoined,
  roomView,
  schemaBehind,
  settlement,
  textBounds,
  toolCall,
  withdrawBody,
  z,
} from "../../src/protocol/index.ts";

export type JsonSchema = Record<string, unknown>;

/** What the documents call each shape. Everything else is written out where it is used. Frames carry parts, never bodies. */
const PARTS = {
  Card: card,
  Delivery: delivery,
  ErrorDetail: errorDetail,
  Evidence: evidence,
  Message: message,
  Outcome: outcome,
  Participant: participant,
  PermissionOption: permissionOption,
  RequestStatus: requestStatus,
  Settlement: settlement,
  ToolCall: toolCall,
};
const BODIES = {
  AckBody: ackBody,
  CreateRoom: createRoom,
  DecideBody: decideBody,
  EmptyBody: emptyBody,
  ErrorBody: errorBody,
  ExtendBody: extendBody,
  Health: health,
  HistoryRecord: historyRecord,
  InviteMinted: inviteMinted,
  JoinRoom: joinRoom,
  MintInvite: mintInvite,
  PermissionRequest: permissionRequest,
  RoomCreated: roomCreated,
  RoomJoined: roomJoined,
  RoomView: roomView,
  WithdrawBody: withdrawBody,
};
export type SchemaName = keyof typeof PARTS | keyof typeof BODIES;

const DESCRIPTIONS: Partial<Record<SchemaName, string>> = {
  Card: "The Room's record of one permission request, as shown to humans.",
  Delivery: "How far a settlement has come on its way to the resident; `at` is when it came there.",
  ErrorDetail: "A stable code, a sentence for people, and the facts that the code promises.",
  Evidence:
    "Whether a card carries its tool call whole (`inline`) or by reference; then `sha256` is that of the bytes behind `/tool-call`.",
  ExtendBody: "`expiresAt`: the deadline as its sender saw it.",
  Message: "Talk: never consent. `to` is attention, not privacy.",
  Outcome: "ACP `RequestPermissionOutcome`: the only thing that the agent may act on.",
  PermissionOption:
    "One option as the agent offered it. `optionId` is opaque and comes back byte for byte; extra fields are kept.",
  PermissionRequest: "The tool call and the exact options that the agent offered, in its order.",
  RequestStatus:
    "How one request stands. `outcome` and `settlement` are absent while it is pending.",
  RoomView: "The Room as one participant may see it. A resident sees its own cards only.",
  Settlement:
    "The one-way end of a card. `by` is there only where that human pressed that option or dismiss.",
  ToolCall: "ACP `ToolCallUpdate` as the agent sent it: only `toolCallId` is judged.",
};

/** The three directions of a frame. */
export const FRAMES = { human: humanFrame, resident: residentFrame, room: roomFrame };

/** `card_opened` is documented as `CardOpenedFrame`. */
export function frameName(type: string): string {
  const words = type.split("_").map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return `${words.join("")}Frame`;
}

/** The JSON Schemas of all bodies by name, which refer to each other below `prefix`. */
export function bodySchemas(prefix: string): Record<string, JsonSchema> {
  return describe({ ...PARTS, ...BODIES }, prefix);
}

/** The same of all frames, and of what they carry. */
export function frameSchemas(prefix: string): Record<string, JsonSchema> {
  const frames = Object.values(FRAMES).flatMap((union) =>
    union.options.map((option): [string, z.ZodType] => [
      frameName(option.shape.type.value),
      option,
    ]),
  );
  return describe({ ...PARTS, ...Object.fromEntries(frames) }, prefix);
}

function describe(named: Record<string, z.ZodType>, prefix: string): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string; description?: string }>();
  for (const [id, schema] of Object.entries(named)) {
    const description = DESCRIPTIONS[id as SchemaName];
    registry.add(schema, { id, ...(description === undefined ? {} : { description }) });
  }
  const { schemas } = z.toJSONSchema(registry, {
    ...AS_SENT,
    metadata: registry,
    uri: (id) => `${prefix}${id}`,
  });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, bare(schema)]));
}

/** As sent, before a name is cleaned; both sides ignore fields that they do not know. */
const AS_SENT = {
  io: "input",
  unrepresentable: "any",
  override: ({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: object }): void => {
    const behind = schemaBehind(zodSchema as z.ZodType);
    if (behind !== undefined) Object.assign(jsonSchema, bare(z.toJSONSchema(behind, AS_SENT)));
    const bounds = textBounds(zodSchema as z.ZodType);
    if (bounds !== undefined) Object.assign(jsonSchema, textSchema(bounds));
  },
} as const;

/** A text of so many bytes has at most as many characters, and one if it has any. */
function textSchema({ min, max }: { min: number; max: number }): JsonSchema {
  return {
    description: `Well-formed Unicode, ${min} to ${max} bytes of UTF-8.`,
    ...(min > 0 ? { minLength: 1 } : {}),
    maxLength: max,
  };
}

function bare(schema: object): JsonSchema {
  const { $schema: _, $id: _id, id: _name, ...rest } = schema as JsonSchema;
  return rest;
}
