import { describe, expect, it } from "vitest";
import {
  answerLine,
  ALLOW,
  CANCELLED,
  lineOf,
  ProxyBench,
  SESSION,
} from "../support/proxy-bench.ts";

function request(id: unknown, method: string, params: object = { sessionId: SESSION }): object {
  return { jsonrpc: "2.0", id, method, params };
}

function response(id: unknown, result: unknown): object {
  return { jsonrpc: "2.0", id, result };
}

const CANCEL = { jsonrpc: "2.0", method: "session/cancel", params: { sessionId: SESSION } };

/** What happened, in order: of the messages what they are about. */
function digest(log: string[]): string[] {
  return log.map((entry) => {
    const [, to, json] = /^(to \w+): (.*)$/.exec(entry) ?? [];
    if (to === undefined || json === undefined) return entry;
    const message = JSON.parse(json) as { method?: string; id?: unknown; result?: object };
    return `${to}: ${message.method ?? `${lineOf({ id: message.id })} ${lineOf(message.result ?? {})}`}`;
  });
}

describe("a turn", () => {
  it("starts before the agent has the prompt, and ends before the client has its end", async () => {
    const bench = new ProxyBench();
    bench.clientSends(request(1, "session/prompt"));
    await bench.toAgent.lines.next();
    bench.agentSends(response(1, { stopReason: "end_turn" }));
    await bench.toClient.lines.next();
    expect(digest(bench.log)).toEqual([
      `start ${SESSION}`,
      "to agent: session/prompt",
      `end ${SESSION}`,
      'to client: {"id":1} {"stopReason":"end_turn"}',
    ]);
    expect(bench.bridge.turnIds).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });

  it("that ends closes its dangling questions, and those of no other session", async () => {
    const bench = new ProxyBench();
    bench.clientSends(request(1, "session/prompt"));
    bench.clientSends(request("1", "session/prompt", { sessionId: "other" }));
    await bench.untilAgentHas();
    await bench.ask(0);
    const other = await bench.ask(1, { sessionId: "other" });
    bench.agentSends({ jsonrpc: "2.0", id: 1, error: { code: 1, message: "broken" } });
    await bench.untilClientHas();
    expect(bench.toAgent.lines.drain()).toEqual([answerLine(0, CANCELLED)]);
    await bench.bridge.answer(other);
    expect(bench.toAgent.lines.drain()).toEqual([answerLine(1, ALLOW)]);
  });

  it("does not end with a response under another type of id, nor twice", async () => {
    const bench = new ProxyBench();
    bench.clientSends(request(1, "session/prompt"));
    await bench.untilAgentHas();
    bench.agentSends(response("1", {}));
    await bench.untilClientHas();
    expect(bench.log).not.toContain(`end ${SESSION}`);
    bench.agentSends(response(1, {}));
    bench.agentSends(response(1, {}));
    await bench.untilClientHas();
    expect(bench.log.filter((entry) => entry === `end ${SESSION}`)).toHaveLength(1);
  });

  it.each([[[1, 2]], [[2, 1]]])(
    "that a second prompt follows ends with the response to its own prompt: %j",
    async (order) => {
      const bench = new ProxyBench();
      bench.clientSends(request(1, "session/prompt"));
      bench.clientSends(request(2, "session/prompt"));
      await bench.untilAgentHas();
      const { turnIds, endedTurnIds } = bench.bridge;
      expect(new Set(turnIds).size).toBe(2);
      for (const id of order) {
        bench.agentSends(response(id, {}));
        await bench.untilClientHas();
        expect(endedTurnIds.at(-1)).toBe(turnIds[id - 1]);
      }
      expect([turnIds.length, endedTurnIds.length]).toEqual([2, 2]);
    },
  );

  it("that the client cancels: the agent learns it before its questions are answered", async () => {
    const bench = new ProxyBench();
    bench.clientSends(request(1, "session/prompt"));
    await bench.toAgent.lines.next();
    await bench.ask(0);
    bench.log.length = 0;
    bench.clientSends(`${lineOf(CANCEL)}\n${lineOf(request(2, "session/prompt"))}\n`);
    await bench.untilAgentHas();
    const happened = digest(bench.log);
    const toAgent = happened.filter((entry) => entry.startsWith("to agent"));
    expect(toAgent.slice(0, 3)).toEqual([
      "to agent: session/cancel",
      `to agent: {"id":0} ${lineOf(CANCELLED)}`,
      "to agent: session/prompt",
    ]);
    const calls = happened.filter((entry) => !entry.startsWith("to"));
    expect(calls).toEqual([`cancel ${SESSION}`, `start ${SESSION}`]);
  });
});

