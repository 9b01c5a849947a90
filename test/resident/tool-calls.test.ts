import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { BridgeBench, selected } from "../support/bridge-bench.ts";
import { ToolCallMemory } from "../../src/resident/tool-calls.ts";

const FIXTURES = new URL("../fixtures/acp/", import.meta.url);

interface Recorded {
  messages: {
    params: {
      sessionId: string;
      toolCall: { toolCallId: string };
      options: { optionId: string }[];
    };
  }[];
  updatesBefore: { params: { sessionId: string; update: Record<string, unknown> } }[];
}

function recorded(name: string): Recorded {
  return JSON.parse(readFileSync(new URL(name, FIXTURES), "utf8")) as Recorded;
}

function merged(name: string): Record<string, unknown>[] {
  const { messages, updatesBefore } = recorded(name);
  const memory = new ToolCallMemory();
  for (const { params } of updatesBefore) memory.note(params.sessionId, params.update);
  return messages.map(
    ({ params }) =>
      memory.merge(params.sessionId, params.toolCall).toolCall as Record<string, unknown>,
  );
}

describe("what earlier updates said of a tool call", () => {
  it("brings the diff of an edit that the request leaves out", () => {
    expect(merged("codex-edit.json")).toEqual([
      expect.objectContaining({
        toolCallId: "call_edit0_0_0",
        title: "Edit files",
        status: "pending",
        content: [expect.objectContaining({ type: "diff", newText: "alpha\ngamma\n" })],
      }),
    ]);
  });

  it.each(readdirSync(FIXTURES))("never changes what the request says itself: %s", (name) => {
    const requests = recorded(name).messages.map(({ params }) => params.toolCall);
    expect(merged(name)).toMatchObject(requests);
    for (const call of merged(name)) {
      expect(call).not.toHaveProperty("sessionUpdate");
    }
  });

  it("is not needed: a request without any goes as it is", () => {
    const toolCall = { toolCallId: "t1", title: "x" };
    expect(new ToolCallMemory().merge("s", toolCall).toolCall).toBe(toolCall);
  });

  it("is forgotten when the call is over or its id begins anew", () => {
    const memory = new ToolCallMemory();
    const first = { sessionUpdate: "tool_call", toolCallId: "t1", rawInput: { command: "ls" } };
    memory.note("s", first);
    memory.note("s", { sessionUpdate: "tool_call_update", toolCallId: "t1", status: "completed" });
    expect(memory.merge("s", { toolCallId: "t1" }).toolCall).toEqual({ toolCallId: "t1" });
    memory.note("s", first);
    memory.note("s", { sessionUpdate: "tool_call", toolCallId: "t1", title: "new" });
    expect(memory.merge("s", { toolCallId: "t1" }).toolCall).toEqual({
      toolCallId: "t1",
      title: "new",
    });
  });

  it("stays within its session and takes null as nothing said", () => {
    const memory = new ToolCallMemory();
    memory.note("s", { sessionUpdate: "tool_call", toolCallId: "t1", title: "one", kind: "edit" });
    memory.note("s", { sessionUpdate: "tool_call_update", toolCallId: "t1", title: null });
    expect(memory.merge("other", { toolCallId: "t1" }).toolCall).toEqual({ toolCallId: "t1" });
    expect(memory.merge("s", { toolCallId: "t1", kind: null }).toolCall).toEqual({
      toolCallId: "t1",
      title: "one",
      kind: "edit",
    });
  });

  it("is kept for a bounded number of calls, the newest", () => {
    const memory = new ToolCallMemory();
    for (let n = 0; n < 200; n += 1) {
      memory.note("s", { sessionUpdate: "tool_call", toolCallId: `t${n}`, title: "x" });
    }
    expect(memory.merge("s", { toolCallId: "t0" }).toolCall).toEqual({ toolCallId: "t0" });
    expect(memory.merge("s", { toolCallId: "t199" }).toolCall).toEqual({
      toolCallId: "t199",
      title: "x",
    });
  });
});

describe("requests of real agents", () => {
  it.each(readdirSync(FIXTURES))(
    "are asked whole, and any of their options comes back: %s",
    async (name) => {
      const { messages, updatesBefore } = recorded(name);
      for (const { params } of messages) {
        for (const { optionId } of params.options) {
          const bench = new BridgeBench();
          bench.bridge.openSession(params.sessionId);
          bench.bridge.startTurn(params.sessionId, "turn");
          for (const update of updatesBefore) bench.bridge.noteUpdate(update.params);
          const ask = bench.askRaw(params);
          const post = await bench.room.posts.next();
          expect(post.body.options).toEqual(params.options);
          expect(post.body.toolCall).toMatchObject(params.toolCall);
          bench.room.decide(post, optionId);
          expect(ask.answers).toEqual([selected(optionId)]);
        }
      }
    },
  );
});
