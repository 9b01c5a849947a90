import type { PermissionOption } from "../protocol/index.ts";

type Offered = Pick<PermissionOption, "optionId" | "kind">;

/**
 * `once`: the only offered `allow_once`. `always`: the first `allow_always`, else the first `allow_once`, else the first option.
 * Anything else counts as `once`.
 */
export type Preference = "always" | "once";

/** The offered option that answers an `auto_allow`; undefined counts as `ask`. */
export function chooseAllow(options: readonly Offered[], prefer: Preference): string | undefined {
  if (!areDistinct(options)) return undefined;
  const once = options.filter(({ kind }) => kind === "allow_once");
  if (prefer !== "always") return once.length === 1 ? once[0]?.optionId : undefined;
  const always = options.find(({ kind }) => kind === "allow_always");
  return (always ?? once[0] ?? options[0])?.optionId;
}

/** The offered option that answers an `auto_deny`; undefined counts as `cancelled`. */
export function chooseDeny(options: readonly Offered[]): string | undefined {
  if (!areDistinct(options)) return undefined;
  const once = options.find(({ kind }) => kind === "reject_once");
  const always = options.find(({ kind }) => kind === "reject_always");
  return (once ?? always)?.optionId;
}

/** An id that two options share says neither. */
function areDistinct(options: readonly Offered[]): boolean {
  return new Set(options.map(({ optionId }) => optionId)).size === options.length;
}
