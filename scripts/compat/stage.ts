import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AgentRow, fillIn } from "./agent-row.ts";
import type { FetchTarget } from "./fetch-target.ts";
import { NOTES, type Places, type TaskName } from "./tasks.ts";
import { Transcript } from "./transcript.ts";

const PROMPT_TIMEOUT_MS = 30_000;
const TAP = fileURLToPath(new URL("tap.mjs", import.meta.url));

/** This agent has no such case. */
export class NoSuchCase extends Error {
  override readonly name = "NoSuchCase";
}

/** One process of an agent, to be started by the command under test. */
export interface StagedAgent {
  argv: string[];
  transcript(): Transcript;
  /** Whether it, or something that it started, is still there. */
  isAlive(): boolean;
}

/** The folders of one case, and what its agent's processes left there. */
export class Stage implements Places {
  readonly #root = mkdtempSync(join(tmpdir(), "handraise-compat-"));
  readonly dir = join(this.#root, "project");
  readonly outside = join(this.#root, "outside");
  readonly home = join(this.#root, "home");
  readonly state = join(this.#root, "state");
  readonly fetched = join(this.#root, "fetched");
  readonly log = join(this.#root, "decisions.jsonl");
  readonly #row: AgentRow;
  readonly #url: string;
  readonly #prompts = new Map<TaskName, Promise<string>>();
  #processes = 0;

  constructor(row: AgentRow, target: FetchTarget) {
    this.#row = row;
    for (const folder of [this.dir, this.outside, this.home, this.state]) mkdirSync(folder);
    writeFileSync(join(this.dir, "notes.txt"), NOTES);
    this.#url = target.add(this.fetched);
  }

  /** The agent's command for one more process, and where what crosses its stdio is written. */
  nextAgent(): StagedAgent {
    this.#processes += 1;
    const file = join(this.#root, `transcript-${this.#processes}.jsonl`);
    const { dir, home } = this;
    const command = fillIn(this.#row.command, { dir, home });
    const pidFile = this.#pidFile(this.#processes);
    return {
      argv: [process.execPath, TAP, file, pidFile, command],
      transcript: () => new Transcript(file),
      isAlive: () => existsSync(pidFile) && isGroupAlive(readFileSync(pidFile, "utf8")),
    };
  }

  /** @throws NoSuchCase */
  promptFor(task: TaskName): Promise<string> {
    const prompt = this.#prompts.get(task) ?? this.#printPrompt(task);
    this.#prompts.set(task, prompt);
    return prompt;
  }

  async #printPrompt(task: TaskName): Promise<string> {
    const { dir, home, outside } = this;
    const values = { case: task, dir, home, outside, url: this.#url };
    const child = spawn(fillIn(this.#row.prompt, values), {
      shell: true,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: PROMPT_TIMEOUT_MS,
    });
    let [prompt, said] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (prompt += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
    const code = await new Promise<number | null>((resolve) => {
      child.once("close", (exitCode) => resolve(exitCode));
    });
    const why = said.trim().split("\n").at(-1) ?? "";
    if (code === 2) throw new NoSuchCase(why);
    if (code !== 0 || prompt.trim() === "") throw new Error(`no prompt for ${task}: ${why}`);
    return prompt.trim();
  }

  /** SIGKILL to every process of the agent that is still there. */
  killAgents(): void {
    for (let number = 1; number <= this.#processes; number += 1) {
      const file = this.#pidFile(number);
      if (!existsSync(file)) continue;
      const pid = Number(readFileSync(file, "utf8"));
      rmSync(file, { force: true });
      if (pid > 1) killGroup(pid);
    }
  }

  end(): void {
    this.killAgents();
    // What was just killed may still be writing.
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  #pidFile(number: number): string {
    return join(this.#root, `pid-${number}`);
  }
}

/** A process that nobody has waited for yet is dead all the same. */
function isGroupAlive(group: string): boolean {
  const list = execFileSync("ps", ["-A", "-o", "pgid=,stat="], { encoding: "utf8" });
  return list.split("\n").some((line) => {
    const [pgid, stat = ""] = line.trim().split(/\s+/);
    return pgid === group && !stat.startsWith("Z");
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody is left in the group.
  }
}
