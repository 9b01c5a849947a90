import type { PermissionOption } from "../../protocol/index.ts";
import { lookOf, spellLatin } from "./look-alikes.ts";

/** What an option's kind says. An unknown one counts as allowing for every safeguard. */
export type KindWord = "allow_once" | "allow_always" | "reject_once" | "reject_always" | "unknown";

export function readKind(option: PermissionOption): KindWord {
  switch (option.kind) {
    case "allow_once":
    case "allow_always":
    case "reject_once":
    case "reject_always":
      return option.kind;
    default:
      return "unknown";
  }
}

export function refuses(kind: KindWord): boolean {
  return kind === "reject_once" || kind === "reject_always";
}

/** Whether some option refuses: where none does, the page adds its own way to. */
export function canRefuse(options: readonly PermissionOption[]): boolean {
  return options.some((option) => refuses(readKind(option)));
}

/** The agent may remember it: takes a second press. */
export function isDurable(kind: KindWord): boolean {
  return kind === "allow_always" || kind === "reject_always";
}

const SOUNDS_REFUSING =
  /^[\W\d]*(no|nope|reject|deny|denied|refuse|cancel|abort|stop|never|don['’]?t|do not|decline|block|disallow|skip|dismiss)\b/i;
const SOUNDS_ALLOWING =
  /^[\W\d]*(yes|ok|okay|allow|approve|accept|proceed|continue|always|run|go|permit|confirm|grant)\b/i;

/** Whether an option is named like the opposite of its kind. */
export function claimsAnotherKind(option: PermissionOption): boolean {
  const kind = readKind(option);
  if (kind === "unknown") return false;
  const claim = refuses(kind) ? SOUNDS_ALLOWING : SOUNDS_REFUSING;
  return claim.test(option.name) || claim.test(spellLatin(option.name));
}

/** Options whose names look equal to another's: their ids stand beside them. */
export function equallyNamed(options: readonly PermissionOption[]): ReadonlySet<string> {
  const byName = Map.groupBy(options, (option) => lookOf(option.name));
  const equal = [...byName.values()].filter((group) => group.length > 1).flat();
  return new Set(equal.map((option) => option.optionId));
}