it("an update is noted raw, before what follows it is asked, and passes", async () => {
  const bench = new ProxyBench();
  const params = { sessionId: SESSION, update: { sessionUpdate: "new", x: [1] } };
  bench.agentSends({ jsonrpc: "2.0", method: "session/update", params });
  expect(await bench.untilClientHas()).toHaveLength(1);
  expect(bench.log[0]).toBe(`note ${lineOf(params)}`);
});

describe("an end", () => {
  it("of the agent closes what it asked, after its last words have passed", async () => {
    const bench = new ProxyBench();
    const ask = await bench.ask(0);
    bench.agentSends('{"jsonrpc":"2.0","method":"last"}\nunfin');
    bench.agentSends("ished");
    bench.endAgent();
    expect(await bench.proxy.done).toBe("agent_ended");
    expect(bench.toClient.bytes.toString()).toBe('{"jsonrpc":"2.0","method":"last"}\nunfinished');
    expect(bench.log).toContain("end agent");
    await expect(ask.give(ALLOW)).rejects.toThrow("gone");
    expect(bench.toAgent.bytes).toHaveLength(0);
  });

  it("of an agent that reads nothing rejects the answer that it was being given", async () => {
    const bench = new ProxyBench();
    const ask = await bench.ask(0);
    bench.toAgent.pause();
    const given = bench.bridge.answer(ask);
    bench.endAgent();
    await expect(given).rejects.toThrow("gone");
  });

  it("of the client leaves the agent everything that it sent, and what is held to be answered", async () => {
    const bench = new ProxyBench();
    const ask = await bench.ask(0);
    bench.toAgent.pause();
    bench.clientSends('{"jsonrpc":"2.0","method":"last"}\nunfinished');
    bench.client.end();
    bench.toAgent.resume();
    expect(await bench.proxy.done).toBe("client_closed");
    const sent = '{"jsonrpc":"2.0","method":"last"}\nunfinished';
    expect(bench.toAgent.bytes.toString()).toBe(sent);
    await bench.bridge.answer(ask, CANCELLED);
    expect(bench.toAgent.bytes.toString()).toBe(`${sent}\n${answerLine(0, CANCELLED)}\n`);
  });

  it("of the client that is a failure is an end as well", async () => {
    const bench = new ProxyBench();
    bench.client.destroy(new Error("ECONNRESET"));
    expect(await bench.proxy.done).toBe("client_closed");
  });

  it("of the proxy leaves what it holds to be answered", async () => {
    const bench = new ProxyBench();
    const ask = await bench.ask(0);
    bench.proxy.close();
    expect(await bench.proxy.done).toBe("closed");
    await bench.bridge.answer(ask, CANCELLED);
    expect(await bench.toAgent.lines.next()).toBe(answerLine(0, CANCELLED));
  });
});

it.each([2, "1", undefined])(
  "a protocol version %s ends the proxy: what asks in it is not known",
  async (version) => {
    const bench = new ProxyBench();
    bench.clientSends(request(0, "initialize", { protocolVersion: 2 }));
    await bench.untilAgentHas();
    bench.agentSends(response(0, { protocolVersion: version }));
    expect(await bench.proxy.done).toEqual({
      error: expect.objectContaining({ message: expect.stringContaining("version 1") }),
    });
    expect(bench.toClient.bytes).toHaveLength(0);
  },
);

it("the agent's introduction is told, and passes", async () => {
  const introductions: unknown[] = [];
  const bench = new ProxyBench({ onInitialized: (result) => introductions.push(result) });
  bench.clientSends(request(0, "initialize", {}));
  bench.clientSends(request(1, "initialize", {}));
  await bench.untilAgentHas();
  const result = { protocolVersion: 1, agentInfo: { name: "a" } };
  bench.agentSends({ jsonrpc: "2.0", id: 0, error: { code: 1, message: "not yet" } });
  bench.agentSends(response(1, result));
  expect(await bench.untilClientHas()).toHaveLength(2);
  expect(introductions).toEqual([result]);
});

