import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  EMPTY_POLICY,
  type JudgedCall,
  parsePolicy,
  type Policy,
  stricter,
  TOOL_KINDS,
  type Verdict,
  verdictFor,
  VERDICTS,
} from "../../src/policy/index.ts";
import { call, policy, RESERVED, verdict, word } from "./arbitrary.ts";

function policyOf(entries: Record<string, Verdict>): Policy {
  const read = parsePolicy(JSON.stringify(entries));
  if (!read.ok) throw new Error(read.problem);
  return read.policy;
}

test("verdicts in order, and the stricter of any two", () => {
  expect(VERDICTS).toEqual(["auto_allow", "ask", "auto_deny"]);
  for (const [i, a] of VERDICTS.entries()) {
    for (const [j, b] of VERDICTS.entries()) expect(stricter(a, b)).toBe(VERDICTS[Math.max(i, j)]);
  }
});

test("what is no verdict counts as auto_deny, wherever it stands", () => {
  const bogus = "deny" as Verdict;
  for (const verdict of VERDICTS) {
    expect(stricter(bogus, verdict)).toBe("auto_deny");
    expect(stricter(verdict, bogus)).toBe("auto_deny");
  }
  for (const value of [bogus, undefined as unknown as Verdict]) {
    const broken: Policy = new Map([["read", value]]);
    expect(verdictFor(broken, { kind: "read" }, "auto_allow").verdict).toBe("auto_deny");
  }
  expect(verdictFor(EMPTY_POLICY, { kind: "read" }, bogus).verdict).toBe("auto_deny");
  expect(verdictFor(EMPTY_POLICY, { kind: "switch_mode" }, bogus).verdict).toBe("auto_deny");
});

describe("most specific first: title, kind, default, fallback", () => {
  const WHOLE = policyOf({ "npm test": "auto_allow", execute: "auto_deny", default: "ask" });

  test.each<[string, Policy, JudgedCall, Verdict, string | undefined]>([
    ["its title", WHOLE, { title: "npm test", kind: "execute" }, "auto_allow", "npm test"],
    ["its title without a kind", WHOLE, { title: "npm test" }, "auto_allow", "npm test"],
    ["its kind", WHOLE, { title: "npm run build", kind: "execute" }, "auto_deny", "execute"],
    [
      "a title is compared exactly",
      WHOLE,
      { title: "npm test ", kind: "execute" },
      "auto_deny",
      "execute",
    ],
    ["default", WHOLE, { title: "Read a file", kind: "read" }, "ask", "default"],
    ["default, of a kind that ACP does not name", WHOLE, { kind: "deploy" }, "ask", "default"],
    ["default, where nothing is said", WHOLE, {}, "ask", "default"],
    [
      "default, where what is said is no text",
      WHOLE,
      { title: ["npm test"], kind: 7 },
      "ask",
      "default",
    ],
    ["fallback", policyOf({ execute: "ask" }), { kind: "read" }, "auto_deny", undefined],
    [
      "a kind does not match a title",
      policyOf({ deploy: "auto_allow" }),
      { kind: "deploy" },
      "auto_deny",
      undefined,
    ],
  ])("%s", (_, policy, call, verdict, key) => {
    expect(verdictFor(policy, call, "auto_deny")).toEqual({ verdict, key });
  });

  test.each([...TOOL_KINDS, "default"])("a call titled %j is not matched by that key", (title) => {
    const allowing = policyOf({ [title]: "auto_allow" });
    for (const kind of [undefined, "deploy", title === "execute" ? "edit" : "execute"]) {
      const byKey = title === "default" ? "default" : undefined;
      expect(verdictFor(allowing, { title, kind }, "auto_deny").key).toBe(byKey);
    }
  });
});

describe("switch_mode is allowed by its own key alone", () => {
  test.each<[string, Record<string, Verdict>, Verdict, Verdict, string | undefined]>([
    ["its own key", { switch_mode: "auto_allow" }, "ask", "auto_allow", "switch_mode"],
    ["default", { default: "auto_allow" }, "auto_allow", "ask", "default"],
    ["fallback", {}, "auto_allow", "ask", undefined],
    ["its title", { "Leave plan mode": "auto_allow" }, "auto_allow", "ask", undefined],
    [
      "its title before a default",
      { "Leave plan mode": "auto_allow", default: "auto_deny" },
      "ask",
      "auto_deny",
      "default",
    ],
    [
      "its title before its own key",
      { "Leave plan mode": "auto_allow", switch_mode: "auto_deny" },
      "ask",
      "auto_deny",
      "switch_mode",
    ],
    [
      "a stricter title before its own key",
      { "Leave plan mode": "ask", switch_mode: "auto_allow" },
      "auto_deny",
      "ask",
      "Leave plan mode",
    ],
    ["a default that denies", { default: "auto_deny" }, "auto_allow", "auto_deny", "default"],
  ])("%s", (_, entries, fallback, verdict, key) => {
    const call = { title: "Leave plan mode", kind: "switch_mode" };
    expect(verdictFor(policyOf(entries), call, fallback)).toEqual({ verdict, key });
  });

  test("whatever else a policy says", () => {
    fc.assert(
      fc.property(policy, call, verdict, (policy, { title }, fallback) => {
        const found = verdictFor(policy, { title, kind: "switch_mode" }, fallback);
        expect(found.verdict !== "auto_allow" || found.key === "switch_mode").toBe(true);
      }),
    );
  });
});

test("no title loosens anything, unless the operator wrote that very title", () => {
  fc.assert(
    fc.property(policy, word, call, verdict, (policy, title, { kind }, fallback) => {
      const isWritten = policy.has(title) && title !== "default" && !isKind(title);
      fc.pre(!isWritten);
      expect(verdictFor(policy, { title, kind }, fallback)).toEqual(
        verdictFor(policy, { kind }, fallback),
      );
    }),
  );
});

test("a title that is written decides for itself alone", () => {
  for (const title of RESERVED.filter((word) => word !== "default" && !isKind(word))) {
    const read = parsePolicy(`{${JSON.stringify(title)}: "auto_deny"}`);
    if (!read.ok) throw new Error(read.problem);
    for (const other of RESERVED) {
      const found = verdictFor(read.policy, { title: other, kind: "execute" }, "ask");
      expect(found.verdict).toBe(other === title ? "auto_deny" : "ask");
    }
  }
});

// B2, B99, B104: there is no rule of our own.
test("without a policy every request is what its caller says", () => {
  fc.assert(
    fc.property(call, (call) => {
      expect(verdictFor(EMPTY_POLICY, call, "ask")).toEqual({ verdict: "ask", key: undefined });
    }),
  );
});

function isKind(text: string): boolean {
  return TOOL_KINDS.some((kind) => kind === text);
}
