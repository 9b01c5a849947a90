import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { askTimeoutMs, chooseAllow, chooseDeny, type Preference } from "../../src/policy/index.ts";
import { OPTION_KINDS } from "../../src/protocol/index.ts";

/** Options whose ids are `o0`, `o1` … */
const offer = (...kinds: (string | undefined)[]) =>
  kinds.map((kind, n) => ({ optionId: `o${n}`, ...(kind === undefined ? {} : { kind }) }));

describe("auto_allow", () => {
  test.each<[(string | undefined)[], string | undefined, string | undefined]>([
    // kinds as offered, "always", "once"
    [["allow_once", "allow_always", "reject_once"], "o1", "o0"],
    [["allow_always", "allow_once", "reject_once"], "o0", "o1"],
    [["reject_once", "allow_once"], "o1", "o1"],
    [["allow_once", "allow_once", "reject_once"], "o0", undefined],
    [["allow_always", "allow_always"], "o0", undefined],
    [["reject_once", "allow_always"], "o1", undefined],
    [["reject_once", "reject_always"], "o0", undefined],
    [["allow_persistent", "reject_once"], "o0", undefined],
    [[undefined], "o0", undefined],
    [[], undefined, undefined],
  ])("%j: always %j, once %j", (kinds, always, once) => {
    expect(chooseAllow(offer(...kinds), "always")).toBe(always);
    expect(chooseAllow(offer(...kinds), "once")).toBe(once);
  });
});

test.each([undefined, "ALWAYS", "", null])("a preference of %j counts as once", (prefer) => {
  for (const kinds of [
    ["allow_once", "allow_always"],
    ["allow_once", "allow_once"],
    ["reject_once", "allow_always"],
  ]) {
    const options = offer(...kinds);
    expect(chooseAllow(options, prefer as Preference)).toBe(chooseAllow(options, "once"));
  }
});

describe("auto_deny", () => {
  test.each<[(string | undefined)[], string | undefined]>([
    [["allow_once", "reject_once", "reject_always"], "o1"],
    [["reject_always", "reject_once"], "o1"],
    [["allow_once", "reject_always"], "o1"],
    [["reject_once", "reject_once"], "o0"],
    // B106
    [["allow_once", "allow_always"], undefined],
    [["allow_persistent", undefined], undefined],
    [[], undefined],
  ])("%j: %j", (kinds, chosen) => {
    expect(chooseDeny(offer(...kinds))).toBe(chosen);
  });
});

// B6
test("ids are never read: an option is what its kind says", () => {
  const nasty = [
    { optionId: "allow_once", kind: "reject_once" },
    { optionId: "reject_once", kind: "allow_once" },
  ];
  expect(chooseAllow(nasty, "once")).toBe("reject_once");
  expect(chooseDeny(nasty)).toBe("allow_once");
  const codex = [
    { optionId: "approved", kind: "allow_once" },
    { optionId: "abort", kind: "reject_once" },
  ];
  expect(chooseAllow(codex, "once")).toBe("approved");
  expect(chooseDeny(codex)).toBe("abort");
});

test("an id that two options share answers nothing", () => {
  const shared = [
    { optionId: "a", kind: "allow_once" },
    { optionId: "a", kind: "reject_once" },
  ];
  expect(chooseAllow(shared, "once")).toBeUndefined();
  expect(chooseAllow(shared, "always")).toBeUndefined();
  expect(chooseDeny(shared)).toBeUndefined();
});

test("nothing is made up: the kind of what is chosen fits, and it was offered", () => {
  const kind = fc.option(fc.oneof(fc.constantFrom(...OPTION_KINDS), fc.string()), {
    nil: undefined,
  });
  fc.assert(
    fc.property(fc.array(kind, { maxLength: 32 }), (kinds) => {
      const options = offer(...kinds);
      const kindOf = (id: string | undefined) => options.find((o) => o.optionId === id)?.kind;
      const once = chooseAllow(options, "once");
      expect(once === undefined || kindOf(once) === "allow_once").toBe(true);
      const denied = chooseDeny(options);
      expect(denied === undefined || /^reject_(once|always)$/.test(kindOf(denied) ?? "")).toBe(
        true,
      );
      const always = chooseAllow(options, "always");
      expect(options.some((o) => o.optionId === always)).toBe(options.length > 0);
    }),
  );
});

test.each<[unknown, number]>([
  [1, 1_000],
  [300, 300_000],
  ["45", 45_000],
  ["007", 7_000],
  [86_400, 86_400_000],
  [86_401, 86_400_000],
  ["99999999999999999999", 86_400_000],
  [Number.MAX_VALUE, 86_400_000],
  ...[
    0,
    -5,
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    "0",
    "-5",
    "1.5",
    "1e3",
    "0x10",
    " 5",
    "",
  ].map((value): [unknown, number] => [value, 300_000]),
  ...["never", "9".repeat(400), null, undefined, true, [5], { seconds: 5 }].map(
    (value): [unknown, number] => [value, 300_000],
  ),
])("%j seconds to answer are %i ms", (configured, ms) => {
  expect(askTimeoutMs(configured)).toBe(ms);
});

test("there is always an end to asking", () => {
  fc.assert(
    fc.property(fc.anything(), (configured) => {
      const ms = askTimeoutMs(configured);
      expect(Number.isInteger(ms) && ms >= 1_000 && ms <= 86_400_000).toBe(true);
    }),
  );
});
