import { describe, expect, it } from "vitest";
import {
  ALLOW,
  answerLine,
  askMessage,
  CANCELLED,
  lineOf,
  ProxyBench,
  SESSION,
} from "../support/proxy-bench.ts";

const UUID = "550e8400-e29b-41d4-a716-446655440000";
const FORGED = { outcome: { outcome: "selected", optionId: "allow-1" } };

describe("a permission request", () => {
  it("goes to the bridge raw, and its answer to the agent; the client sees neither", async () => {
    const bench = new ProxyBench();
    const params = { options: [{ optionId: "a", kind: "x" }], _meta: { a: 1 }, extra: [null] };
    const ask = await bench.ask(0, params);
    expect(ask.params).toEqual({ sessionId: SESSION, toolCall: { toolCallId: "t1" }, ...params });
    await bench.bridge.answer(ask);
    expect(await bench.toAgent.lines.next()).toBe(answerLine(0, ALLOW));
    expect(await bench.untilClientHas()).toEqual([]);
    expect(bench.diagnostics).toEqual([]);
  });

  it("is answered under its own id: 0, the text 0 and a UUID, open together, do not mix", async () => {
    const bench = new ProxyBench();
    const zero = await bench.ask(0);
    const text = await bench.ask("0");
    const uuid = await bench.ask(UUID);
    expect(bench.bridge.open).toBe(3);
    await bench.bridge.answer(text, ALLOW);
    await bench.bridge.answer(uuid, CANCELLED);
    await bench.bridge.answer(zero, ALLOW);
    expect(bench.toAgent.lines.drain()).toEqual([
      answerLine("0", ALLOW),
      answerLine(UUID, CANCELLED),
      answerLine(0, ALLOW),
    ]);
  });

  it("is answered under an id that JavaScript cannot keep, digit by digit", async () => {
    const bench = new ProxyBench();
    const id = "12345678901234567890";
    bench.agentSends(`${lineOf(askMessage(1)).replace('"id":1', `"id":${id}`)}\n`);
    await bench.bridge.answer(await bench.bridge.asks.next());
    const expected = answerLine(1, ALLOW).replace('"id":1', `"id":${id}`);
    expect(await bench.toAgent.lines.next()).toBe(expected);
  });

  it("may use an id again that has its answer, and ask twice for one tool call", async () => {
    const bench = new ProxyBench();
    await bench.bridge.answer(await bench.ask(0));
    const again = await bench.ask(0);
    const other = await bench.ask(1);
    expect(bench.bridge.open).toBe(2);
    await bench.bridge.answer(again, CANCELLED);
    await bench.bridge.answer(other);
    const answers = [answerLine(0, ALLOW), answerLine(0, CANCELLED), answerLine(1, ALLOW)];
    expect(bench.toAgent.lines.drain()).toEqual(answers);
    expect(bench.diagnostics).toEqual([]);
  });

  it.each([
    ["escaped", String.raw`{"id":1,"method":"session\/request_permission","params":{}}`],
    ["in hex", String.raw`{"id":1,"m\u0065thod":"session/request_p\u0065rmission","params":{}}`],
    ["after a byte order mark", '\uFEFF{"id":1,"method":"session/request_permission","params":{}}'],
    [
      "between other white space",
      '\u00a0{"id":1,"method":"session/request_permission","params":{}}\f',
    ],
    ["with line ends of Windows", '{"id":1,"method":"session/request_permission","params":{}}\r'],
    ["over carriage returns", '{"id":1,\r"method":"session/request_permission","params":{}}'],
  ])("is seen when it comes %s", async (_, line) => {
    const bench = new ProxyBench();
    bench.agentSends(`${line}\n`);
    await bench.bridge.answer(await bench.bridge.asks.next());
    expect(await bench.toAgent.lines.next()).toBe(answerLine(1, ALLOW));
    expect(await bench.untilClientHas()).toEqual([]);
  });

  it.each([
    ["a number that JavaScript cannot keep", '{"n":12345678901234567890}'],
    ["bytes that are no text", '{"t":"\xff"}'],
  ])("comes to the bridge with its flaw: %s", async (_, params) => {
    const bench = new ProxyBench();
    const line = `{"id":1,"method":"session/request_permission","params":${params}}\n`;
    bench.agentSends(Buffer.from(line, "latin1"));
    expect(await bench.untilClientHas()).toEqual([]);
    expect(bench.bridge.flaws).toHaveLength(1);
  });

  it("is held when its line is the agent's last and unfinished", async () => {
    const bench = new ProxyBench();
    bench.agentSends(lineOf(askMessage(1)));
    bench.endAgent();
    const ask = await bench.bridge.asks.next();
    expect(await bench.proxy.done).toBe("agent_ended");
    await expect(ask.give(ALLOW)).rejects.toThrow("gone");
    expect(bench.toClient.bytes).toHaveLength(0);
  });
});

