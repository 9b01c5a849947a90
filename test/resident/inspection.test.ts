import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AgentFacts,
  inspect,
  type InspectionFacts,
  type InspectionReport,
} from "../../src/resident/inspection.ts";
import { SessionSettings } from "../../src/resident/session-settings.ts";

const DATE = "2026-01-02";
const TABLE = [
  {
    agent: "one",
    acpName: "one-acp",
    version: "1.0.0",
    date: DATE,
    asking: "mode",
    modes: { careful: "asks", some: "partly", free: "never" },
  },
  { agent: "two", acpName: "two", version: "2", date: DATE, asking: "configuration", modes: {} },
  { agent: "three", acpName: "three", version: "3", date: DATE, asking: "never", modes: {} },
];
const ACTS = /[^\P{C}]|[\u2028\u2029]/u;

type Opened = Extract<AgentFacts, { kind: "opened" }>;

function modesOf(current: string, ids = ["careful", "some", "free", "new"]): object {
  return { currentModeId: current, availableModes: ids.map((id) => ({ id, name: `The ${id}` })) };
}

function report(
  session: unknown,
  agent: Partial<Omit<Opened, "settings">> = {},
  facts: Partial<InspectionFacts> = {},
): InspectionReport {
  const info = { name: "one-acp", version: "1.0.0" };
  const settings = new SessionSettings(session);
  const opened: AgentFacts = {
    kind: "opened",
    info,
    choices: "none",
    asked: false,
    ...agent,
    settings,
  };
  return inspect({ agent: opened, node: "24.0.0", room: undefined, secrets: [], ...facts }, TABLE);
}

describe("whether an agent may still ask", () => {
  const inMode = (mode: string, agent: Partial<Opened> = {}) =>
    report({ modes: modesOf(mode) }, agent).mayStillAsk;

  it("is no in a mode that is known to ask nobody, and plainly said", () => {
    expect(inMode("free")).toEqual({
      value: "no",
      note: "In this mode the agent acts without asking.",
      seenIn: expect.stringMatching(/measured on 2026-01-02 with version 1\.0\.0$/),
    });
    expect(inMode("", { info: { name: "three", version: "3" } })).toMatchObject({
      value: "no",
      note: "This agent acts without asking.",
    });
  });

  it("is yes where it was measured to ask, without saying before what", () => {
    expect(inMode("careful")).toMatchObject({
      value: "yes",
      note: expect.stringMatching(/what was not tried is not known/),
    });
    expect(inMode("some")).toMatchObject({
      value: "yes",
      note: expect.stringMatching(/some things only.* is not known/),
    });
  });

  // B102
  it.each([
    ["another mode", "new", {}],
    ["an inherited name as a mode", "constructor", {}],
    ["an agent that nobody measured", "careful", { info: { name: "other", version: "1.0.0" } }],
    ["one without a name", "careful", { info: { name: undefined, version: undefined } }],
    ["one whose configuration decides", "careful", { info: { name: "two", version: "2" } }],
    [
      "another version of one that asked",
      "careful",
      { info: { name: "one-acp", version: "1.0.1" } },
    ],
    [
      "another version of one that asked in part",
      "some",
      { info: { name: "one-acp", version: "2" } },
    ],
  ])("is unknown for %s", (_, mode, agent) => {
    expect(inMode(mode, agent)).toEqual({
      value: "unknown",
      note: "No permission request was seen; this agent may act without asking.",
      seenIn: expect.stringMatching(/^nowhere: /),
    });
  });

  it("stays no in another version: nobody is to count on being asked", () => {
    const other = inMode("free", { info: { name: "one-acp", version: "9" } });
    expect(other.value).toBe("no");
    expect(other.seenIn).toMatch(/not the version of this agent/);
  });

  it("is yes where nothing is known but a request came, and no all the same in a mode that asks nobody", () => {
    expect(inMode("new", { asked: true })).toMatchObject({
      value: "yes",
      note: expect.stringMatching(/not known/),
    });
    expect(inMode("free", { asked: true }).value).toBe("no");
  });
});

describe("a mode usable unattended", () => {
  it("is one that was measured to ask over ACP", () => {
    expect(report({ modes: modesOf("free") }).usableUnattended.value).toEqual(["careful"]);
  });

  it("is unknown without one, and in another version", () => {
    const without = report({ modes: modesOf("free", ["free", "some", "new"]) });
    expect(without.usableUnattended.value).toBe("unknown");
    const info = { name: "one-acp", version: "1.1.0" };
    expect(report({ modes: modesOf("free") }, { info }).usableUnattended.value).toBe("unknown");
  });
});

