import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkNarrows,
  judge,
  type Narrowing,
  type Policy,
  type Verdict,
  verdictFor,
} from "../../src/policy/index.ts";
import { call, callsOf, isLooser, policy, verdict } from "./arbitrary.ts";

type Entries = Record<string, Verdict>;
const policyOf = (entries: Entries): Policy => new Map(Object.entries(entries));

/** Says nothing where the launch policy says nothing. */
function byLaunchAlone(launch: Policy, call: object): Verdict | undefined {
  const { verdict, key } = verdictFor(launch, call, "auto_deny");
  return key === undefined ? undefined : verdict;
}

test("what is no verdict counts as auto_deny: no launch policy loosens it", () => {
  const bogus = "deny" as Verdict;
  const agent = policyOf({ read: bogus });
  const launch = policyOf({ read: "auto_allow" });
  const call = { kind: "read" };
  expect(judge({ agent, launch }, call, "ask").verdict).toBe("auto_deny");
  expect(judge({ launch }, call, bogus).verdict).toBe("auto_deny");
  const loosens = { narrows: false, key: "read", from: "auto_deny", to: "auto_allow" };
  expect(checkNarrows(agent, launch, "ask")).toEqual(loosens);
  expect(checkNarrows(policyOf({}), launch, bogus)).toEqual(loosens);
});

