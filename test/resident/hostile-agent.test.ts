import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { DecisionLog } from "../../src/resident/decision-log.ts";
import { PolicyFiles } from "../../src/resident/policy-files.ts";
import { takeLock } from "../../src/resident/process-lock.ts";
import { StderrLines } from "../../src/resident/stderr-lines.ts";
import { STD } from "../support/fake-room.ts";
import { cancelledReply, ResidentBench, selectedReply } from "../support/resident-bench.ts";
import type { OfferedOption, ScriptStep } from "../support/scripted-agent.ts";

const OPTIONS = STD as OfferedOption[];
const END: ScriptStep = { do: "end", stopReason: "end_turn" };
const ask = (id: string | number): ScriptStep => ({
  do: "ask",
  id,
  toolCall: { toolCallId: "t1", kind: "execute" },
  options: OPTIONS,
});
const awaiting = (id: string | number): ScriptStep => ({ do: "await", id });
const raw = (text: string): ScriptStep => ({ do: "raw", text });
const folder = mkdtempSync(join(tmpdir(), "handraise-hostile-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a value that did not survive an earlier update", () => {
  const update = (text: string) =>
    raw(
      `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"session-1","update":${text}}}`,
    );
  const call = (amount: string) =>
    `{"sessionUpdate":"tool_call","toolCallId":"t1","title":"Pay","rawInput":{"amount":${amount}}}`;

  it("is not asked about, and one that did is", async () => {
    await using bench = new ResidentBench();
    await bench.start({
      turns: [
        [update(call("12345678901234567890")), ask(0), awaiting(0), update(call("5")), ask(1), END],
      ],
    });
    const turn = bench.resident.prompt("go");
    expect(await bench.answers.next()).toMatchObject({ message: cancelledReply(0) });
    const { body } = await bench.room.posts.next();
    expect(body.toolCall["rawInput"]).toEqual({ amount: 5 });
    await turn;
    expect(bench.reasons()).toEqual(["unreadable", "turn_ended"]);
  });

  it("is no matter where the request says it itself", async () => {
    await using bench = new ResidentBench();
    const own: ScriptStep = {
      do: "ask",
      id: 0,
      toolCall: { toolCallId: "t1", title: "Pay", rawInput: { amount: 7 } },
      options: OPTIONS,
    };
    await bench.start({ turns: [[update(call("12345678901234567890")), own, END]] });
    await bench.resident.prompt("go");
    expect((await bench.room.posts.next()).body.toolCall["rawInput"]).toEqual({ amount: 7 });
  });
});

describe("JSON-RPC ids", () => {
  it("of an open question that another takes leave neither allowed", async () => {
    await using bench = new ResidentBench();
    await bench.start({ turns: [[ask(7), ask(7), { do: "await_cancel" }, END]] });
    const turn = bench.resident.prompt("go");
    const answers = [await bench.answers.next(), await bench.answers.next()];
    expect(answers.map(({ message }) => message)).toEqual(Array(2).fill(cancelledReply(7)));
    // The first may have reached the Room before the second took its id.
    for (const post of bench.room.posts.drain()) bench.room.decide(post, "allow-1");
    await bench.resident.cancel();
    await turn;
    expect(bench.ran).toBeUndefined();
    expect(bench.reasons()).toEqual(["unreadable", "unreadable"]);
  });

  it("of a question before people that another takes: told as that, for each, not as taken back", async () => {
    await using bench = new ResidentBench();
    await bench.start({ turns: [[ask(7), ask(8), awaiting(8), ask(7), awaiting(7), END]] });
    const turn = bench.resident.prompt("go");
    const { body } = await bench.room.posts.next();
    bench.room.decide(await bench.room.posts.next(), "no-2");
    await turn;
    expect(bench.room.withdrawn).toEqual([[body.requestId, "request_cancelled"]]);
    expect(bench.reasons()).toEqual(["human_refused", "unreadable", "unreadable"]);
    expect(bench.events).toContainEqual({
      type: "diagnostic",
      requestId: body.requestId,
      reason: "unreadable",
      text: "A permission request was given up: another request of the agent's has its id.",
    });
    expect(bench.room.said.join()).not.toContain("took its request back");
    expect(bench.ran).toBeUndefined();
  });

  it("may be used again once they were answered", async () => {
    await using bench = new ResidentBench();
    await bench.start({ turns: [[ask(7), awaiting(7), ask(7), awaiting(7), END]] });
    const turn = bench.resident.prompt("go");
    for (const optionId of ["no-2", "allow-1"]) {
      bench.room.decide(await bench.room.posts.next(), optionId);
      expect((await bench.answers.next()).message).toEqual(selectedReply(7, optionId));
    }
    await turn;
  });

  it.each(["true", "{}", "[1]", "null"])(
    "that are none, as %s, are refused and recorded",
    async (id) => {
      await using bench = new ResidentBench();
      const params = `{"sessionId":"session-1","toolCall":{"toolCallId":"t1"},"options":[]}`;
      const line = `{"jsonrpc":"2.0","id":${id},"method":"session/request_permission","params":${params}}`;
      await bench.start({ turns: [[raw(line), ask(1), awaiting(1), END]] });
      const turn = bench.resident.prompt("go");
      bench.room.decide(await bench.room.posts.next(), "no-2");
      await turn;
      expect(bench.reasons()).toEqual(["unreadable", "human_refused"]);
    },
  );

  it("do not let an agent use a name that is this resident's own", async () => {
    await using bench = new ResidentBench();
    const methods = ["handraise/request_permission", "handraise/session_update"];
    await bench.start({
      turns: [
        [
          ...methods.map((method, id): ScriptStep => ({ do: "request", id, method, params: {} })),
          ...methods.map((_, id) => awaiting(id)),
          END,
        ],
      ],
    });
    await bench.resident.prompt("go");
    for (const id of methods.keys()) {
      expect((await bench.answers.next()).message).toMatchObject({ id, error: { code: -32601 } });
    }
    expect(bench.reasons()).toEqual([]);
  });
});

it("what is asked after a stop, until the turn is over, gets its answer", async () => {
  await using bench = new ResidentBench();
  await bench.start({
    turns: [
      [ask(0), { do: "await_cancel" }, ask(1), awaiting(1), { do: "end", stopReason: "cancelled" }],
    ],
  });
  const turn = bench.resident.prompt("go");
  await bench.room.posts.next();
  await bench.resident.stop();
  await turn;
  const answers = [await bench.answers.next(), await bench.answers.next()];
  expect(answers.map(({ message }) => message)).toEqual([cancelledReply(0), cancelledReply(1)]);
});

describe("an agent's stderr without a line end", () => {
  it("is handed on in part, and says how much more there was", () => {
    const lines: string[] = [];
    const stderr = new StderrLines((line) => lines.push(line));
    for (let part = 0; part < 100; part += 1) stderr.push("x".repeat(1_000));
    stderr.push("\nshort\r\n\nopen");
    stderr.end();
    expect(lines[0]).toBe(`${"x".repeat(16_384)} [83616 characters more]`);
    expect(lines.slice(1)).toEqual(["short", "", "open"]);
  });
});

describe.skipIf(process.platform === "win32")("a file that has become a pipe", () => {
  const pipe = (name: string): string => {
    const file = join(folder, name);
    rmSync(file, { force: true });
    expect(spawnSync("mkfifo", [file]).status).toBe(0);
    return file;
  };

  it("as a policy denies what it denied and allows nothing, at once", () => {
    const file = join(folder, "policy.json");
    writeFileSync(file, '{"execute":"auto_allow","delete":"auto_deny"}');
    const policies = new PolicyFiles({ agent: file, prefer: "once", onNotice: () => undefined });
    pipe("policy.json");
    const answer = (kind: string) => policies.answer({ toolCallId: "t", kind }, STD).kind;
    expect([answer("execute"), answer("delete")]).toEqual(["ask", "deny"]);
  });

  it("as a log or a lock does not hold anything up", () => {
    expect(() => new DecisionLog(pipe("log"), "Agent")).toThrow("ENXIO");
    expect(() => takeLock(pipe("lock"))).toThrow("not a regular file");
  });
});

it("a policy without end is refused, at once", () => {
  const options = { agent: "/dev/zero", prefer: "once", onNotice: () => undefined } as const;
  expect(() => new PolicyFiles(options)).toThrow("not a regular file");
});

it("a log that is removed is begun anew", () => {
  const file = join(folder, "removed.log");
  const log = new DecisionLog(file, "Agent");
  rmSync(file);
  log.note({ type: "tool_finished", requestId: "r", toolKind: "execute", status: "completed" });
  expect(readFileSync(file, "utf8")).toContain('"requestId":"r"');
});

it.skipIf(!existsSync("/proc/self/stat"))(
  "a holder that has ended but was not reaped holds no lock",
  async () => {
    const file = join(folder, "zombie.lock");
    const module = fileURLToPath(new URL("../../src/resident/process-lock.ts", import.meta.url));
    const code = `import { takeLock } from ${JSON.stringify(module)}; takeLock(${JSON.stringify(file)}); console.log("held"); setInterval(() => {}, 1000);`;
    // A shell that starts the holder and then becomes a program that never asks after its child.
    const script = `"$0" --input-type=module -e "$1" & exec sleep 60`;
    const parent = spawn("sh", ["-c", script, process.execPath, code], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(parent.stdout, "data");
    expect(takeLock(file)).toBeUndefined();
    const { pid } = JSON.parse(readFileSync(file, "utf8")) as { pid: number };
    process.kill(pid, "SIGKILL");
    const state = () => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.[0];
    while (state() !== "Z") await new Promise<void>((resolve) => setImmediate(resolve));
    expect(takeLock(file)).toBeDefined();
    parent.kill("SIGKILL");
    await once(parent, "exit");
  },
);
