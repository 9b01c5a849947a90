/** What a policy says of one request, loose to strict. */
export const VERDICTS = ["auto_allow", "ask", "auto_deny"] as const;
export type Verdict = (typeof VERDICTS)[number];

export function stricter(a: Verdict, b: Verdict): Verdict {
  return isLooser(a, b) ? b : a;
}

export function isLooser(a: Verdict, b: Verdict): boolean {
  return VERDICTS.indexOf(a) < VERDICTS.indexOf(b);
}

export function isVerdict(value: unknown): value is Verdict {
  return VERDICTS.some((verdict) => verdict === value);
}