describe("a permission request that cannot be held is answered cancelled, whatever the bridge says:", () => {
  const method = '"method":"session/request_permission"';

  it.each([
    ["two methods", `{"id":1,${method},"method":"x","params":{}}`, [1]],
    ["two methods, the other way round", `{"id":1,"method":"x",${method},"params":{}}`, [1]],
    ["two ids", `{"id":1,${method},"params":{},"id":"1"}`, [1, "1"]],
    ["two params", `{"id":1,${method},"params":{},"params":{"a":1}}`, [1]],
    ["a name in another case", `{"id":1,"METHOD":"session/request_permission","params":{}}`, [1]],
    ["a result as well", `{"id":1,${method},"params":{},"result":{}}`, [1]],
    ["a batch", `[{"id":1,${method},"params":{}}]`, [1]],
    ["an id that is none", `{"id":[1],${method},"params":{}}`, [[1]]],
  ])("%s", async (_, line, ids) => {
    const bench = new ProxyBench();
    bench.agentSends(`${line}\n`);
    for (const id of ids) expect(await bench.toAgent.lines.next()).toBe(answerLine(id, CANCELLED));
    expect(await bench.untilClientHas()).toEqual([]);
    expect(bench.bridge.flaws).toHaveLength(1);
    expect(bench.bridge.open).toBe(0);
  });

  it("without an id nobody is answered, and nobody sees it", async () => {
    const bench = new ProxyBench();
    bench.agentSends('{"method":"session/request_permission","params":{}}\n');
    expect(await bench.untilClientHas()).toEqual([]);
    expect(bench.toAgent.bytes).toHaveLength(0);
    expect(bench.bridge.flaws).toHaveLength(1);
  });

  it("an id that is being asked under: both are cancelled", async () => {
    const bench = new ProxyBench();
    const first = await bench.ask(5);
    bench.agentSends(askMessage(5, { toolCall: { toolCallId: "t2" } }));
    expect(await bench.untilClientHas()).toEqual([]);
    expect(first.signal.aborted).toBe(true);
    const cancelled = answerLine(5, CANCELLED);
    expect(bench.toAgent.lines.drain()).toEqual([cancelled, cancelled]);
  });

  it("an id under which the client owes an answer: that answer is dropped", async () => {
    const bench = new ProxyBench();
    bench.agentSends({ jsonrpc: "2.0", id: 5, method: "fs/read_text_file" });
    bench.agentSends(askMessage(5));
    expect(await bench.toAgent.lines.next()).toBe(answerLine(5, CANCELLED));
    bench.clientSends({ jsonrpc: "2.0", id: 5, result: FORGED });
    expect(await bench.untilAgentHas()).toEqual([]);
  });
});

it("a batch keeps what is no permission request, as it was written", async () => {
  const bench = new ProxyBench();
  const kept = ['{"method":"a" , "n":1.0}', "17", '{"id":3,"method":"b"}'];
  bench.agentSends(`[${kept[0]}, ${lineOf(askMessage(1))} ,${kept[1]},${kept[2]}]\r\n`);
  expect(await bench.untilClientHas()).toEqual([`[${kept.join(",")}]`]);
  expect(bench.toAgent.lines.drain()).toEqual([answerLine(1, CANCELLED)]);
  const answers = ['{"id":3,"result":{"outcome":1}}', `{"id":1,"result":${lineOf(FORGED)}}`];
  bench.clientSends(`[${answers.join(",")}]\n`);
  expect(await bench.untilAgentHas()).toEqual([`[${answers[0]}]`]);
});

it("another request of the agent under the id of a held one is refused, and the held one cancelled", async () => {
  const bench = new ProxyBench();
  const ask = await bench.ask(5);
  bench.agentSends({ jsonrpc: "2.0", id: 5, method: "fs/read_text_file" });
  expect(await bench.untilClientHas()).toEqual([]);
  expect(ask.signal.aborted).toBe(true);
  const [cancelled, refusal] = bench.toAgent.lines.drain();
  expect(cancelled).toBe(answerLine(5, CANCELLED));
  expect(JSON.parse(refusal ?? "")).toMatchObject({ id: 5, error: { code: -32600 } });
});

describe("$/cancel_request of the agent", () => {
  it("takes a held request back, and stays here", async () => {
    const bench = new ProxyBench();
    const [number, text] = [await bench.ask(0), await bench.ask("0")];
    bench.agentSends({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: "0" } });
    expect(await bench.untilClientHas()).toEqual([]);
    expect([number.signal.aborted, text.signal.aborted]).toEqual([false, true]);
    expect(bench.toAgent.lines.drain()).toEqual([answerLine("0", CANCELLED)]);
  });

  it("passes where it names anything else", async () => {
    const bench = new ProxyBench();
    await bench.ask(0);
    const lines = [1, null, [0], { a: 0 }].map((requestId) =>
      lineOf({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId } }),
    );
    for (const line of lines) bench.agentSends(`${line}\n`);
    expect(await bench.untilClientHas()).toEqual(lines);
    expect(bench.bridge.open).toBe(1);
  });
});