describe("what is done in a session first", () => {
  function gatedBench() {
    const opened: { sessionId: string; result: unknown }[] = [];
    const work = Promise.withResolvers<void>();
    const answers: unknown[] = [];
    const started = Promise.withResolvers<void>();
    const bench = new ProxyBench({
      requestTimeoutMs: 10_000,
      onSessionOpened: async (session, request) => {
        opened.push(session);
        started.resolve();
        answers.push(await request("session/set_mode", { modeId: "ask" }));
        await work.promise;
      },
    });
    return { bench, opened, work, answers, started: started.promise };
  }

  it.each([
    ["session/new", {}, { sessionId: "s", modes: 1 }],
    ["session/fork", { sessionId: "old" }, { sessionId: "s" }],
    ["session/load", { sessionId: "s" }, null],
    ["session/resume", { sessionId: "s" }, {}],
  ])(
    "after %s, keeps the client's messages back until it is done",
    async (method, params, result) => {
      const { bench, opened, work, answers, started } = gatedBench();
      bench.clientSends(request(1, method, params));
      await bench.toAgent.lines.next();
      bench.agentSends(response(1, result));
      await started;
      expect(await bench.toClient.lines.next()).toBe(lineOf(response(1, result)));
      expect(opened).toEqual([{ sessionId: "s", result }]);
      bench.clientSends(request(2, "session/prompt"));
      bench.clientSends(CANCEL);
      const own = JSON.parse(await bench.toAgent.lines.next()) as { id: string };
      expect(own).toMatchObject({ method: "session/set_mode", params: { modeId: "ask" } });
      expect(own.id).toMatch(/^handraise-[0-9a-f-]{36}$/);
      bench.agentSends(response(own.id, { ok: true }));
      await bench.untilClientHas();
      expect(answers).toEqual([{ ok: true }]);
      expect(bench.toAgent.lines.drain()).toEqual([]);
      expect(bench.log).not.toContain(`start ${SESSION}`);
      work.resolve();
      expect(await bench.untilAgentHas()).toEqual([
        lineOf(request(2, "session/prompt")),
        lineOf(CANCEL),
      ]);
      expect(bench.toClient.lines.drain()).toEqual([]);
    },
  );

  it("comes before a prompt that was sent in one breath with session/load; answers still go through", async () => {
    const { bench, work, started } = gatedBench();
    const load = request(1, "session/load");
    const prompt = request(2, "session/prompt");
    bench.agentSends(request("fs", "fs/read_text_file"));
    await bench.untilClientHas();
    const answer = response("fs", { content: "" });
    bench.clientSends([load, answer, prompt].map((message) => `${lineOf(message)}\n`).join(""));
    expect(await bench.toAgent.lines.next()).toBe(lineOf(load));
    expect(await bench.toAgent.lines.next()).toBe(lineOf(answer));
    bench.agentSends(response(1, null));
    await started;
    const own = JSON.parse(await bench.toAgent.lines.next()) as { id: string };
    bench.agentSends(response(own.id, {}));
    await bench.untilClientHas();
    expect(bench.bridge.turnIds).toEqual([]);
    work.resolve();
    expect(await bench.toAgent.lines.next()).toBe(lineOf(prompt));
    expect(bench.bridge.turnIds).toHaveLength(1);
  });

  it("is nothing where no session was opened", async () => {
    const { bench, opened } = gatedBench();
    bench.clientSends(request(1, "session/new"));
    await bench.toAgent.lines.next();
    bench.agentSends({ jsonrpc: "2.0", id: 1, error: { code: 1, message: "no" } });
    await bench.untilClientHas();
    bench.clientSends(request(2, "session/prompt"));
    expect(await bench.untilAgentHas()).toHaveLength(1);
    expect(opened).toEqual([]);
  });

  it("ends the proxy when the agent refuses it, and no prompt gets through", async () => {
    const { bench } = gatedBench();
    bench.clientSends(request(1, "session/new"));
    await bench.toAgent.lines.next();
    bench.agentSends(response(1, { sessionId: "s" }));
    const own = JSON.parse(await bench.toAgent.lines.next()) as { id: string };
    bench.clientSends(request(2, "session/prompt"));
    const error = { code: -32602, message: "no such mode\u001b[2J" };
    bench.agentSends({ jsonrpc: "2.0", id: own.id, error });
    const end = (await bench.proxy.done) as { error: Error };
    expect(end.error.message).toBe("The agent refused session/set_mode: no such mode\\u{1b}[2J");
    await new Promise((resolve) => setImmediate(resolve));
    expect(bench.toAgent.lines.drain()).toEqual([]);
    expect(bench.bridge.turnIds).toEqual([]);
  });

  it("ends the proxy when the agent does not answer in time", async () => {
    const bench = new ProxyBench({
      requestTimeoutMs: 5,
      onSessionOpened: async (_, request) => void (await request("session/set_mode", {})),
    });
    bench.clientSends(request(1, "session/new"));
    await bench.toAgent.lines.next();
    bench.agentSends(response(1, { sessionId: "s" }));
    const end = (await bench.proxy.done) as { error: Error };
    expect(end.error.message).toContain("within 5 ms");
  });

  it("is no failure of its own when the agent ends meanwhile", async () => {
    const { bench, started } = gatedBench();
    bench.clientSends(request(1, "session/new"));
    await bench.toAgent.lines.next();
    bench.agentSends(response(1, { sessionId: "s" }));
    await started;
    bench.endAgent();
    expect(await bench.proxy.done).toBe("agent_ended");
  });
});
