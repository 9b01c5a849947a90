import { expect, test } from "vitest";
import { findJsonIssue, permissionOption, toolCall } from "../../src/protocol/index.ts";

const BOUNDS = { depth: 64, nodes: 20_000 };

function nested(levels: number): string {
  return "[".repeat(levels) + "]".repeat(levels);
}

test("64 levels are kept, 65 are not; the value itself is the first", () => {
  expect(findJsonIssue(JSON.parse(nested(64)), BOUNDS)).toBeUndefined();
  const issue = { path: [], message: "nested deeper than 64 levels" };
  expect(findJsonIssue(JSON.parse(nested(65)), BOUNDS)).toEqual(issue);
  expect(findJsonIssue(JSON.parse('{"a":'.repeat(65) + "1" + "}".repeat(65)), BOUNDS)).toEqual(
    issue,
  );
});

test("a scalar at the bottom is no level of its own", () => {
  const deep = "[".repeat(64) + '"x"' + "]".repeat(64);
  expect(findJsonIssue(JSON.parse(deep), BOUNDS)).toBeUndefined();
});

test.each([5000, 400_000])("%i levels are refused without a crash", (levels) => {
  expect(findJsonIssue(JSON.parse(nested(levels)), BOUNDS)?.message).toMatch(/nested deeper/);
  const call = JSON.parse(`{"toolCallId":"t","rawInput":${nested(levels)}}`);
  expect(toolCall.safeParse(call).success).toBe(false);
  const option = JSON.parse(`{"optionId":"o","name":"","_meta":${nested(levels)}}`);
  expect(permissionOption.safeParse(option).success).toBe(false);
});

test("20 000 nodes are kept, 20 001 are not; objects, arrays and scalars all count", () => {
  const array = (nodes: number) => Array.from({ length: nodes - 1 }, () => 0);
  expect(findJsonIssue(array(20_000), BOUNDS)).toBeUndefined();
  expect(findJsonIssue(array(20_001), BOUNDS)).toEqual({
    path: [],
    message: "more than 20000 nodes",
  });
  const mixed = (pairs: number) => Array.from({ length: pairs }, () => ({ a: null }));
  expect(findJsonIssue([...mixed(9999), true], BOUNDS)).toBeUndefined();
  expect(findJsonIssue([...mixed(9999), true, "x"], BOUNDS)).toBeDefined();
});

test("without a bound on nodes any number passes", () => {
  expect(findJsonIssue(Array(50_000).fill(0), { depth: 64 })).toBeUndefined();
});

test.each([
  ["a lone high surrogate", '{"a":["x","\\ud83d"]}', ["a", 1], "ill-formed Unicode"],
  ["a lone low surrogate", '{"a":"\\udc4d"}', ["a"], "ill-formed Unicode"],
  ["a reversed pair", '["\\udc4d\\ud83d"]', [0], "ill-formed Unicode"],
  ["a lone surrogate in a name", '{"a":{"\\ud800":1}}', ["a"], "ill-formed Unicode in a name"],
  ["a number beyond range", '{"a":1e999}', ["a"], "number out of range"],
  ["a negative one", "[0,-1e999]", [1], "number out of range"],
  ["one under __proto__", '{"__proto__":{"x":1e999}}', ["__proto__", "x"], "number out of range"],
])("%s is found, with its place", (_, text, path, message) => {
  expect(findJsonIssue(JSON.parse(text), BOUNDS)).toEqual({ path, message });
});

test.each([
  "null",
  '"\\ud83d\\udc4d"',
  "1.7976931348623157e308",
  '{"":{"":""}}',
  '"\\u0000\\u202e\\ufeff\\ufffe"',
])("%s is fine", (text) => {
  expect(findJsonIssue(JSON.parse(text), BOUNDS)).toBeUndefined();
});

test("names of JavaScript's own are kept, and what is under them is looked at", () => {
  const text =
    '{"toolCallId":"t","__proto__":{"polluted":true},"constructor":{"prototype":{}},"toString":1,"hasOwnProperty":null}';
  const call = JSON.parse(text);
  const parsed = toolCall.parse(call);
  expect(parsed).toBe(call);
  expect(JSON.stringify(parsed)).toBe(text);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  for (const under of ['{"x":"\\ud800"}', "1e999", nested(65), `[${"1,".repeat(20_000)}1]`]) {
    const bad = JSON.parse(`{"toolCallId":"t","__proto__":${under}}`);
    expect(toolCall.safeParse(bad).success).toBe(false);
  }
});

test("what stands only under __proto__ is no field", () => {
  const call = JSON.parse('{"__proto__":{"toolCallId":"t"}}');
  expect(toolCall.safeParse(call).success).toBe(false);
  const option = JSON.parse('{"__proto__":{"optionId":"o","name":"n"}}');
  expect(permissionOption.safeParse(option).success).toBe(false);
});