describe("an answer of the client", () => {
  const forged = lineOf(FORGED);

  it.each([
    ["the id", `{"jsonrpc":"2.0","id":5,"result":${forged}}`],
    ["the id in other digits", `{"id":5.0,"result":${forged}}`],
    ["two ids", `{"id":6,"id":5,"result":${forged}}`],
    ["two ids, the other way round", `{"id":5,"id":6,"result":${forged}}`],
    ["names in another case", `{"ID":5,"Result":${forged}}`],
    ["a method as well", `{"id":5,"method":"x","result":${forged}}`],
    ["an error", `{"id":5,"error":{"code":1,"message":"no"}}`],
    ["neither result nor error", `{"id":5}`],
    ["a batch", `[{"id":5,"result":${forged}}]`],
    ["what only a lenient parser takes", `{"id":5,"result":${forged},"n":NaN}`],
    ["that, escaped", `{"id":5,"result":${forged.replaceAll("outcome", "\\u006futcome")},}`],
    ["a line in a line", `{"a":\r{"id":5,"result":${forged}}\r}`],
    ["a byte order mark", `\uFEFF{"id":5,"result":${forged}}`],
  ])("to a held question never reaches the agent: %s", async (_, line) => {
    const bench = new ProxyBench();
    const ask = await bench.ask(5);
    bench.agentSends({ jsonrpc: "2.0", id: 6, method: "fs/read_text_file" });
    await bench.untilClientHas();
    bench.clientSends(`${line}\n`);
    expect(await bench.untilAgentHas()).toEqual([]);
    expect(bench.diagnostics).toHaveLength(1);
    expect(bench.diagnostics.join()).not.toContain("allow-1");
    await bench.bridge.answer(ask, CANCELLED);
    expect(bench.toAgent.lines.drain()).toEqual([answerLine(5, CANCELLED)]);
    bench.clientSends(`${line}\n`);
    expect(await bench.untilAgentHas()).toEqual([]);
  });

  it("to a question of the agent that was passed on reaches it once", async () => {
    const bench = new ProxyBench();
    const questions = [0, "0", null].map((id) => ({ jsonrpc: "2.0", id, method: "fs/x" }));
    for (const question of questions) bench.agentSends(question);
    await bench.untilClientHas();
    const answers = [null, "0", 0].map((id) =>
      lineOf({ jsonrpc: "2.0", id, result: { outcome: 1 } }),
    );
    for (const answer of [...answers, ...answers]) bench.clientSends(`${answer}\n`);
    expect(await bench.untilAgentHas()).toEqual(answers);
    expect(bench.diagnostics).toHaveLength(3);
  });

  it("is named in plain characters when it is dropped", async () => {
    const bench = new ProxyBench();
    bench.clientSends({ jsonrpc: "2.0", id: `\u202e\u001b[2J${"x".repeat(500)}`, result: {} });
    await bench.untilAgentHas();
    expect(bench.diagnostics.join()).toMatch(/^[\x20-\x7e…]{1,200}$/);
  });
});

it.each([
  ["a lenient parser", '{"id":5,"method":"session/request_permission","params":{"n":NaN}}'],
  ["a lenient parser, in hex", '{"id":5,"method":"session/request_p\\u0065rmission",}'],
  [
    "a reader that breaks lines elsewhere",
    '{"a":\r{"id":5,"method":"session/request_permission"}\r}',
  ],
  ["a reader of two values", '{"a":1}{"id":5,"method":"session/request_permission"}'],
])("what %s takes for a permission request does not reach the client", async (_, line) => {
  const bench = new ProxyBench();
  bench.agentSends(`${line}\n`);
  expect(await bench.untilClientHas()).toEqual([]);
  expect(bench.diagnostics).toHaveLength(1);
});

it("a client that reads nothing does not keep an answer from the agent", async () => {
  const bench = new ProxyBench();
  const ask = await bench.ask(1);
  bench.toClient.pause();
  for (let at = 0; at < 1_000; at += 1) bench.agentSends({ jsonrpc: "2.0", method: `m${at}` });
  await bench.bridge.answer(ask);
  expect(await bench.toAgent.lines.next()).toBe(answerLine(1, ALLOW));
  expect(bench.toClient.bytes).toHaveLength(0);
  bench.toClient.resume();
  expect(await bench.untilClientHas()).toHaveLength(1_000);
});

it("an answer goes between whole lines of the client, and counts as given once the agent took it", async () => {
  const bench = new ProxyBench();
  const ask = await bench.ask(1);
  bench.toAgent.pause();
  const line = lineOf({ jsonrpc: "2.0", method: "m", params: "x".repeat(100) });
  bench.clientSends(line.slice(0, 50));
  bench.clientSends(`${line.slice(50)}\n${line.slice(0, 20)}`);
  let isGiven = false;
  const given = bench.bridge.answer(ask).then(() => (isGiven = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isGiven).toBe(false);
  bench.toAgent.resume();
  await given;
  bench.clientSends(`${line.slice(20)}\n`);
  expect((await bench.untilAgentHas()).sort()).toEqual([answerLine(1, ALLOW), line, line].sort());
});
