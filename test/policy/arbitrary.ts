import * as fc from "fast-check";
import { type JudgedCall, type Policy, TOOL_KINDS, VERDICTS } from "../../src/policy/index.ts";

/** Words that mean something to a policy or to JavaScript. */
export const RESERVED = [
  ...TOOL_KINDS,
  "default",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "auto_allow",
  "",
];
/** Few, so that keys and titles meet. */
const TITLES = ["npm test", "npm  test", "NPM TEST", "rm -rf /"];

export const word = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...RESERVED) },
  { weight: 3, arbitrary: fc.constantFrom(...TITLES) },
  { weight: 1, arbitrary: fc.string() },
);
export const verdict = fc.constantFrom(...VERDICTS);
export const policy: fc.Arbitrary<Policy> = fc
  .array(fc.tuple(word, verdict), { maxLength: 8 })
  .map((entries) => new Map(entries));
const said = fc.oneof(
  { weight: 8, arbitrary: word },
  { weight: 1, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.anything() },
);
export const call: fc.Arbitrary<JudgedCall> = fc.record({ title: said, kind: said });

/** Every request that these words can make. */
export function callsOf(words: Iterable<string>): JudgedCall[] {
  const titles = [undefined, "a title that no policy names", ...words];
  const kinds = [undefined, ...TOOL_KINDS];
  return titles.flatMap((title) => kinds.map((kind) => ({ title, kind })));
}

export function isLooser(a: string, b: string): boolean {
  const order: readonly string[] = VERDICTS;
  return order.indexOf(a) < order.indexOf(b);
}
