// A scripted agent for `npm run compat`: takes its steps from the prompt and really carries them out, asking first as its mode says.
//   node compat-agent.ts [--fault FAULT]                             the agent, on stdio
//   node compat-agent.ts --print-prompt CASE DIR URL OUTSIDE         the prompt of a case
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** What it does wrong on purpose. */
export type Fault =
  /** Carries everything out at once and asks nobody. */
  | "asks_nobody"
  /** Carries out what it asks about before anybody has answered. */
  | "runs_before"
  /** Whatever the answer is, it goes ahead. */
  | "ignores_refusal"
  /** Carries out twice what was allowed once. */
  | "runs_twice"
  | "never_ends"
  /** Takes every mode, and stays in its own. */
  | "keeps_mode";

type Step =
  | { do: "execute"; command: string }
  | { do: "write"; file: string; text: string }
  | { do: "edit"; file: string; from: string; to: string }
  | { do: "fetch"; url: string }
  | { do: "switch_mode" };

interface Message {
  id?: number;
  method?: string;
  params?: { cwd?: string; modeId?: string; prompt?: { text?: string }[] };
  result?: { outcome?: { outcome?: string; optionId?: string } };
}

const SESSION = "session-1";
const OPTIONS = [
  { optionId: "once", name: "Allow once", kind: "allow_once" },
  { optionId: "always", name: "Always allow", kind: "allow_always" },
  { optionId: "no", name: "Deny", kind: "reject_once" },
];
const MODES = ["default", "acceptEdits", "plan", "auto"];

/** One list for each reply of its model; what stands in one list is asked about at the same time. */
function stepsOf(task: string, dir: string, url: string, outside: string): Step[][] {
  const shell: Step = { do: "execute", command: "echo ran-shell >> ran.txt" };
  switch (task) {
    case "shell":
      return [[shell]];
    case "plain":
      return [[{ do: "execute", command: "echo ran-plain >> ran.txt" }]];
    case "write":
      return [[{ do: "write", file: `${dir}/new.txt`, text: "hello\nworld\n" }]];
    case "edit":
      return [[{ do: "edit", file: `${dir}/notes.txt`, from: "beta", to: "gamma" }]];
    case "fetch":
      return [[{ do: "fetch", url }]];
    case "plan":
      return [[{ do: "switch_mode" }], [shell]];
    case "parallel": {
      const commands = ["A", "B"].map((name) => `echo ran-${name} >> ran.txt`);
      return [commands.map((command) => ({ do: "execute", command }))];
    }
    case "twice":
      return [[shell], [shell]];
    case "outside":
      return [[{ do: "execute", command: `echo ran-outside >> '${outside}/ran.txt'` }]];
    default:
      console.error("it has no such case");
      return process.exit(2);
  }
}

class CompatAgent {
  readonly #fault: Fault | undefined;
  readonly #waiting = new Map<number, (optionId: string | undefined) => void>();
  readonly #always = new Set<string>();
  #cwd = process.cwd();
  #mode = "auto";
  #lastId = -1;
  #isCancelled = false;

