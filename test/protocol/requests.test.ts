import { expect, test } from "vitest";
import {
  humanFrame,
  limits,
  permissionRequest,
  residentFrame,
  RESIDENT_WITHDRAW_REASONS,
  ROOM_WITHDRAW_REASONS,
  toolCall,
  withdrawBody,
} from "../../src/protocol/index.ts";

const request = {
  requestId: "request-1",
  toolCall: { toolCallId: "t1" },
  options: [{ optionId: "allow", name: "Allow" }],
};
const accepts = (more: object) => permissionRequest.safeParse({ ...request, ...more }).success;

test.each(["12345678", "A".repeat(64), "a._:-zZ9"])("%s is a request id", (requestId) => {
  expect(accepts({ requestId })).toBe(true);
});

test.each([
  "",
  "1234567",
  "A".repeat(65),
  "-2345678",
  ".2345678",
  "12345678\n",
  "12345 78",
  "1234567é",
  "../../../../x",
  12345678,
  null,
])("%j is no request id", (requestId) => {
  expect(accepts({ requestId })).toBe(false);
});

test("a tool call is an object with a toolCallId of 1 to 512 bytes, and nothing else of it is judged", () => {
  const takes = (value: unknown) => toolCall.safeParse(value).success;
  expect(takes({ toolCallId: "é".repeat(256) })).toBe(true);
  expect(takes({ toolCallId: "é".repeat(256) + "x" })).toBe(false);
  expect(takes({ toolCallId: "" })).toBe(false);
  expect(takes({ toolCallId: 1 })).toBe(false);
  expect(takes({ title: "no id" })).toBe(false);
  for (const value of [null, undefined, [], "t1", 1]) expect(takes(value)).toBe(false);
  expect(takes({ toolCallId: "t", title: 7, kind: {}, content: "x", locations: null })).toBe(true);
});

test.each(["toolCall", "options", "requestId"])("a request without %s is refused", (field) => {
  const result = permissionRequest.safeParse({ ...request, [field]: undefined });
  expect(result.error?.issues[0]?.path).toEqual([field]);
});

test("an issue within the tool call or an option says where it is", () => {
  const bad = {
    ...request,
    toolCall: { toolCallId: "t", rawInput: { command: ["ok", "\ud800"] } },
    options: [...request.options, { optionId: "", name: "" }],
  };
  const paths = permissionRequest.safeParse(bad).error?.issues.map(({ path }) => path.join("."));
  expect(paths?.sort()).toEqual(["options.1.optionId", "toolCall.rawInput.command.1"]);
});

test("durations are whole and not negative; the Room clamps the rest", () => {
  for (const field of ["expiresInMs", "maxExpiresInMs"]) {
    for (const ms of [0, 1, 86_400_001, Number.MAX_SAFE_INTEGER]) {
      expect(accepts({ [field]: ms })).toBe(true);
    }
    for (const ms of [-1, 0.5, Number.NaN, Infinity, 2 ** 53, "1000", null]) {
      expect(accepts({ [field]: ms })).toBe(false);
    }
  }
});

test("turnId, ifNoHuman and ref at their bounds", () => {
  expect(accepts({ turnId: "t".repeat(64) })).toBe(true);
  expect(accepts({ turnId: "t".repeat(65) })).toBe(false);
  expect(accepts({ ifNoHuman: "wait" })).toBe(true);
  expect(accepts({ ifNoHuman: "allow" })).toBe(false);
  const dismiss = { type: "dismiss", requestId: "request-1" };
  expect(humanFrame.safeParse({ ...dismiss, ref: "é".repeat(32) }).success).toBe(true);
  expect(humanFrame.safeParse({ ...dismiss, ref: "é".repeat(32) + "x" }).success).toBe(false);
  expect(humanFrame.safeParse({ ...dismiss, ref: 1 }).success).toBe(false);
});

test("a message has 1 to 4 000 bytes", () => {
  const says = (text: string) => humanFrame.safeParse({ type: "say", text }).success;
  expect(says("")).toBe(false);
  expect(says("x")).toBe(true);
  expect(says("é".repeat(2000))).toBe(true);
  expect(says("é".repeat(2000) + "x")).toBe(false);
});

test("a resident resumes up to 256 of each", () => {
  const parked = (count: number) => Array.from({ length: count }, (_, n) => `request-${n}`);
  const answered = (count: number) =>
    parked(count).map((requestId) => ({ requestId, applied: true }));
  const resumes = (frame: object) => residentFrame.safeParse({ type: "resume", ...frame }).success;
  expect(limits.RESUME_IDS).toBe(256);
  expect(resumes({ parked: parked(256), answered: answered(256) })).toBe(true);
  expect(resumes({ parked: parked(257), answered: [] })).toBe(false);
  expect(resumes({ parked: [], answered: answered(257) })).toBe(false);
});

test("a resident may send its own withdraw reasons and none of the Room's", () => {
  for (const reason of RESIDENT_WITHDRAW_REASONS) {
    expect(withdrawBody.safeParse({ reason }).success).toBe(true);
  }
  for (const reason of [...ROOM_WITHDRAW_REASONS, "", "denied", undefined]) {
    expect(withdrawBody.safeParse({ reason }).success).toBe(false);
  }
});

test("no frame of one role is read as the other's", () => {
  expect(residentFrame.safeParse({ type: "dismiss", requestId: "request-1" }).success).toBe(false);
  expect(humanFrame.safeParse({ type: "request", ...request }).success).toBe(false);
});
