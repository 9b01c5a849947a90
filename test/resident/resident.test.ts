import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PermissionOption } from "../../src/protocol/index.ts";
import { MAX_QUEUED_PROMPTS } from "../../src/resident/prompt-queue.ts";
import { STD } from "../support/fake-room.ts";
import { cancelledReply, ResidentBench, selectedReply } from "../support/resident-bench.ts";
import type { OfferedOption, ScriptStep } from "../support/scripted-agent.ts";

const OPTIONS = STD as OfferedOption[];
const CALL = { toolCallId: "t1", title: "make marker", kind: "execute" };
const END: ScriptStep = { do: "end", stopReason: "end_turn" };

function ask(id: string | number, options: PermissionOption[] = STD): ScriptStep {
  return { do: "ask", id, toolCall: CALL, options: options as OfferedOption[] };
}
function awaiting(id: string | number): ScriptStep {
  return { do: "await", id };
}

describe("the reply to the agent", () => {
  // B11, B12
  it("is the option that a person pressed, in the protocol's own shape; a refusing one runs nothing", async () => {
    await using bench = new ResidentBench();
    await bench.start({ turns: [[ask(0), awaiting(0), ask(1), awaiting(1), END]] });
    const turn = bench.resident.prompt("go");
    bench.room.decide(await bench.room.posts.next(), "no-2");
    const refused = await bench.answers.next();
    expect(refused).toMatchObject({ valid: true, message: selectedReply(0, "no-2") });
    expect(bench.ran).toBeUndefined();
    bench.room.decide(await bench.room.posts.next(), "allow-1");
    const allowed = await bench.answers.next();
    expect(allowed).toMatchObject({ valid: true, message: selectedReply(1, "allow-1") });
    expect(await turn).toMatchObject({ kind: "answered", stopReason: "end_turn" });
    expect(bench.ran).toBe("1 allow-1\n");
    expect(bench.room.acks.map(([, applied]) => applied)).toEqual([true, true]);
    expect(bench.reasons()).toEqual(["human_refused", "human_allowed"]);
  });

  // B12, B30
  it("is cancelled in the protocol's own shape when the card expires, and the turn goes on", async () => {
    await using bench = new ResidentBench();
    await bench.start({ turns: [[ask(0), awaiting(0), END]] });
    const turn = bench.resident.prompt("go");
    bench.room.expire(await bench.room.posts.next());
    expect(await bench.answers.next()).toMatchObject({ valid: true, message: cancelledReply(0) });
    expect(await turn).toMatchObject({ kind: "answered", stopReason: "end_turn" });
    expect(bench.room.posts.drain()).toEqual([]);
    expect(bench.ran).toBeUndefined();
  });

  // B13
  it("is cancelled for a decision of an option that was not offered", async () => {
    await using bench = new ResidentBench();
    await bench.start({ turns: [[ask(0), awaiting(0), END]] });
    const turn = bench.resident.prompt("go");
    bench.room.decide(await bench.room.posts.next(), "nope");
    expect(await bench.answers.next()).toMatchObject({ message: cancelledReply(0) });
    await turn;
    expect(bench.ran).toBeUndefined();
    expect(bench.room.acks.map(([, applied]) => applied)).toEqual([false]);
  });

  // B15
  it("carries the agent's own id, of its own type: 0, a text, and a text that looks like 0", async () => {
    await using bench = new ResidentBench();
    const ids = [0, "550e-uuid", "0"];
    await bench.start({ turns: [[...ids.map((id) => ask(id)), ...ids.map(awaiting), END]] });
    const turn = bench.resident.prompt("go");
    const posts = [];
    for (const _ of ids) posts.push(await bench.room.posts.next());
    bench.room.decide(posts[2]!, "allow-1");
    expect((await bench.answers.next()).message).toEqual(selectedReply("0", "allow-1"));
    bench.room.decide(posts[0]!, "no-2");
    expect((await bench.answers.next()).message).toEqual(selectedReply(0, "no-2"));
    bench.room.decide(posts[1]!, "always-9");
    expect((await bench.answers.next()).message).toEqual(selectedReply("550e-uuid", "always-9"));
    await turn;
    expect(bench.ran).toBe('"0" allow-1\n"550e-uuid" always-9\n');
  });

  it("takes back the text 0, not the number, when the agent cancels the request of that id", async () => {
    await using bench = new ResidentBench();
    const steps: ScriptStep[] = [
      ask(0),
      ask("0"),
      { do: "cancel_request", id: "0" },
      awaiting("0"),
      awaiting(0),
      END,
    ];
    await bench.start({ turns: [steps] });
    const turn = bench.resident.prompt("go");
    const first = await bench.room.posts.next();
    expect((await bench.answers.next()).message).toEqual(cancelledReply("0"));
    bench.room.decide(first, "allow-1");
    expect((await bench.answers.next()).message).toEqual(selectedReply(0, "allow-1"));
    await turn;
  });

  // B56
  it("is the second of two refusing options where that was pressed, and the agent's next ask gets its card", async () => {
    await using bench = new ResidentBench();
    const options = [
      { optionId: "cancel", name: "No, and tell the agent what to do", kind: "reject_once" },
      { optionId: "decline", name: "No, go on", kind: "reject_once" },
      { optionId: "yes", name: "Yes", kind: "allow_once" },
    ];
    await bench.start({
      turns: [[ask(0, options), awaiting(0), ask(1, options), awaiting(1), END]],
    });
    const turn = bench.resident.prompt("go");
    bench.room.decide(await bench.room.posts.next(), "decline");
    expect((await bench.answers.next()).message).toEqual(selectedReply(0, "decline"));
    bench.room.decide(await bench.room.posts.next(), "yes");
    await turn;
    expect(bench.ran).toBe("1 yes\n");
  });

  it("passes an option of an unknown kind through, where a typed reader would refuse the request", async () => {
    await using bench = new ResidentBench();
    const options = [{ optionId: "x", name: "Maybe", kind: "allow_persistent" }];
    await bench.start({ turns: [[ask(0, options), awaiting(0), END]] });
    const turn = bench.resident.prompt("go");
    const post = await bench.room.posts.next();
    expect(post.body.options).toEqual(options);
    bench.room.decide(post, "x");
    expect((await bench.answers.next()).message).toEqual(selectedReply(0, "x"));
    await turn;
  });

  // B107
  it("goes to each of five parallel asks in any order", async () => {
    await using bench = new ResidentBench();
    const ids = [0, 1, 2, 3, 4];
    await bench.start({ turns: [[...ids.map((id) => ask(id)), ...ids.map(awaiting), END]] });
    const turn = bench.resident.prompt("go");
    const posts = [];
    for (const _ of ids) posts.push(await bench.room.posts.next());
    for (const index of [3, 1, 4, 0, 2]) {
      bench.room.decide(posts[index]!, index % 2 === 0 ? "allow-1" : "no-2");
    }
    await turn;
    expect(bench.ran).toBe("4 allow-1\n0 allow-1\n2 allow-1\n");
  });
});