describe("what an agent reports of itself", () => {
  it("is shown with where it was seen, and unknown where it reports nothing", () => {
    const bare = report({}, { info: { name: undefined, version: undefined } });
    const unknown = Object.entries(bare).filter(([, line]) => line.value === "unknown");
    expect(unknown.map(([key]) => key)).toEqual([
      "agent",
      "effectiveMode",
      "modes",
      "configOptions",
      "mayStillAsk",
      "sandbox",
      "scope",
      "usableUnattended",
      "room",
    ]);
    for (const [, line] of unknown) expect(line.seenIn).toMatch(/^nowhere: ./);
    const whole = report({ modes: modesOf("free") });
    expect(whole.agent.value).toBe("one-acp 1.0.0");
    expect(whole.protocol.value).toBe("ACP 1");
    expect(whole.effectiveMode.value).toBe("free");
    expect(whole.modes.value).toEqual([
      { id: "careful", name: "The careful", asking: "asks" },
      { id: "some", name: "The some", asking: "partly" },
      { id: "free", name: "The free", asking: "never" },
      { id: "new", name: "The new", asking: "unknown" },
    ]);
  });

  it("shows values of modes and switches alone: others may name accounts, providers and paths", () => {
    const select = (id: string, category: string, ...values: string[]) => ({
      id,
      name: "MARK-name",
      category,
      currentValue: values[0],
      options: values.map((value) => ({ value, name: "MARK-value-name" })),
    });
    const { configOptions } = report({
      configOptions: [
        select("mode", "mode", "ask", "auto"),
        select("model", "model", "MARK-account/model", "MARK-other"),
        select("folder", "_folder", "MARK-folder"),
        { id: "fast", name: "Fast", currentValue: true },
      ],
    });
    expect(configOptions.value).toEqual([
      { id: "mode", category: "mode", current: "ask", values: ["ask", "auto"], valueCount: 2 },
      { id: "model", category: "model", valueCount: 2 },
      { id: "folder", category: "_folder", valueCount: 1 },
      { id: "fast", category: undefined, current: true, values: [true, false], valueCount: 2 },
    ]);
    expect(JSON.stringify(configOptions)).not.toContain("MARK");
  });

  it("is bounded in number and length, and says what is left out", () => {
    const ids = Array.from({ length: 500 }, (_, index) => `${index}-${"x".repeat(10_000)}`);
    const options = ids.map((value) => ({ value, name: value }));
    const option = { id: "m", name: "m", category: "mode", currentValue: ids[0], options };
    const configOptions = ids.map((id) => ({ ...option, id }));
    const many = report({ modes: modesOf("a", ids), configOptions });
    expect(many.modes.note).toBe("480 more are not shown.");
    expect(many.configOptions.note).toBe("480 more are not shown.");
    expect(JSON.stringify(many).length).toBeLessThan(60_000);
  });

  it("property: never acts on a terminal, whatever it is", () => {
    const text = fc.string({ unit: "binary", minLength: 1 });
    fc.assert(
      fc.property(text, text, text, (a, b, c) => {
        const option = {
          id: a,
          name: b,
          category: "mode",
          currentValue: c,
          options: [{ value: c }],
        };
        const session = { modes: { currentModeId: b, availableModes: [{ id: c, name: a }] } };
        const info = { name: a, version: b };
        for (const each of [session, { configOptions: [option, { ...option, category: c }] }]) {
          for (const value of stringsIn(report(each, { info }))) expect(value).not.toMatch(ACTS);
        }
      }),
    );
  });
});

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

describe("what is not the agent's", () => {
  it("knows the scope of its own choice alone, and no sandbox", () => {
    expect(report({}, { choices: "set" }).scope.value).toBe("session");
    expect(report({}, { choices: "none" }).scope.value).toBe("unknown");
    expect(report({}, { choices: "not_set" }).scope).toMatchObject({
      value: "unknown",
      note: expect.not.stringContaining("Nothing was set"),
    });
    expect(report({ sandbox: "full" }).sandbox.value).toBe("unknown");
  });

  it("tells Node's version and whether the Room answers", () => {
    expect(report({}).node.value).toBe("24.0.0");
    expect(report({}, {}, { room: { reached: true } }).room.value).toBe("reachable");
    const { room } = report({}, {}, { room: { reached: false, status: 503 } });
    expect(room).toMatchObject({ value: "unreachable", note: "Answer: 503." });
  });

  it("is all unknown without a session, and tells how it ended", () => {
    const agent: AgentFacts = { kind: "failed", how: "The agent's process ended.", protocol: 2 };
    const failed = inspect({ agent, node: "24.0.0", room: undefined, secrets: [] }, TABLE);
    expect(failed.agent).toMatchObject({ value: "unknown", note: "The agent's process ended." });
    expect(failed.protocol.value).toBe("ACP 2");
    expect(failed.mayStillAsk.value).toBe("unknown");
    const known = Object.entries(failed).filter(([, { value }]) => value !== "unknown");
    expect(known.map(([key]) => key)).toEqual(["protocol", "node"]);
  });

  it("never calls an agent protected, safe or secure", () => {
    for (const mode of ["careful", "some", "free", "new"]) {
      for (const choices of ["none", "set", "not_set"] as const) {
        const text = JSON.stringify(report({ modes: modesOf(mode) }, { choices }));
        expect(text).not.toMatch(/protect|\bsafe|secure/i);
      }
    }
  });
});
