import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decisionForOutcome, type GateReply } from "../../src/gate/index.ts";
import { OPTION_KINDS } from "../../src/protocol/index.ts";

/** The options of the field reports, and one of a kind that ACP does not name. */
const OFFERED = [
  { optionId: "allow-1", name: "Allow once", kind: "allow_once" },
  { optionId: "always-9", name: "Always allow", kind: "allow_always" },
  { optionId: "no-2", name: "Reject", kind: "reject_once" },
  { optionId: "never-3", name: "Reject for ever", kind: "reject_always" },
  { optionId: "odd-4", name: "Allow until Tuesday", kind: "allow_persistent" },
  { optionId: "bare-5", name: "Hm" },
];
const select = (optionId: unknown) => ({ outcome: "selected", optionId });

describe("what an outcome means", () => {
  test.each<[string, unknown, GateReply]>([
    ["allow_once", select("allow-1"), { kind: "approve" }],
    ["allow_always", select("always-9"), { kind: "approve", scope: "always" }],
    ["reject_once", select("no-2"), { kind: "reject", message: "A person refused this." }],
    [
      "reject_always",
      select("never-3"),
      { kind: "reject", scope: "always", message: "A person refused this, now and from now on." },
    ],
    ["cancelled", { outcome: "cancelled" }, { kind: "teardown" }],
    [
      "cancelled, whatever else it says",
      { outcome: "cancelled", optionId: "allow-1" },
      { kind: "teardown" },
    ],
    ["more than is known of it", { ...select("allow-1"), _meta: { a: 1 } }, { kind: "approve" }],
  ])("%s", (_, outcome, reply) => {
    expect(decisionForOutcome(outcome, OFFERED)).toEqual(reply);
  });

  // B123: a verdict that is missing or not known is nobody's refusal.
  test.each<[string, unknown]>([
    ["an option that was not offered", select("nope")],
    ["a kind that is not known", select("odd-4")],
    ["a kind that is missing", select("bare-5")],
    ["an id in other letters", select("ALLOW-1")],
    ["an id with a space", select("allow-1 ")],
    ["a name for an id", select("Allow once")],
    ["a kind for an id", select("allow_once")],
    ["no id", { outcome: "selected" }],
    ["an id that is no text", select(["allow-1"])],
    ["the bare id", "allow-1"],
    ["B12: not nested as the protocol wants", { outcome: select("allow-1") }],
    ["another outcome", { outcome: "approved", optionId: "allow-1" }],
    ["another case", { outcome: "Selected", optionId: "allow-1" }],
    ["an outcome that is only inherited", Object.create(select("allow-1"))],
    [
      "an id that is only inherited",
      Object.assign(Object.create(select("allow-1")), { outcome: "selected" }),
    ],
    ["nothing", undefined],
    ["null", null],
    ["true", true],
    ["a list", [select("allow-1")]],
    [
      "what throws when it is read",
      new Proxy(
        {},
        {
          getOwnPropertyDescriptor: () => {
            throw new Error("no");
          },
        },
      ),
    ],
  ])("unreadable, refused, without scope: %s", (_, outcome) => {
    const reply = decisionForOutcome(outcome, OFFERED);
    expect(reply).toEqual({ kind: "unreadable", message: expect.stringMatching(/^\S.*\.$/) });
  });

  test("unreadable: an id that was offered twice, whatever the kinds", () => {
    const twice = [...OFFERED, { optionId: "allow-1", name: "No", kind: "reject_once" }];
    for (const optionId of ["allow-1", "always-9", "no-2"]) {
      expect(decisionForOutcome(select(optionId), twice).kind).toBe("unreadable");
    }
    expect(decisionForOutcome({ outcome: "cancelled" }, twice)).toEqual({ kind: "teardown" });
  });

  test("unreadable: nothing was offered", () => {
    expect(decisionForOutcome(select("allow-1"), []).kind).toBe("unreadable");
  });
});

// B6
test("ids are never read: equal to a kind or not, the option's own kind counts", () => {
  const nasty = [
    { optionId: "allow_once", kind: "reject_once" },
    { optionId: "reject_once", kind: "allow_once" },
  ];
  expect(decisionForOutcome(select("allow_once"), nasty).kind).toBe("reject");
  expect(decisionForOutcome(select("reject_once"), nasty).kind).toBe("approve");
  const codex = [
    { optionId: "approved", kind: "allow_once" },
    { optionId: "abort", kind: "reject_once" },
  ];
  expect(decisionForOutcome(select("approved"), codex).kind).toBe("approve");
  expect(decisionForOutcome(select("abort"), codex).kind).toBe("reject");
});

// B11: the one question that runs anything.
test("only an exact selection of an offered option whose kind allows is an approval", () => {
  const id = fc.constantFrom("a", "b", "__proto__", "toString", "");
  const option = fc.record(
    { optionId: id, kind: fc.oneof(fc.constantFrom<string>(...OPTION_KINDS), fc.string()) },
    { requiredKeys: ["optionId"] },
  );
  const outcome = fc.record({
    outcome: fc.constantFrom("selected", "cancelled", "approved"),
    optionId: id,
  });
  fc.assert(
    fc.property(outcome, fc.array(option, { maxLength: 4 }), (outcome, offered) => {
      const matching = offered.filter(({ optionId }) => optionId === outcome.optionId);
      const areDistinct = new Set(offered.map((o) => o.optionId)).size === offered.length;
      const kind = matching[0]?.kind ?? "";
      const reply = decisionForOutcome(outcome, offered);
      const isSelected = outcome.outcome === "selected" && areDistinct;
      expect(reply.kind === "approve").toBe(isSelected && /^allow_(once|always)$/.test(kind));
      expect(reply.kind === "reject").toBe(isSelected && /^reject_(once|always)$/.test(kind));
      expect("scope" in reply).toBe(isSelected && /^(allow|reject)_always$/.test(kind));
      expect(reply.kind === "teardown").toBe(outcome.outcome === "cancelled");
    }),
    { numRuns: 2000 },
  );
});

test("it takes anything and never throws, and nothing that is made at random is an answer", () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (outcome, offered) => {
      const reply = decisionForOutcome(outcome, offered as typeof OFFERED);
      expect(reply.kind).toBe("unreadable");
      expect(decisionForOutcome(select("allow-1"), offered as typeof OFFERED).kind).toBe(
        "unreadable",
      );
      expect(decisionForOutcome(outcome, OFFERED).kind).toBe("unreadable");
    }),
  );
});
