import { HISTORY_FORMATS, limits } from "../../src/protocol/index.ts";
import * as example from "./examples.ts";
import {
  ANY,
  BODY,
  COUNTED,
  CREDENTIAL,
  EMPTY,
  HUMAN,
  json,
  named,
  PARTICIPANT,
  RESIDENT,
  type Operation,
  type Success,
} from "./operation.ts";

function status(description: string, examples: Record<string, unknown>): Success {
  return { description, content: json("RequestStatus", examples) };
}

/** Permission requests, from asking to the record. */
export const PERMISSION_OPERATIONS: readonly Operation[] = [
  {
    method: "post",
    path: "/api/room/permissions/request",
    id: "requestPermission",
    summary: "Ask the people in the Room",
    description:
      "Safe to repeat: the same id with the same content is answered with its status, settled or not, and opens nothing twice.",
    bearers: RESIDENT,
    body: {
      schema: named("PermissionRequest"),
      examples: { whole: example.permissionRequest, least: example.leastRequest },
    },
    successes: {
      200: status("A repeat.", { repeated: example.repeatedStatus }),
      201: status("A card is open.", { opened: example.pendingStatus }),
    },
    errors: [
      ...ANY,
      ...COUNTED,
      ...BODY,
      "resident_only",
      "request_conflict",
      "too_many_pending",
      "room_full",
    ],
  },
  {
    method: "get",
    path: "/api/room/permissions/{requestId}",
    id: "getPermission",
    summary: "How a request stands",
    description: "To a resident, another's request looks unknown.",
    bearers: PARTICIPANT,
    query: {
      name: "waitMs",
      description: `Answer only when the request settles or so many milliseconds have passed; more than ${limits.WAIT_MAX_MS} counts as that.`,
      schema: { type: "integer", minimum: 0, maximum: 999_999_999, default: 0 },
      example: 20_000,
    },
    successes: {
      200: status("Its status.", {
        pending: example.pendingStatus,
        decided: example.fetchedStatus,
      }),
    },
    errors: [...ANY, ...COUNTED, "invalid_request", "request_not_found"],
  },
  {
    method: "get",
    path: "/api/room/permissions/{requestId}/tool-call",
    id: "getToolCall",
    summary: "The whole tool call of a card",
    description:
      "The very bytes whose SHA-256 the card's evidence names. Gone (`request_not_found`) once the Room had to drop it after settlement.",
    bearers: HUMAN,
    successes: {
      200: {
        description: "The tool call.",
        content: json("ToolCall", { execute: example.TOOL_CALL }),
      },
    },
    errors: [...ANY, ...COUNTED, "human_only", "request_not_found"],
  },
  {
    method: "post",
    path: "/api/room/permissions/{requestId}/decide",
    id: "decide",
    summary: "Choose one of the offered options",
    description:
      "The first valid decision settles the card. A repeat of your own winning one is a success, any other is `already_settled`.",
    bearers: HUMAN,
    body: {
      schema: named("DecideBody"),
      examples: { allow: { optionId: example.allowOnce.optionId } },
    },
    successes: { 200: status("Decided, by you.", { decided: example.decidedStatus }) },
    errors: [
      ...ANY,
      ...COUNTED,
      ...BODY,
      "human_only",
      "request_not_found",
      "option_not_offered",
      "already_settled",
    ],
  },
  {
    method: "post",
    path: "/api/room/permissions/{requestId}/dismiss",
    id: "dismiss",
    summary: "Refuse without choosing an option",
    description: "The agent is told `cancelled`.",
    bearers: HUMAN,
    body: EMPTY,
    successes: { 200: status("Dismissed, by you.", { dismissed: example.dismissedStatus }) },
    errors: [...ANY, ...COUNTED, ...BODY, "human_only", "request_not_found", "already_settled"],
  },
  {
    method: "post",
    path: "/api/room/permissions/{requestId}/extend",
    id: "extend",
    summary: "Give more time",
    description:
      "Names the deadline that you saw: if it has moved since, nothing changes. The new one is the request's own time later, up to its `maxExpiresAt`.",
    bearers: HUMAN,
    body: { schema: named("ExtendBody"), examples: { seen: { expiresAt: example.EXPIRES_AT } } },
    successes: { 200: status("The deadline as it is now.", { extended: example.extendedStatus }) },
    errors: [
      ...ANY,
      ...COUNTED,
      ...BODY,
      "human_only",
      "request_not_found",
      "already_settled",
      "not_extendable",
    ],
  },
  {
    method: "post",
    path: "/api/room/permissions/{requestId}/withdraw",
    id: "withdraw",
    summary: "Take a request back",
    description:
      "Also for an id that the Room does not know yet: the request, should it still arrive, opens no card.",
    bearers: RESIDENT,
    body: { schema: named("WithdrawBody"), examples: { turnEnded: { reason: "turn_ended" } } },
    successes: { 200: status("Withdrawn.", { withdrawn: example.withdrawnStatus }) },
    errors: [
      ...ANY,
      ...CREDENTIAL,
      ...BODY,
      "resident_only",
      "request_not_found",
      "already_settled",
    ],
  },
  {
    method: "post",
    path: "/api/room/permissions/{requestId}/ack",
    id: "acknowledge",
    summary: "Say whether the agent was given the outcome",
    bearers: RESIDENT,
    body: { schema: named("AckBody"), examples: { applied: { applied: true } } },
    successes: { 200: status("Noted.", { applied: example.appliedStatus }) },
    errors: [...ANY, ...CREDENTIAL, ...BODY, "resident_only", "request_not_found", "not_settled"],
  },
  {
    method: "get",
    path: "/api/room/history",
    id: "getHistory",
    summary: "Every settled card, oldest first",
    bearers: HUMAN,
    query: {
      name: "format",
      description: "`csv` has a column for every scalar and none for the options.",
      schema: { type: "string", enum: [...HISTORY_FORMATS], default: "json" },
      example: "jsonl",
    },
    successes: {
      200: {
        description: "The records, streamed as a download.",
        content: {
          "application/json": {
            schema: { type: "array", items: named("HistoryRecord") },
            examples: { json: [example.historyRecord] },
          },
          "application/jsonl": {
            schema: { type: "string", description: "One HistoryRecord a line." },
          },
          "text/csv": { schema: { type: "string", description: "With a line of names." } },
        },
      },
    },
    errors: [...ANY, ...COUNTED, "human_only", "invalid_request"],
  },
];
