import { isTitle, isToolKind, type Policy, TOOL_KINDS } from "./policy.ts";
import { isLooser, type Verdict } from "./verdict.ts";
import { type JudgedCall, ownVerdict, verdictFor } from "./verdict-for.ts";

export type Narrowing =
  | { narrows: true }
  /** There is a request for which this key of the launch policy says `to`, where the agent's policy says `from`. */
  | { narrows: false; key: string; from: Verdict; to: Verdict };

/**
 * Whether a launch policy, laid over the agent's, loosens nothing: over the keys of both and `default`. What it does not name it
 * does not change, so a more specific key that only the agent's has goes on to hold. The answer tells an operator of a mistake;
 * what holds each request is `judge`.
 */
export function checkNarrows(agent: Policy, launch: Policy, fallback: Verdict): Narrowing {
  const both: Policy = new Map([...agent, ...launch]);
  for (const key of both.keys()) {
    for (const call of callsNamedBy(key)) {
      const to = ownVerdict(launch, call);
      // Another key than in both together: one of the agent's is more specific.
      if (to === undefined || ownVerdict(both, call)?.key !== to.key) continue;
      const from = verdictFor(agent, call, fallback).verdict;
      if (isLooser(to.verdict, from)) {
        return { narrows: false, key: to.key, from, to: to.verdict };
      }
    }
  }
  return { narrows: true };
}

/** A request of each sort that a key can decide: one with a title has a kind or none. */
function callsNamedBy(key: string): JudgedCall[] {
  if (isTitle(key)) return [undefined, ...TOOL_KINDS].map((kind) => ({ title: key, kind }));
  return [isToolKind(key) ? { kind: key } : {}];
}