describe("one request, two policies", () => {
  const EXECUTE = { title: "npm test", kind: "execute" };

  test.each<[string, Entries, Entries, Verdict, "agent" | "launch", string | undefined]>([
    [
      "a stricter kind",
      { execute: "ask" },
      { execute: "auto_deny" },
      "auto_deny",
      "launch",
      "execute",
    ],
    ["a looser kind", { execute: "ask" }, { execute: "auto_allow" }, "ask", "agent", "execute"],
    [
      "a title cannot loosen a kind",
      { execute: "auto_deny" },
      { "npm test": "auto_allow" },
      "auto_deny",
      "agent",
      "execute",
    ],
    [
      "a default cannot loosen a kind",
      { execute: "auto_deny" },
      { default: "ask" },
      "auto_deny",
      "agent",
      "execute",
    ],
    [
      "a title tightens a kind",
      { execute: "auto_allow" },
      { "npm test": "ask" },
      "ask",
      "launch",
      "npm test",
    ],
    [
      "a default tightens a title",
      { "npm test": "auto_allow" },
      { default: "ask" },
      "ask",
      "launch",
      "default",
    ],
    ["the same", { execute: "ask" }, { execute: "ask" }, "ask", "agent", "execute"],
    [
      "nothing that matches",
      { execute: "auto_allow" },
      { read: "auto_deny" },
      "auto_allow",
      "agent",
      "execute",
    ],
    ["nothing at all", {}, {}, "ask", "agent", undefined],
    [
      "a title that no agent's key names",
      {},
      { "npm test": "auto_deny" },
      "auto_deny",
      "launch",
      "npm test",
    ],
  ])("%s", (_, agent, launch, verdict, policy, key) => {
    const judged = judge({ agent: policyOf(agent), launch: policyOf(launch) }, EXECUTE, "ask");
    expect(judged).toEqual({ verdict, policy, key });
  });

  test("without any policy it is the fallback", () => {
    expect(judge({}, EXECUTE, "ask")).toEqual({ verdict: "ask", policy: "agent", key: undefined });
  });

  test("no launch policy ever loosens a request, and what it does not name it does not change", () => {
    fc.assert(
      fc.property(policy, policy, call, verdict, (agent, launch, call, fallback) => {
        const alone = verdictFor(agent, call, fallback);
        const judged = judge({ agent, launch }, call, fallback);
        expect(isLooser(judged.verdict, alone.verdict)).toBe(false);
        const own = byLaunchAlone(launch, call);
        const expected =
          own !== undefined && isLooser(alone.verdict, own)
            ? { policy: "launch", ...verdictFor(launch, call, fallback) }
            : { policy: "agent", ...alone };
        expect(judged).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("at the door", () => {
  const NARROWS: Narrowing = { narrows: true };
  const loosens = (key: string, from: Verdict, to: Verdict): Narrowing => ({
    narrows: false,
    key,
    from,
    to,
  });

  test.each<[string, Entries, Entries, Verdict, Narrowing]>([
    [
      "the same policy",
      { execute: "ask", default: "auto_deny" },
      { execute: "ask", default: "auto_deny" },
      "ask",
      NARROWS,
    ],
    ["a stricter kind", { execute: "ask" }, { execute: "auto_deny" }, "ask", NARROWS],
    [
      "a looser kind",
      { execute: "ask" },
      { execute: "auto_allow" },
      "ask",
      loosens("execute", "ask", "auto_allow"),
    ],
    [
      "a kind that is looser than the agent's default",
      { default: "auto_deny" },
      { read: "ask" },
      "ask",
      loosens("read", "auto_deny", "ask"),
    ],
    [
      "a kind that is looser than the fallback",
      {},
      { read: "auto_allow" },
      "ask",
      loosens("read", "ask", "auto_allow"),
    ],
    ["a kind that is as loose as the fallback", {}, { read: "auto_allow" }, "auto_allow", NARROWS],
    [
      "a looser default",
      { default: "ask" },
      { default: "auto_allow" },
      "ask",
      loosens("default", "ask", "auto_allow"),
    ],
    [
      "a default that is looser than the fallback",
      { read: "ask" },
      { default: "auto_allow" },
      "ask",
      loosens("default", "ask", "auto_allow"),
    ],
    ["a stricter default", { default: "auto_allow" }, { default: "ask" }, "ask", NARROWS],
    [
      "a stricter default that leaves a kind out",
      { delete: "auto_deny", default: "auto_allow" },
      { default: "ask" },
      "ask",
      NARROWS,
    ],
    [
      "a title that loosens a kind",
      { execute: "auto_deny" },
      { "npm test": "ask" },
      "auto_allow",
      loosens("npm test", "auto_deny", "ask"),
    ],
    [
      "a looser title",
      { "npm test": "ask" },
      { "npm test": "auto_allow" },
      "auto_allow",
      loosens("npm test", "ask", "auto_allow"),
    ],
    [
      "a kind beside a stricter title that it leaves out",
      { "npm test": "auto_deny", execute: "ask" },
      { execute: "ask" },
      "ask",
      NARROWS,
    ],
    ["nothing", { execute: "auto_deny", default: "ask" }, {}, "ask", NARROWS],
    [
      "switch_mode, by a default, as before",
      { default: "ask" },
      { switch_mode: "auto_allow" },
      "ask",
      loosens("switch_mode", "ask", "auto_allow"),
    ],
    [
      "switch_mode, which a default never allowed",
      { default: "auto_allow" },
      { switch_mode: "auto_allow" },
      "ask",
      loosens("switch_mode", "ask", "auto_allow"),
    ],
    [
      "the first of two, in the agent's order",
      { read: "ask", edit: "ask" },
      { edit: "auto_allow", read: "auto_allow" },
      "ask",
      loosens("read", "ask", "auto_allow"),
    ],
  ])("%s", (_, agent, launch, fallback, narrowing) => {
    expect(checkNarrows(policyOf(agent), policyOf(launch), fallback)).toEqual(narrowing);
  });

  test("a launch policy that only leaves keys out is accepted", () => {
    fc.assert(
      fc.property(policy, verdict, fc.func(fc.boolean()), (agent, fallback, keeps) => {
        const launch = new Map([...agent].filter(([key]) => keeps(key)));
        expect(checkNarrows(agent, launch, fallback)).toEqual(NARROWS);
      }),
    );
  });

  test("the key that it names loosens a request that there is", () => {
    fc.assert(
      fc.property(policy, policy, verdict, (agent, launch, fallback) => {
        const found = checkNarrows(agent, launch, fallback);
        fc.pre(!found.narrows);
        const loosened = callsOf([...agent.keys(), ...launch.keys()]).some((call) => {
          const alone = verdictFor(launch, call, fallback);
          return (
            alone.key === found.key &&
            alone.verdict === found.to &&
            verdictFor(agent, call, fallback).verdict === found.from &&
            isLooser(found.to, found.from)
          );
        });
        expect(loosened).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test("what it accepts loosens nothing when laid over the agent's policy", () => {
    fc.assert(
      fc.property(policy, policy, verdict, (agent, launch, fallback) => {
        fc.pre(checkNarrows(agent, launch, fallback).narrows);
        const both = new Map([...agent, ...launch]);
        for (const call of callsOf(both.keys())) {
          const { key, verdict } = verdictFor(both, call, fallback);
          if (key === undefined || !launch.has(key)) continue;
          expect(isLooser(verdict, verdictFor(agent, call, fallback).verdict)).toBe(false);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
