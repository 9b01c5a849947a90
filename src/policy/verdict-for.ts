import {
  DEFAULT_KEY,
  EMPTY_POLICY,
  isTitle,
  isToolKind,
  type Policy,
  SWITCH_MODE,
} from "./policy.ts";
import { asVerdict, isLooser, type Verdict } from "./verdict.ts";

/** What of a request a policy looks at; both are the agent's words and may be anything. */
export interface JudgedCall {
  title?: unknown;
  kind?: unknown;
}

export interface KeyedVerdict {
  verdict: Verdict;
  /** The key that decided; undefined where none matched. */
  key: string | undefined;
}

/** What a policy itself says of a request, most specific first: title, kind, `default`. Undefined where nothing in it matches. */
export function ownVerdict(
  policy: Policy,
  { title, kind }: JudgedCall,
): { verdict: Verdict; key: string } | undefined {
  const switchesMode = kind === SWITCH_MODE;
  const byTitle = isTitle(title) ? lookUp(policy, title) : undefined;
  // Where a mode is switched, a title that would allow is passed over: a key that is the agent's own words must not switch asking off.
  if (isTitle(title) && byTitle !== undefined && !(switchesMode && byTitle === "auto_allow")) {
    return { verdict: byTitle, key: title };
  }
  const byKind = isToolKind(kind) ? lookUp(policy, kind) : undefined;
  if (isToolKind(kind) && byKind !== undefined) return { verdict: byKind, key: kind };
  const byDefault = lookUp(policy, DEFAULT_KEY);
  if (byDefault === undefined) return undefined;
  return { verdict: switchesMode ? askAtLeast(byDefault) : byDefault, key: DEFAULT_KEY };
}

/** What a policy says of a request, and `fallback` where it says nothing. `switch_mode` is only ever allowed by its own key. */
export function verdictFor(policy: Policy, call: JudgedCall, fallback: Verdict): KeyedVerdict {
  const own = ownVerdict(policy, call);
  if (own !== undefined) return own;
  const verdict = asVerdict(fallback);
  return { verdict: call.kind === SWITCH_MODE ? askAtLeast(verdict) : verdict, key: undefined };
}

export interface Policies {
  agent?: Policy | undefined;
  /** Of one launch: it can only narrow. */
  launch?: Policy | undefined;
}

/** `policy`: whose verdict it is; with two that are equal, the agent's. */
export interface JudgedVerdict extends KeyedVerdict {
  policy: "agent" | "launch";
}

/** The stricter of the two policies' own verdicts for that request. What the launch policy does not name it does not change. */
export function judge(
  { agent = EMPTY_POLICY, launch = EMPTY_POLICY }: Policies,
  call: JudgedCall,
  fallback: Verdict,
): JudgedVerdict {
  const byAgent = verdictFor(agent, call, fallback);
  const byLaunch = ownVerdict(launch, call);
  return byLaunch !== undefined && isLooser(byAgent.verdict, byLaunch.verdict)
    ? { policy: "launch", ...byLaunch }
    : { policy: "agent", ...byAgent };
}

function lookUp(policy: Policy, key: string): Verdict | undefined {
  return policy.has(key) ? asVerdict(policy.get(key)) : undefined;
}

function askAtLeast(verdict: Verdict): Verdict {
  return verdict === "auto_allow" ? "ask" : verdict;
}
