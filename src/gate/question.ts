import {
  findJsonIssue,
  limits,
  permissionRequest,
  type PermissionOption,
  type PermissionRequest,
  utf8Bytes,
} from "../protocol/index.ts";

/** What people are asked: the fields of an ACP tool call, and the options that they get. */
export interface GateQuestion {
  title: string;
  /** A tool kind of ACP, such as `execute`. */
  kind?: string | undefined;
  rawInput?: unknown;
  /** ACP `ToolCallContent`: texts and diffs. */
  content?: readonly unknown[] | undefined;
  locations?: readonly { path: string; line?: number | undefined }[] | undefined;
  /** Default: `allow_once` "Allow once" and `reject_once` "Deny". */
  options?: readonly PermissionOption[] | undefined;
}

export const DEFAULT_OPTIONS: readonly PermissionOption[] = [
  { optionId: "allow_once", name: "Allow once", kind: "allow_once" },
  { optionId: "reject_once", name: "Deny", kind: "reject_once" },
];

/** How a question is asked. */
export interface AskSettings {
  /** How long people have to answer, in milliseconds; default: the Room's own. */
  expiresInMs?: number | undefined;
  /** How far people may extend that, in milliseconds. */
  maxExpiresInMs?: number | undefined;
  /** `withdraw`: with nobody there it ends at once (`no_human`); default `wait`. */
  ifNoHuman?: "wait" | "withdraw" | undefined;
}

export type WrittenQuestion =
  | { ok: true; request: PermissionRequest }
  /** The code with which the Room would refuse it. */
  | { ok: false; code: "invalid_request" | "payload_too_large" };

/** Writes down what is to be posted: a copy, so that whoever changes the question afterwards does not change what was asked. */
export function writeQuestion(
  { options = DEFAULT_OPTIONS, ...toolCall }: GateQuestion,
  { expiresInMs, maxExpiresInMs, ifNoHuman }: AskSettings,
): WrittenQuestion {
  const requestId: string = crypto.randomUUID();
  const request = {
    requestId,
    toolCall: { ...toolCall, toolCallId: requestId },
    options,
    expiresInMs,
    maxExpiresInMs,
    ifNoHuman,
  };
  const text = writeJson(request);
  if (text === undefined) return { ok: false, code: "invalid_request" };
  if (utf8Bytes(text) > limits.BODY_BYTES) return { ok: false, code: "payload_too_large" };
  const written = permissionRequest.safeParse(JSON.parse(text));
  return written.success
    ? { ok: true, request: written.data }
    : { ok: false, code: "invalid_request" };
}

/** Undefined for what JSON would change in silence, or cannot say at all. */
function writeJson(value: unknown): string | undefined {
  if (findJsonIssue(value, { depth: limits.BODY_DEPTH }) !== undefined) return undefined;
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
