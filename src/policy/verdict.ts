/** What a policy says of one request, loose to strict. */
export const VERDICTS = ["auto_allow", "ask", "auto_deny"] as const;
export type Verdict = (typeof VERDICTS)[number];

export function stricter(a: Verdict, b: Verdict): Verdict {
  return asVerdict(isLooser(a, b) ? b : a);
}

export function isLooser(a: Verdict, b: Verdict): boolean {
  return VERDICTS.indexOf(asVerdict(a)) < VERDICTS.indexOf(asVerdict(b));
}

/** What is no verdict counts as `auto_deny`: types do not hold what a caller read from somewhere. */
export function asVerdict(value: unknown): Verdict {
  return isVerdict(value) ? value : "auto_deny";
}

export function isVerdict(value: unknown): value is Verdict {
  return VERDICTS.some((verdict) => verdict === value);
}