// B62
it("a refused tool that the agent ends as failed is two facts, and the next turn works", async () => {
  await using bench = new ResidentBench();
  const failed: ScriptStep = {
    do: "update",
    update: { sessionUpdate: "tool_call_update", toolCallId: CALL.toolCallId, status: "failed" },
  };
  await bench.start({ turns: [[ask(0), awaiting(0), failed, END]] });
  for (const optionId of ["no-2", "allow-1"]) {
    const turn = bench.resident.prompt("go");
    bench.room.decide(await bench.room.posts.next(), optionId);
    expect(await turn).toMatchObject({ kind: "answered", stopReason: "end_turn" });
  }
  const facts = bench.events.flatMap((event) =>
    event.type === "settled"
      ? [event.reason]
      : event.type === "tool_finished"
        ? [event.status]
        : [],
  );
  expect(facts).toEqual(["human_refused", "failed", "human_allowed", "failed"]);
  expect(bench.ran).toBe("0 allow-1\n");
});

describe("what the agent sent before", () => {
  it("stands on the card where the request leaves it out, though its updates are of unknown kinds too", async () => {
    await using bench = new ResidentBench();
    const diff = { type: "diff", path: "/w/a", oldText: "1", newText: "2" };
    const steps: ScriptStep[] = [
      { do: "update", update: { sessionUpdate: "from_the_future", anything: true } },
      {
        do: "update",
        update: {
          sessionUpdate: "tool_call",
          toolCallId: "t1",
          kind: "brand_new",
          content: [diff],
        },
      },
      ask(0),
      awaiting(0),
      END,
    ];
    await bench.start({ turns: [steps] });
    const turn = bench.resident.prompt("go");
    const post = await bench.room.posts.next();
    expect(post.body.toolCall).toEqual({ ...CALL, content: [diff] });
    bench.room.decide(post, "allow-1");
    await turn;
  });

  it("is shown as its text", async () => {
    await using bench = new ResidentBench();
    const content = { type: "text", text: "hello" };
    await bench.start({
      turns: [[{ do: "update", update: { sessionUpdate: "agent_message_chunk", content } }, END]],
    });
    await bench.resident.prompt("go");
    expect(bench.texts).toEqual(["hello"]);
  });
});

