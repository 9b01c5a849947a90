import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  parsePolicy,
  POLICY_KEY_BYTES,
  POLICY_KEYS,
  readPolicy,
  type ReadPolicy,
  TOOL_KINDS,
  verdictFor,
  VERDICTS,
} from "../../src/policy/index.ts";
import { RESERVED } from "./arbitrary.ts";

function accepted(read: ReadPolicy): Extract<ReadPolicy, { ok: true }> {
  if (!read.ok) throw new Error(read.problem);
  return read;
}

test("a JSON object, key → verdict, in its order and without warnings", () => {
  const text = '{"default": "ask", "execute": "ask", "read": "auto_allow", "delete": "auto_deny"}';
  const { policy, warnings } = accepted(parsePolicy(text));
  expect([...policy]).toEqual([
    ["default", "ask"],
    ["execute", "ask"],
    ["read", "auto_allow"],
    ["delete", "auto_deny"],
  ]);
  expect(warnings).toEqual([]);
  expect(accepted(readPolicy({})).policy.size).toBe(0);
});

test.each([
  ["null", null],
  ["a text", "auto_allow"],
  ["a number", 1],
  ["an array", ["auto_allow"]],
  ["a Map", new Map([["default", "auto_deny"]])],
  ["nothing", undefined],
])("%s is no policy", (_, value) => {
  expect(readPolicy(value)).toEqual({
    ok: false,
    problem: "Not a policy: it is not a JSON object.",
  });
});

test.each(["", "{", "\u0000", "{'default': 'ask'}", '{"default": "ask",}'])(
  "the text %j is not JSON",
  (text) => {
    expect(parsePolicy(text)).toEqual({ ok: false, problem: "Not a policy: it is not JSON." });
  },
);

describe("what is no verdict counts as auto_deny, and the warning names the key", () => {
  test.each([
    "allow",
    "AUTO_ALLOW",
    "auto_allow ",
    "",
    null,
    true,
    0,
    ["auto_allow"],
    { a: 1 },
    "toString",
  ])("%j", (said) => {
    const { policy, warnings } = accepted(parsePolicy(JSON.stringify({ read: said })));
    expect(policy.get("read")).toBe("auto_deny");
    expect(warnings).toEqual([
      '"read": not a verdict, so it counts as auto_deny. A verdict is one of auto_allow, ask, auto_deny.',
    ]);
  });
});

describe("warnings of what an operator may not have meant", () => {
  test("auto_allow under a title", () => {
    const { warnings } = accepted(
      parsePolicy('{"npm test": "auto_allow", "deploy": "auto_allow"}'),
    );
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toMatch(/^"npm test": .*agent's own words, and any call may carry it\.$/);
    expect(warnings[1]).toMatch(/^"deploy": not a tool kind/);
  });

  test("auto_allow under switch_mode", () => {
    const { warnings } = accepted(parsePolicy('{"switch_mode": "auto_allow"}'));
    expect(warnings).toEqual([
      '"switch_mode": auto_allow lets the agent enter a mode in which it no longer asks.',
    ]);
  });

  test("none for any other kind, for default, and for what asks or denies", () => {
    const kinds = [...TOOL_KINDS, "default"].filter((key) => key !== "switch_mode");
    const allowing = Object.fromEntries(kinds.map((key) => [key, "auto_allow"]));
    const others = { "npm test": "ask", "rm -rf /": "auto_deny", switch_mode: "ask" };
    expect(accepted(readPolicy({ ...allowing, ...others })).warnings).toEqual([]);
  });
});

describe("names that JavaScript knows", () => {
  test("are keys like any other", () => {
    for (const key of RESERVED) {
      const { policy } = accepted(parsePolicy(`{${JSON.stringify(key)}: "auto_deny"}`));
      expect([...policy]).toEqual([[key, "auto_deny"]]);
    }
  });

  test("are no keys where they are only inherited", () => {
    const inheriting = Object.create({ default: "auto_allow", read: "auto_allow" }) as object;
    expect(accepted(readPolicy(inheriting)).policy.size).toBe(0);
    const { policy } = accepted(parsePolicy('{"__proto__": {"default": "auto_allow"}}'));
    for (const title of RESERVED.filter((word) => word !== "__proto__")) {
      expect(verdictFor(policy, { title, kind: title }, "ask").verdict).toBe("ask");
    }
  });
});

describe("a key that stands there twice is a problem: JSON would keep the last", () => {
  test.each([
    ['{"execute": "auto_deny", "execute": "auto_allow"}', "execute"],
    ['{"execute": "auto_deny", "\\u0065xecute": "auto_allow"}', "execute"],
    ['{"a": {"b": ["}"]}, "\\"": "ask", "\\"" : "auto_allow"}', '"'],
  ])("%s", (text, key) => {
    expect(parsePolicy(text)).toEqual({
      ok: false,
      problem: `Not a policy: the key ${JSON.stringify(key)} stands there twice.`,
    });
  });

  test.each([
    '{"execute": "ask", "edit": "ask"}',
    '{"a": "b", "b": "a", "\\\\": "a"}',
    '{"a": {"x": 1}, "b": {"x": 1, "a": 2}}',
    '{"a": "\\"a\\":", "b": "{\\"a\\": 1"}',
  ])("%s has none", (text) => {
    expect(parsePolicy(text).ok).toBe(true);
  });

  test("every object that JSON writes is read back whole", () => {
    const verdicts = fc.constantFrom(...VERDICTS, "other", '"', "a\\");
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: "binary" }), verdicts), (entries) => {
        const { policy } = accepted(parsePolicy(JSON.stringify(entries, null, 2)));
        expect([...policy.keys()]).toEqual(Object.keys(entries));
      }),
    );
  });
});

describe("bounds", () => {
  const withKeys = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`title ${n}`, "ask"]));

  test("the number of keys", () => {
    expect(POLICY_KEYS).toBe(500);
    expect(readPolicy(withKeys(POLICY_KEYS)).ok).toBe(true);
    expect(readPolicy(withKeys(POLICY_KEYS + 1))).toEqual({
      ok: false,
      problem: "Not a policy: it has more than 500 keys.",
    });
  });

  test("the length of a key", () => {
    const key = (bytes: number) => ({ ["é".repeat(bytes / 2)]: "ask" });
    expect(readPolicy(key(POLICY_KEY_BYTES)).ok).toBe(true);
    expect(readPolicy(key(POLICY_KEY_BYTES + 2))).toEqual({
      ok: false,
      problem: "Not a policy: a key is longer than 2048 bytes.",
    });
  });

  test("the text", () => {
    const padded = (length: number) => `{}${" ".repeat(length - 2)}`;
    expect(parsePolicy(padded(1024 * 1024)).ok).toBe(true);
    expect(parsePolicy(padded(1024 * 1024 + 1))).toEqual({
      ok: false,
      problem: "Not a policy: it is too large.",
    });
  });
});

test("anything is either a policy of verdicts or has a problem", () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const read = readPolicy(value);
      const verdicts = read.ok ? [...read.policy.values()] : [];
      expect(verdicts.filter((verdict) => !VERDICTS.includes(verdict))).toEqual([]);
      expect(read.ok || read.problem !== "").toBe(true);
    }),
  );
});
