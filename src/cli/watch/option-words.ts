import type { PermissionOption } from "../../protocol/index.ts";
import { visibleInLine } from "./visible-lines.ts";

const KIND_WORDS: ReadonlyMap<string, string> = new Map([
  ["allow_once", "allows once"],
  ["allow_always", "allows and may be remembered by the agent"],
  ["reject_once", "refuses once"],
  ["reject_always", "refuses and may be remembered"],
]);

/** What an option's kind says, in our words. */
export function kindWords({ kind }: PermissionOption): string {
  if (kind === undefined) return "kind not known";
  return KIND_WORDS.get(kind) ?? `kind not known: ${visibleInLine(kind)}`;
}

/** Whether it refuses for certain. An unknown kind counts as allowing for every safeguard. */
export function refuses({ kind }: PermissionOption): boolean {
  return kind === "reject_once" || kind === "reject_always";
}

/** The agent may remember it: it is asked once more. */
export function isDurable({ kind }: PermissionOption): boolean {
  return kind === "allow_always" || kind === "reject_always";
}

/** An option's own name. */
export function optionName({ name }: PermissionOption): string {
  return name.trim() === "" ? "unnamed option" : visibleInLine(name);
}

/** Options whose names look equal to another's: their ids stand beside them. */
export function equallyNamed(options: readonly PermissionOption[]): ReadonlySet<string> {
  const byName = Map.groupBy(options, ({ name }) =>
    name
      .normalize("NFKC")
      .replace(/[\p{Cc}\p{Cf}\p{DI}\s]+/gu, " ")
      .trim()
      .toLowerCase(),
  );
  const equal = [...byName.values()].filter((group) => group.length > 1).flat();
  return new Set(equal.map((option) => option.optionId));
}