it("what another session of the agent says is neither its text nor its answer", async () => {
  await using bench = new ResidentBench();
  const say = (text: string, sessionId?: string): ScriptStep => ({
    do: "update",
    update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
    ...(sessionId === undefined ? {} : { sessionId }),
  });
  const call: ScriptStep = {
    do: "update",
    update: { sessionUpdate: "tool_call", toolCallId: "t9", title: "x" },
    sessionId: "sub-agent",
  };
  await bench.start({ turns: [[say("mine"), say("theirs", "sub-agent"), call, END]] });
  expect(await bench.resident.prompt("go")).toMatchObject({ kind: "answered", text: "mine" });
  expect(bench.texts).toEqual(["mine"]);
});

describe("a turn that ends with an ask open", () => {
  // B53 a, B54
  it("by session/cancel: answered cancelled, once, and so is what still comes", async () => {
    await using bench = new ResidentBench();
    const steps: ScriptStep[] = [
      ask(0),
      { do: "await_cancel" },
      awaiting(0),
      ask(1),
      awaiting(1),
      { do: "end", stopReason: "cancelled" },
    ];
    await bench.start({ turns: [steps] });
    const turn = bench.resident.prompt("go");
    const post = await bench.room.posts.next();
    await bench.resident.cancel();
    expect((await bench.answers.next()).message).toEqual(cancelledReply(0));
    expect((await bench.answers.next()).message).toEqual(cancelledReply(1));
    expect(await turn).toMatchObject({ kind: "answered", stopReason: "cancelled" });
    expect(bench.room.withdrawn).toEqual([[post.body.requestId, "turn_cancelled"]]);
    expect(bench.room.handlers?.parked()).toEqual([]);
    expect(bench.answers.drain()).toEqual([]);
  });

  // B53 b, B60: a prompt never supersedes a turn here; it waits for the end of it.
  it("with another prompt waiting: the card stays answerable, the prompt is handled once", async () => {
    await using bench = new ResidentBench();
    await bench.start({ turns: [[ask(0), awaiting(0), END], [END]] });
    const first = bench.resident.prompt("one");
    const post = await bench.room.posts.next();
    const second = bench.resident.prompt("two");
    bench.room.decide(post, "allow-1");
    await first;
    await second;
    expect(bench.ran).toBe("0 allow-1\n");
    expect(await bench.reports.next()).toEqual({ saw: "prompt", text: "one" });
    expect(await bench.reports.next()).toEqual({ saw: "prompt", text: "two" });
    expect(bench.reports.drain()).toEqual([]);
  });

  it.each<[string, ScriptStep, object]>([
    ["that the agent leaves dangling", END, { kind: "answered", stopReason: "end_turn" }],
    // B53 c
    [
      "because the prompt fails",
      { do: "fail", code: -32603, message: "boom" },
      { kind: "failed", message: "boom" },
    ],
  ])("%s: answered cancelled, withdrawn, and a second turn works", async (_, last, end) => {
    await using bench = new ResidentBench();
    await bench.start({
      turns: [
        [ask(0), last],
        [ask(0), awaiting(0), END],
      ],
    });
    const turn = bench.resident.prompt("go");
    expect(await turn).toMatchObject(end);
    expect((await bench.answers.next()).message).toEqual(cancelledReply(0));
    const { body } = await bench.room.posts.next();
    expect(bench.room.withdrawn).toEqual([[body.requestId, "turn_ended"]]);
    const again = bench.resident.prompt("again");
    bench.room.decide(await bench.room.posts.next(), "allow-1");
    await again;
    expect(bench.ran).toBe("0 allow-1\n");
  });

  // B53 e
  it("is not the end of it where the agent takes its request back", async () => {
    await using bench = new ResidentBench();
    await bench.start({ turns: [[ask(7), { do: "cancel_request", id: 7 }, awaiting(7), END]] });
    expect(await bench.resident.prompt("go")).toMatchObject({
      kind: "answered",
      stopReason: "end_turn",
    });
    expect(await bench.answers.next()).toMatchObject({ valid: true, message: cancelledReply(7) });
    expect(bench.reasons()).toEqual(["request_cancelled"]);
  });

  // B57
  it("because the agent reports its call as completed: closed without naming anybody", async () => {
    await using bench = new ResidentBench();
    const update = { sessionUpdate: "tool_call_update", toolCallId: "t1", status: "completed" };
    await bench.start({ turns: [[ask(0), { do: "update", update }, awaiting(0), END]] });
    await bench.resident.prompt("go");
    expect(bench.reasons()).toEqual(["tool_settled"]);
    expect(bench.room.withdrawn.map(([, reason]) => reason)).toEqual(["tool_settled"]);
  });

  it("because the agent's process ends: withdrawn, and the resident is over", async () => {
    await using bench = new ResidentBench();
    await bench.start({ turns: [[ask(0), { do: "exit", code: 3 }]] });
    const turn = bench.resident.prompt("go");
    expect(await bench.resident.ended).toEqual({ kind: "exited", code: 3, signal: null });
    expect(await turn).toMatchObject({ kind: "failed" });
    expect(await bench.room.withdrawals.next()).toMatchObject({ 1: "agent_ended" });
  });
});

