import type { PermissionOption } from "../protocol/index.ts";

/** What an outcome means to whoever runs the tool. `approve` is the only one that runs anything. */
export type GateReply =
  | { kind: "approve"; scope?: "always" }
  /** A person refused: no other reply says so. */
  | { kind: "reject"; scope?: "always"; message: string }
  /** Nobody's answer, and nothing more is known. */
  | { kind: "teardown" }
  /** Answered, but not in words that are known here. */
  | { kind: "unreadable"; message: string };

/**
 * Reads an ACP `RequestPermissionOutcome` against the options that were offered: the only place where one is read. Takes
 * anything, never throws, and approves only an exact selection of an option that was offered once and whose kind allows.
 */
export function decisionForOutcome(
  outcome: unknown,
  offered: readonly Pick<PermissionOption, "optionId" | "kind">[],
): GateReply {
  try {
    return readOutcome(outcome, offered);
  } catch {
    return unreadable("The answer could not be read.");
  }
}

function readOutcome(outcome: unknown, offered: unknown): GateReply {
  const said = ownText(outcome, "outcome");
  if (said === "cancelled") return { kind: "teardown" };
  if (said !== "selected") return unreadable("The answer is neither a selection nor cancelled.");
  const optionId = ownText(outcome, "optionId");
  if (optionId === undefined) return unreadable("The answer selects no option.");
  if (!Array.isArray(offered)) return unreadable("No options were offered.");
  const ids = offered.map((option: unknown) => ownText(option, "optionId"));
  if (new Set(ids).size < ids.length) {
    return unreadable("One option was offered twice, so that the answer can mean either.");
  }
  const at = ids.indexOf(optionId);
  if (at < 0) return unreadable("The answer selects an option that was not offered.");
  return replyOfKind(ownText(offered[at], "kind"));
}

function replyOfKind(kind: string | undefined): GateReply {
  switch (kind) {
    case "allow_once":
      return { kind: "approve" };
    case "allow_always":
      return { kind: "approve", scope: "always" };
    case "reject_once":
      return { kind: "reject", message: "A person refused this." };
    case "reject_always":
      return {
        kind: "reject",
        scope: "always",
        message: "A person refused this, now and from now on.",
      };
    default:
      return unreadable("The selected option is of a kind that is not known here.");
  }
}

/** What is inherited was not said. */
function ownText(value: unknown, name: string): string | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  const text: unknown = Reflect.get(value, name);
  return typeof text === "string" ? text : undefined;
}

function unreadable(message: string): GateReply {
  return { kind: "unreadable", message };
}
