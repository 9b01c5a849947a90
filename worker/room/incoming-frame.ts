import {
  anyFrame,
  findJsonIssue,
  humanFrame,
  type HumanFrame,
  limits,
  residentFrame,
  type ResidentFrame,
  type Role,
  utf8Bytes,
} from "../../src/protocol/index.ts";
import { invalidRequest, issuesOf } from "../invalid-request.ts";
import * as refusals from "./refusals.ts";
import { refused, type RoomReply } from "./reply.ts";

/** A frame that its sender may send, or the refusal of it. `ref` goes into either answer. */
export type IncomingFrame =
  | { ok: true; ref: string | undefined; frame: HumanFrame | ResidentFrame }
  | { ok: false; ref: string | undefined; reply: RoomReply };

const SCHEMAS = { human: humanFrame, resident: residentFrame };

/** Reads one text message of a participant in `role`. */
export function readFrame(text: string, role: Role): IncomingFrame {
  const value = parseJson(text);
  if (value === undefined) return { ok: false, ref: undefined, reply: refusals.invalidJson() };
  const ref = refOf(value);
  const refuse = (reply: RoomReply): IncomingFrame => ({ ok: false, ref, reply });
  const issue = findJsonIssue(value, { depth: limits.BODY_DEPTH });
  if (issue !== undefined) return refuse(refused(invalidRequest([issue])));
  const typed = anyFrame.safeParse(value);
  if (!typed.success) return refuse(refused(invalidRequest(issuesOf(typed.error))));
  if (!hasType(role, typed.data.type)) {
    return refuse(
      hasType(other(role), typed.data.type)
        ? role === "human"
          ? refusals.residentOnly()
          : refusals.humanOnly()
        : refused(invalidRequest([{ path: ["type"], message: "no such frame type" }])),
    );
  }
  const parsed = SCHEMAS[role].safeParse(value);
  if (!parsed.success) return refuse(refused(invalidRequest(issuesOf(parsed.error))));
  return { ok: true, ref, frame: parsed.data };
}

function other(role: Role): Role {
  return role === "human" ? "resident" : "human";
}

function hasType(role: Role, type: string): boolean {
  return SCHEMAS[role].options.some((option) => option.shape.type.value === type);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function refOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("ref" in value)) return undefined;
  const { ref } = value;
  const isUsable =
    typeof ref === "string" && ref.isWellFormed() && utf8Bytes(ref) <= limits.REF_BYTES;
  return isUsable ? ref : undefined;
}