describe("a resident that is asked to stop", () => {
  // B53 d
  it("cancels and withdraws what is open, and ends the agent", async () => {
    await using bench = new ResidentBench();
    await bench.start({ turns: [[ask(0), { do: "hang" }]] });
    const turn = bench.resident.prompt("go");
    const { body } = await bench.room.posts.next();
    await bench.resident.stop();
    expect((await bench.answers.next()).message).toEqual(cancelledReply(0));
    expect(bench.room.withdrawn).toEqual([[body.requestId, "resident_stopped"]]);
    expect(await bench.resident.ended).toMatchObject({ kind: "exited", code: 0 });
    expect(await turn).toMatchObject({ kind: "failed" });
    expect(bench.room.isClosed).toBe(true);
  });

  it("ends an agent that ignores the end of its stdin and SIGTERM, within five seconds", async () => {
    await using bench = new ResidentBench();
    await bench.start({ stubborn: true, turns: [[{ do: "hang" }]] });
    void bench.resident.prompt("go");
    await bench.reports.next();
    const began = performance.now();
    await bench.resident.stop();
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(await bench.resident.ended).toMatchObject({ signal: "SIGKILL" });
  });

  it("turns away prompts that wait", async () => {
    await using bench = new ResidentBench();
    await bench.start({ turns: [[{ do: "hang" }]] });
    const turns = [bench.resident.prompt("go")];
    for (let n = 0; n < MAX_QUEUED_PROMPTS; n += 1) turns.push(bench.resident.prompt("more"));
    expect(await bench.resident.prompt("too many")).toMatchObject({ reason: "queue_full" });
    await bench.reports.next();
    await bench.resident.stop();
    const [first, ...others] = await Promise.all(turns);
    expect(first).toMatchObject({ kind: "failed" });
    expect(others).toHaveLength(MAX_QUEUED_PROMPTS);
    expect(others).toEqual(others.map(() => ({ kind: "not_run", reason: "stopped" })));
  });
});

describe("what else an agent may ask", () => {
  it.each([
    "fs/write_text_file",
    "terminal/create",
    "elicitation/create",
    "craft/drainMidTurnQueue",
  ])("%s is answered -32601 at once", async (method) => {
    await using bench = new ResidentBench();
    await bench.start({
      turns: [[{ do: "request", id: 5, method, params: { path: "/x" } }, awaiting(5), END]],
    });
    await bench.resident.prompt("go");
    expect((await bench.answers.next()).message).toMatchObject({
      id: 5,
      error: { code: -32601 },
    });
  });

  // B59
  it("permission for a session that was not opened is cancelled at once, with a line", async () => {
    await using bench = new ResidentBench();
    const foreign: ScriptStep = {
      do: "ask",
      id: 0,
      sessionId: "sub-agent",
      toolCall: CALL,
      options: OPTIONS,
    };
    await bench.start({ turns: [[foreign, awaiting(0), END]] });
    await bench.resident.prompt("go");
    expect(await bench.answers.next()).toMatchObject({ valid: true, message: cancelledReply(0) });
    const types = bench.events.map(({ type }) => type);
    expect(types).toEqual(["turn_started", "settled", "diagnostic", "turn_ended"]);
    expect(bench.room.posts.drain()).toEqual([]);
  });

  it("does not hold up what it says meanwhile: a card open, lines of noise, and a second ask", async () => {
    await using bench = new ResidentBench();
    const content = { type: "text", text: "still here" };
    const steps: ScriptStep[] = [
      ask(0),
      { do: "raw", text: "not JSON at all" },
      { do: "update", update: { sessionUpdate: "agent_message_chunk", content } },
      ask(1),
      awaiting(1),
      awaiting(0),
      END,
    ];
    await bench.start({ turns: [steps] });
    const turn = bench.resident.prompt("go");
    const first = await bench.room.posts.next();
    const second = await bench.room.posts.next();
    expect(bench.texts).toEqual(["still here"]);
    bench.room.decide(second, "allow-1");
    bench.room.decide(first, "allow-1");
    expect(await turn).toMatchObject({ kind: "answered" });
    expect(bench.ran).toBe("1 allow-1\n0 allow-1\n");
  });
});

