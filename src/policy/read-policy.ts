import { limits, utf8Bytes } from "../protocol/index.ts";
import { isTitle, type Policy, SWITCH_MODE } from "./policy.ts";
import { repeatedKey } from "./repeated-key.ts";
import { asVerdict, isVerdict, type Verdict, VERDICTS } from "./verdict.ts";

export const POLICY_KEYS = 500;
/** Of one key, in UTF-8 bytes. */
export const POLICY_KEY_BYTES = 2048;

export type ReadPolicy =
  /** `warnings`: what the operator may not have meant, a sentence each. */
  { ok: true; policy: Policy; warnings: string[] } | { ok: false; problem: string };

/** Reads the text of a policy file. A key written twice is a problem: JSON would silently keep the last. */
export function parsePolicy(text: string): ReadPolicy {
  if (text.length > limits.BODY_BYTES) return refuse("it is too large");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse("it is not JSON");
  }
  const read = readPolicy(value);
  if (!read.ok) return read;
  const twice = repeatedKey(text);
  return twice === undefined ? read : refuse(`the key ${JSON.stringify(twice)} stands there twice`);
}

/** Reads a policy: an object, key → verdict. What is no verdict counts as `auto_deny`. */
export function readPolicy(value: unknown): ReadPolicy {
  // Said of a Map, an array or a Date too that it is no object: none of their entries would count.
  if (Object.prototype.toString.call(value) !== "[object Object]") {
    return refuse("it is not a JSON object");
  }
  const entries = Object.entries(value as object);
  if (entries.length > POLICY_KEYS) return refuse(`it has more than ${POLICY_KEYS} keys`);
  const policy = new Map<string, Verdict>();
  const warnings: string[] = [];
  for (const [key, said] of entries) {
    if (utf8Bytes(key) > POLICY_KEY_BYTES) {
      return refuse(`a key is longer than ${POLICY_KEY_BYTES} bytes`);
    }
    const verdict = asVerdict(said);
    policy.set(key, verdict);
    const warning = isVerdict(said) ? warnOfAllowing(key, verdict) : warnOfUnknown(key);
    if (warning !== undefined) warnings.push(warning);
  }
  return { ok: true, policy, warnings };
}

function warnOfUnknown(key: string): string {
  return `${JSON.stringify(key)}: not a verdict, so it counts as auto_deny. A verdict is one of ${VERDICTS.join(", ")}.`;
}

function warnOfAllowing(key: string, verdict: Verdict): string | undefined {
  if (verdict !== "auto_allow") return undefined;
  if (key === SWITCH_MODE) {
    return `"${SWITCH_MODE}": auto_allow lets the agent enter a mode in which it no longer asks.`;
  }
  if (!isTitle(key)) return undefined;
  return (
    `${JSON.stringify(key)}: not a tool kind, so it allows whatever carries this title. ` +
    "A title is the agent's own words, and any call may carry it."
  );
}

function refuse(what: string): ReadPolicy {
  return { ok: false, problem: `Not a policy: ${what}.` };
}
