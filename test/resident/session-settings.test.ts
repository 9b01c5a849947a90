import { describe, expect, it } from "vitest";
import { applyChoices, type AgentCall } from "../../src/resident/apply-choices.ts";
import { SessionSettings } from "../../src/resident/session-settings.ts";

const MODES = {
  currentModeId: "auto",
  availableModes: [
    { id: "auto", name: "Auto" },
    { id: "ask", name: "Ask" },
  ],
};
const option = (currentValue: string, id = "mode", category: string | null = "mode") => ({
  id,
  name: "Mode",
  category,
  type: "select",
  currentValue,
  options: [
    { value: "auto", name: "Auto" },
    { group: "g", name: "Careful", options: [{ value: "ask", name: "Ask" }] },
  ],
});

/** An agent that records what it is told and answers from a list. */
function agentOf(...answers: (unknown | Error)[]): { call: AgentCall; calls: unknown[] } {
  const calls: unknown[] = [];
  return {
    calls,
    call: async (method, params) => {
      calls.push([method, params]);
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
}

function apply(
  settings: SessionSettings,
  choices: { mode?: string; config?: Record<string, string> },
  call: AgentCall,
): Promise<void> {
  const config = new Map(Object.entries(choices.config ?? {}));
  return applyChoices("s", settings, { mode: choices.mode, config }, call);
}

describe("what an agent reports of its session", () => {
  it("is its mode in either of ACP's ways, the newest report winning", () => {
    expect(new SessionSettings({ modes: MODES }).mode).toBe("auto");
    const settings = new SessionSettings({ modes: MODES, configOptions: [option("ask")] });
    expect(settings.mode).toBe("ask");
    expect(settings.modes.map(({ id }) => id)).toEqual(["auto", "ask"]);
    settings.note({ sessionUpdate: "current_mode_update", currentModeId: "auto" });
    expect(settings.mode).toBe("auto");
    settings.note({ sessionUpdate: "config_option_update", configOptions: [option("ask")] });
    expect(settings.mode).toBe("ask");
  });

  it.each([
    undefined,
    null,
    5,
    {},
    { modes: [], configOptions: {} },
    { configOptions: [null, {}] },
  ])("is nothing in %j", (result) => {
    const settings = new SessionSettings(result);
    expect([settings.mode, settings.modes, settings.config]).toEqual([undefined, [], []]);
  });
});

describe("setting a mode", () => {
  it("goes by the config option where there is one, and holds where the agent reports it", async () => {
    const settings = new SessionSettings({ modes: MODES, configOptions: [option("auto")] });
    const { call, calls } = agentOf({ configOptions: [option("ask")] });
    await apply(settings, { mode: "ask" }, call);
    const params = { sessionId: "s", configId: "mode", value: "ask" };
    expect(calls).toEqual([["session/set_config_option", params]]);
  });

  it("goes by session/set_mode otherwise", async () => {
    const { call, calls } = agentOf({});
    await apply(new SessionSettings({ modes: MODES }), { mode: "ask" }, call);
    expect(calls).toEqual([["session/set_mode", { sessionId: "s", modeId: "ask" }]]);
  });

  it("fails where the agent reports another, refuses, or offers none such, and names what it offers", async () => {
    const withOption = () => new SessionSettings({ configOptions: [option("auto")] });
    await expect(
      apply(withOption(), { mode: "ask" }, agentOf({ configOptions: [option("auto")] }).call),
    ).rejects.toThrow('did not set mode to "ask": it reports "auto"');
    await expect(
      apply(withOption(), { mode: "ask" }, agentOf(new Error("no")).call),
    ).rejects.toThrow("no");
    const silent = agentOf();
    await expect(apply(withOption(), { mode: "askk" }, silent.call)).rejects.toThrow(
      'It offers: "auto", "ask"',
    );
    expect(silent.calls).toEqual([]);
    await expect(apply(new SessionSettings({}), { mode: "ask" }, silent.call)).rejects.toThrow(
      "It offers: none",
    );
  });

  it.each([
    ["before it answers", (report: () => void) => report()],
    ["right after its answer", (report: () => void) => queueMicrotask(report)],
  ])("by session/set_mode fails where the agent reports another mode %s", async (_, when) => {
    const settings = new SessionSettings({ modes: MODES });
    const update = { sessionUpdate: "current_mode_update", currentModeId: "auto" };
    const call: AgentCall = async () => {
      when(() => settings.note(update));
      return {};
    };
    await expect(apply(settings, { mode: "ask" }, call)).rejects.toThrow(
      'did not set mode to "ask": it reports "auto"',
    );
    expect(settings.mode).toBe("auto");
  });

  it("by session/set_mode holds whatever was reported before", async () => {
    const settings = new SessionSettings({ modes: MODES });
    settings.note({ sessionUpdate: "current_mode_update", currentModeId: "auto" });
    await apply(settings, { mode: "ask" }, agentOf({}).call);
    expect(settings.mode).toBe("ask");
  });

  it("fails where a later setting takes it back", async () => {
    const settings = new SessionSettings({
      configOptions: [option("auto"), option("auto", "review", null)],
    });
    const { call } = agentOf(
      { configOptions: [option("ask"), option("auto", "review", null)] },
      { configOptions: [option("auto"), option("ask", "review", null)] },
    );
    await expect(apply(settings, { mode: "ask", config: { review: "ask" } }, call)).rejects.toThrow(
      "did not set mode",
    );
  });
});

describe("setting a config option", () => {
  it("sets values and switches, and names an option that does not exist", async () => {
    const on = { id: "fast", name: "Fast", type: "boolean", currentValue: false };
    const settings = new SessionSettings({ configOptions: [on] });
    const { call, calls } = agentOf({ configOptions: [{ ...on, currentValue: true }] });
    await apply(settings, { config: { fast: "true" } }, call);
    const params = { sessionId: "s", configId: "fast", type: "boolean", value: true };
    expect(calls).toEqual([["session/set_config_option", params]]);
    await expect(apply(settings, { config: { fast: "yes" } }, call)).rejects.toThrow(
      "true or false",
    );
    await expect(apply(settings, { config: { slow: "1" } }, call)).rejects.toThrow("slow");
  });
});