describe("starting", () => {
  it("refuses an agent that speaks another protocol version, and leaves no process", async () => {
    await using bench = new ResidentBench();
    const start = bench.start({ protocolVersion: 2, turns: [] });
    await expect(start).rejects.toThrow("The agent speaks ACP version 2, not 1");
    expect(bench.room.handlers).toBeUndefined();
  });

  it("says what an agent died of", async () => {
    await using bench = new ResidentBench();
    await expect(bench.start({ exitAtOnce: 7, turns: [] })).rejects.toThrow("exit code 7");
  });

  it("says that a program does not exist", async () => {
    await using bench = new ResidentBench();
    const command = { file: join(bench.folder, "no-such-agent"), args: [] };
    const start = bench.start({ turns: [] }, { command });
    await expect(start).rejects.toThrow("The agent could not be started");
  });

  it("ends the agent where the Room cannot be joined", async () => {
    await using bench = new ResidentBench();
    const joinRoom = () => Promise.reject(new Error("no Room"));
    await expect(bench.start({ turns: [] }, { joinRoom })).rejects.toThrow("no Room");
  });

  it("gives up when it is told to, and does so no more once it has started", async () => {
    await using bench = new ResidentBench();
    const givenUp = new AbortController();
    await bench.start({ turns: [[END]] }, { signal: givenUp.signal });
    givenUp.abort();
    expect(await bench.resident.prompt("go")).toMatchObject({ kind: "answered" });
    await using other = new ResidentBench();
    const inTime = new AbortController();
    const joinRoom = () => {
      inTime.abort();
      return Promise.reject(new Error("given up"));
    };
    await expect(other.start({ turns: [] }, { joinRoom, signal: inTime.signal })).rejects.toThrow(
      "given up",
    );
  });

  it("reads a command line as a shell does", async () => {
    await using bench = new ResidentBench();
    await bench.start(
      { turns: [] },
      { command: { line: `exec "${process.execPath}" $AGENT_ARGS` }, ...scriptInEnvironment() },
    );
    expect(await bench.resident.prompt("go")).toMatchObject({ stopReason: "end_turn" });
  });

  it("gives the agent none of this resident's variables or descriptors", async () => {
    await using bench = new ResidentBench();
    const secret = join(bench.folder, "secret");
    const descriptor = openSync(secret, "w");
    try {
      await bench.start(
        { turns: [[{ do: "report_process" }, END]] },
        { env: { ...process.env, HANDRAISE_INVITE: "hr1.secret", OTHER: "1" } },
      );
      await bench.resident.prompt("go");
    } finally {
      closeSync(descriptor);
    }
    const seen = JSON.parse(bench.ran ?? "") as { env: string[]; descriptors: string[] };
    expect(seen.env).toContain("OTHER");
    expect(seen.env.filter((name) => name.startsWith("HANDRAISE"))).toEqual([]);
    expect(seen.descriptors).not.toContain(secret);
  });
});

/** A scripted agent whose arguments a shell has to find in a variable. */
function scriptInEnvironment() {
  const agent = new URL("../support/scripted-agent.ts", import.meta.url).pathname;
  const script = JSON.stringify({ marker: "marker", turns: [[END]] });
  return { env: { ...process.env, AGENT_ARGS: `${agent} ${script}` } };
}

describe("the agent's stderr", () => {
  it("comes line by line", async () => {
    await using bench = new ResidentBench();
    await bench.start({ turns: [[{ do: "stderr", text: "warning: something" }, END]] });
    await bench.resident.prompt("go");
    expect(await bench.stderr.next()).toBe("warning: something");
  });
});