  static start(fault: Fault | undefined): void {
    const agent = new CompatAgent(fault);
    const lines = createInterface({ input: process.stdin });
    lines.on("line", (line) => agent.#take(JSON.parse(line) as Message));
    lines.on("close", () => process.exit(0));
  }

  private constructor(fault: Fault | undefined) {
    this.#fault = fault;
  }

  #take({ id, method, params, result }: Message): void {
    switch (method) {
      case undefined:
        if (id !== undefined) this.#waiting.get(id)?.(result?.outcome?.optionId);
        break;
      case "initialize":
        this.#send({
          id,
          result: { protocolVersion: 1, agentInfo: { name: "scripted", version: "1.0.0" } },
        });
        break;
      case "session/new":
        this.#cwd = params?.cwd ?? this.#cwd;
        this.#send({ id, result: { sessionId: SESSION, configOptions: this.#configOptions() } });
        break;
      case "session/set_config_option":
        if (this.#fault !== "keeps_mode")
          this.#mode = String((params as { value?: unknown }).value);
        this.#send({ id, result: { configOptions: this.#configOptions() } });
        break;
      case "session/prompt":
        void this.#runTurn(id, params?.prompt?.[0]?.text ?? "");
        break;
      case "session/cancel":
        this.#isCancelled = true;
        break;
      default:
        if (id !== undefined) this.#send({ id, error: { code: -32601, message: "not found" } });
    }
  }

  async #runTurn(id: number | undefined, prompt: string): Promise<void> {
    this.#isCancelled = false;
    for (const together of JSON.parse(prompt) as Step[][]) {
      await Promise.all(together.map((step) => this.#runStep(step)));
      if (this.#isCancelled) break;
    }
    // As a real one was seen to: it asks once more after it was told to stop.
    if (this.#isCancelled)
      await this.#runStep({ do: "execute", command: "echo ran-late >> ran.txt" });
    if (this.#fault === "never_ends") return;
    const stopReason = this.#isCancelled ? "cancelled" : "end_turn";
    this.#send({ id, result: { stopReason } });
  }

  async #runStep(step: Step): Promise<void> {
    const key = JSON.stringify(step);
    const fault = this.#fault;
    if (fault === "runs_before") await this.#carryOut(step);
    if (fault === "asks_nobody" || !this.#asksFor(step) || this.#always.has(key)) {
      await this.#carryOut(step);
      return;
    }
    const optionId = await this.#ask(step);
    const isAllowed = optionId === "once" || optionId === "always" || fault === "ignores_refusal";
    if (optionId === "always") this.#grant(step, key);
    if (!isAllowed || fault === "runs_before") return;
    await this.#carryOut(step);
    if (fault === "runs_twice") await this.#carryOut(step);
  }

  #asksFor(step: Step): boolean {
    if (this.#mode === "auto") return false;
    return this.#mode !== "acceptEdits" || (step.do !== "write" && step.do !== "edit");
  }

  #grant(step: Step, key: string): void {
    if (step.do === "execute" || step.do === "fetch") this.#always.add(key);
    else {
      this.#mode = "acceptEdits";
      const update = { sessionUpdate: "current_mode_update", currentModeId: this.#mode };
      this.#send({ method: "session/update", params: { sessionId: SESSION, update } });
    }
  }

  #ask(step: Step): Promise<string | undefined> {
    this.#lastId += 1;
    const id = this.#lastId;
    const kind = step.do === "write" ? "edit" : step.do;
    const title = step.do === "execute" ? step.command : step.do;
    const toolCall = { toolCallId: `call-${id}`, title, kind, rawInput: step };
    const params = { sessionId: SESSION, toolCall, options: OPTIONS };
    this.#send({ id, method: "session/request_permission", params });
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
    });
  }

  async #carryOut(step: Step): Promise<void> {
    switch (step.do) {
      case "execute":
        execFileSync("/bin/sh", ["-c", step.command], { cwd: this.#cwd });
        break;
      case "write":
        writeFileSync(step.file, step.text);
        break;
      case "edit":
        writeFileSync(step.file, readFileSync(step.file, "utf8").replace(step.from, step.to));
        break;
      case "fetch":
        await (await fetch(step.url)).text();
        break;
      case "switch_mode":
        this.#mode = "default";
    }
  }

  #configOptions(): object[] {
    const options = MODES.map((value) => ({ value, name: value }));
    return [
      {
        id: "mode",
        name: "Mode",
        category: "mode",
        type: "select",
        currentValue: this.#mode,
        options,
      },
    ];
  }

  #send(message: object): void {
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }
}

const [first, ...rest] = process.argv.slice(2);
if (first === "--print-prompt") {
  const [task = "", dir = "", url = "", outside = ""] = rest;
  console.log(JSON.stringify(stepsOf(task, dir, url, outside)));
} else {
  CompatAgent.start(rest[0] as Fault | undefined);
}
