import { expect, test } from "vitest";
import {
  ABUSE_BACKOFF_MS,
  CARD_STATES,
  CLOSE,
  CREDENTIAL_KINDS,
  DELIVERY_STATES,
  ERROR_CODES,
  HISTORY_FORMATS,
  humanFrame,
  isTerminalClose,
  NO_HUMAN_POLICIES,
  OPTION_KINDS,
  outcome,
  PING,
  PONG,
  PROTOCOL_VERSION,
  RESIDENT_WITHDRAW_REASONS,
  residentFrame,
  residentWithdrawReason,
  ROLES,
  ROOM_WITHDRAW_REASONS,
  roomFrame,
  settlement,
  SUBPROTOCOL,
  TOKEN_SUBPROTOCOL_PREFIX,
  WITHDRAW_REASONS,
  withdrawReason,
} from "../../src/protocol/index.ts";

// Clients in the field know these sets by heart. To change one is to change the protocol.

test("error codes", () => {
  expect(ERROR_CODES).toEqual([
    "invalid_json",
    "invalid_request",
    "option_not_offered",
    "unauthorized",
    "human_only",
    "resident_only",
    "forbidden_host",
    "not_found",
    "room_not_found",
    "request_not_found",
    "participant_not_found",
    "method_not_allowed",
    "already_settled",
    "not_settled",
    "request_conflict",
    "not_extendable",
    "room_closed",
    "payload_too_large",
    "unsupported_media_type",
    "upgrade_required",
    "too_many_pending",
    "rate_limited",
    "room_full",
    "internal",
    "unavailable",
  ]);
});

test("close codes, and which of them are terminal", () => {
  expect(CLOSE).toEqual({
    frameTooLarge: 1009,
    replaced: 4000,
    roomClosed: 4001,
    unauthorized: 4003,
    roomNotFound: 4004,
    abuse: 4008,
    versionNotSpoken: 4010,
    limited: 4029,
  });
  const codes = Array.from({ length: 5000 }, (_, code) => code);
  expect(codes.filter(isTerminalClose)).toEqual([4000, 4001, 4003, 4004, 4010]);
  expect(ABUSE_BACKOFF_MS).toBe(30_000);
});

test("withdraw reasons, and whose they are", () => {
  const resident = [
    "turn_ended",
    "turn_cancelled",
    "request_cancelled",
    "tool_settled",
    "answered_elsewhere",
    "agent_ended",
    "resident_stopped",
    "resident_deadline",
  ];
  const room = [
    "resident_restarted",
    "resident_left",
    "resident_removed",
    "room_closed",
    "no_human",
  ];
  expect(RESIDENT_WITHDRAW_REASONS).toEqual(resident);
  expect(ROOM_WITHDRAW_REASONS).toEqual(room);
  expect(WITHDRAW_REASONS).toEqual([...resident, ...room]);
  expect(residentWithdrawReason.options).toEqual(resident);
  expect(withdrawReason.options).toEqual([...resident, ...room]);
});

test("card, settlement, outcome and delivery states", () => {
  expect(CARD_STATES).toEqual(["pending", "decided", "dismissed", "expired", "withdrawn"]);
  expect(settlement.options.map(({ shape }) => shape.state.value)).toEqual(CARD_STATES.slice(1));
  expect(outcome.options.map(({ shape }) => shape.outcome.value)).toEqual([
    "selected",
    "cancelled",
  ]);
  expect(DELIVERY_STATES).toEqual(["none", "waiting", "sent", "applied", "not_applied"]);
});

test("kinds, roles and the other small sets", () => {
  expect(OPTION_KINDS).toEqual(["allow_once", "allow_always", "reject_once", "reject_always"]);
  expect(CREDENTIAL_KINDS).toEqual(["hi", "ri", "ht", "rt"]);
  expect(ROLES).toEqual(["human", "resident"]);
  expect(NO_HUMAN_POLICIES).toEqual(["wait", "withdraw"]);
  expect(HISTORY_FORMATS).toEqual(["json", "jsonl", "csv"]);
  expect([PING, PONG]).toEqual(["ping", "pong"]);
  expect([SUBPROTOCOL, TOKEN_SUBPROTOCOL_PREFIX]).toEqual(["handraise.v1", "token."]);
  expect(PROTOCOL_VERSION).toBe(1);
});

test("frame types in each direction", () => {
  expect(roomFrame.options.map(({ shape }) => shape.type.value)).toEqual([
    "welcome",
    "participant_changed",
    "message_posted",
    "accepted",
    "rejected",
    "card_opened",
    "card_settled",
    "card_extended",
    "card_delivery",
    "decision",
  ]);
  expect(humanFrame.options.map(({ shape }) => shape.type.value)).toEqual([
    "decide",
    "dismiss",
    "extend",
    "say",
  ]);
  expect(residentFrame.options.map(({ shape }) => shape.type.value)).toEqual([
    "request",
    "decision_ack",
    "withdraw",
    "resume",
    "say",
  ]);
});
