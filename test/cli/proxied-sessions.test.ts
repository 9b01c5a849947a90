import { describe, expect, it } from "vitest";
import { ProxiedSessions } from "../../src/cli/proxy/proxied-sessions.ts";
import type { ResidentEvent } from "../../src/resident/events.ts";
import { lineOf, PlayedBridge, ProxyBench, SESSION } from "../support/proxy-bench.ts";

const AGENT = { name: "@agentclientprotocol/claude-agent-acp", version: "0.101.0" };
const params = { sessionId: SESSION };

function request(id: number, method: string, more: object = {}): object {
  return { jsonrpc: "2.0", id, method, params: { ...params, ...more } };
}

function response(id: unknown, result: unknown): object {
  return { jsonrpc: "2.0", id, result };
}

function modeUpdate(currentModeId: string): object {
  const update = { sessionUpdate: "current_mode_update", currentModeId };
  return { jsonrpc: "2.0", method: "session/update", params: { ...params, update } };
}

function modeOption(currentValue: string): object {
  const options = ["default", "auto"].map((value) => ({ value, name: value }));
  return { id: "mode", name: "Mode", category: "mode", type: "select", currentValue, options };
}

/** An editor, a played agent and what stands between them. */
function benchOf({ mode, agent = AGENT }: { mode?: string; agent?: object | undefined } = {}) {
  const events: ResidentEvent[] = [];
  const warnings: string[] = [];
  const sessions = new ProxiedSessions({
    choices: { mode, config: new Map() },
    restricts: false,
    say: (line) => warnings.push(line),
    emit: (event) => events.push(event),
  });
  const bench = new ProxyBench({
    bridge: sessions.watching(new PlayedBridge()),
    onInitialized: (result) => sessions.noteAgent(result),
    onSessionOpened: (session, call) => sessions.open(session, call),
    onSet: (setting, answer) => sessions.noteSetting(setting, answer),
  });
  /** Opens a session in mode `default`; the answer to a mode that is set is still owed. */
  const open = async (session: object): Promise<void> => {
    bench.clientSends(request(0, "initialize"));
    await bench.toAgent.lines.next();
    bench.agentSends(response(0, { protocolVersion: 1, agentInfo: agent }));
    bench.clientSends(request(1, "session/new"));
    await bench.toAgent.lines.next();
    bench.agentSends(response(1, { ...params, ...session }));
    await bench.toClient.lines.next();
    await bench.toClient.lines.next();
  };
  const told = (): number => events.filter(({ type }) => type === "may_not_ask").length;
  return { bench, sessions, open, told, warnings };
}

const MODES = {
  modes: {
    currentModeId: "default",
    availableModes: ["default", "auto", "plan"].map((id) => ({ id, name: id })),
  },
};

describe("a mode that the operator chose", () => {
  it.each([
    ["before its answer", (id: string) => [modeUpdate("default"), response(id, {})]],
    ["in one piece with its answer", (id: string) => [response(id, {}), modeUpdate("default")]],
  ])(
    "ends the proxy where the agent reports another %s, and no prompt gets through",
    async (_, answer) => {
      const { bench, open, warnings } = benchOf({ mode: "plan" });
      await open(MODES);
      const { id } = JSON.parse(await bench.toAgent.lines.next()) as { id: string };
      bench.clientSends(request(2, "session/prompt"));
      bench.agentSends(
        answer(id)
          .map((message) => `${lineOf(message)}\n`)
          .join(""),
      );
      expect(await bench.proxy.done).toEqual({
        error: expect.objectContaining({
          message: 'The agent did not set mode to "plan": it reports "default"',
        }),
      });
      expect(bench.toAgent.lines.drain()).toEqual([]);
      expect(warnings).toEqual([]);
    },
  );

  it("lets prompts through once it is set, and is not told of when the session comes back to it", async () => {
    const { bench, open, told } = benchOf({ mode: "plan", agent: { name: "unheard-of" } });
    await open(MODES);
    const { id } = JSON.parse(await bench.toAgent.lines.next()) as { id: string };
    bench.agentSends(response(id, {}));
    const prompt = request(2, "session/prompt");
    bench.clientSends(prompt);
    expect(await bench.toAgent.lines.next()).toBe(lineOf(prompt));
    bench.agentSends(modeUpdate("auto"));
    await bench.untilClientHas();
    expect(told()).toBe(1);
    bench.agentSends(modeUpdate("plan"));
    await bench.untilClientHas();
    expect(told()).toBe(1);
  });
});

describe("a mode that the editor sets", () => {
  const byMode = (modeId: string) => request(5, "session/set_mode", { modeId });
  const byOption = (value: string) =>
    request(5, "session/set_config_option", { configId: "mode", value });
  const withOption = { configOptions: [modeOption("default")] };

  it.each([
    ["session/set_mode", MODES, byMode("auto"), response(5, {})],
    ["session/set_mode, answered with null", MODES, byMode("auto"), response(5, null)],
    [
      "session/set_config_option",
      withOption,
      byOption("auto"),
      response(5, { configOptions: [modeOption("auto")] }),
    ],
    [
      "session/set_config_option, answered with nothing",
      withOption,
      byOption("auto"),
      response(5, {}),
    ],
  ])(
    "with %s is told of where it does not ask; every byte passes",
    async (_, session, set, answer) => {
      const { bench, open, told } = benchOf();
      await open(session);
      bench.clientSends(set);
      expect(await bench.untilAgentHas()).toEqual([lineOf(set)]);
      expect(told()).toBe(0);
      bench.agentSends(answer);
      expect(await bench.untilClientHas()).toEqual([lineOf(answer)]);
      expect(told()).toBe(1);
      bench.agentSends(modeUpdate("auto"));
      await bench.untilClientHas();
      expect(told()).toBe(1);
    },
  );

  it.each([
    ["that asks", byMode("plan"), response(5, {})],
    ["that the agent refuses", byMode("auto"), { jsonrpc: "2.0", id: 5, error: { code: 1 } }],
    [
      "in a session that nobody opened",
      request(5, "session/set_mode", { sessionId: "other", modeId: "auto" }),
      response(5, {}),
    ],
    ["by another response", byMode("auto"), response("5", {})],
  ])("is not told of: %s", async (_, set, answer) => {
    const { bench, open, told } = benchOf();
    await open(MODES);
    bench.clientSends(set);
    await bench.untilAgentHas();
    bench.agentSends(answer);
    await bench.untilClientHas();
    expect(told()).toBe(0);
  });

  it("is what the agent reports of it, where its answer does", async () => {
    const { bench, open, told } = benchOf();
    await open(withOption);
    bench.clientSends(byOption("auto"));
    await bench.untilAgentHas();
    bench.agentSends(response(5, { configOptions: [modeOption("default")] }));
    await bench.untilClientHas();
    expect(told()).toBe(0);
  });
});

it("a session is busy until every prompt in it has its response", async () => {
  const { bench, sessions, open } = benchOf();
  await open(MODES);
  bench.clientSends(request(2, "session/prompt"));
  bench.clientSends(request(3, "session/prompt"));
  await bench.untilAgentHas();
  bench.agentSends(response(2, {}));
  await bench.untilClientHas();
  expect(sessions.busy).toEqual([SESSION]);
  const idle = sessions.idle();
  bench.agentSends(response(3, {}));
  await idle;
  expect(sessions.busy).toEqual([]);
});
