import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { monotonicClock, settledWithin } from "./clock.ts";
import { StderrLines } from "./stderr-lines.ts";

/** An agent's command: one line as typed into a shell, or a program and its arguments. */
export type AgentCommand = { line: string } | { file: string; args: readonly string[] };

export type AgentEnd =
  | { kind: "exited"; code: number | null; signal: NodeJS.Signals | null }
  | { kind: "not_started"; message: string };

export interface AgentProcessOptions {
  cwd: string;
  /** The environment of the agent, without what is this resident's own. */
  env?: NodeJS.ProcessEnv;
  /** One line of the agent's own stderr. */
  onStderr?(line: string): void;
}

/** How long an agent may take to end after its stdin was closed, and again after SIGTERM. */
const GRACE_MS = 1_000;
/** A child of the agent can hold its stdout open long after the agent is gone. */
const DRAIN_MS = 500;

/**
 * The agent's process. It gets no HANDRAISE_* variable and no descriptor of this process: its three are fresh pipes. It leads a
 * process group of its own, so that ending it reaches what a wrapper (a shell, npx) started, and a Ctrl-C meant for the resident
 * does not end the agent before its questions are answered.
 */
export class AgentProcess {
  readonly stdin: WritableStream<Uint8Array>;
  readonly stdout: ReadableStream<Uint8Array>;
  /** Resolves when the agent is gone and its last output was taken, or when it could not be started. */
  readonly ended: Promise<AgentEnd>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  #isGone = false;

  constructor(command: AgentCommand, options: AgentProcessOptions) {
    const settings = {
      cwd: options.cwd,
      env: withoutOwnVariables(options.env ?? process.env),
      stdio: ["pipe", "pipe", "pipe"] as ["pipe", "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
    };
    // The operator typed the line for a shell, so a shell reads it: quotes, `~` and variables mean what they mean elsewhere.
    this.#child =
      "line" in command
        ? spawn(command.line, { ...settings, shell: true })
        : spawn(command.file, command.args, settings);
    this.ended = this.#watch();
    // A write to an agent that is gone fails where it was made; as an event nobody needs it.
    this.#child.stdin.on("error", () => undefined);
    this.stdin = Writable.toWeb(this.#child.stdin) as WritableStream<Uint8Array>;
    this.stdout = Readable.toWeb(this.#child.stdout) as unknown as ReadableStream<Uint8Array>;
    // Read even if nobody wants it: an agent must not hang on a full pipe.
    const lines = new StderrLines((line) => options.onStderr?.(line));
    this.#child.stderr.setEncoding("utf8");
    this.#child.stderr.on("data", (text: string) => lines.push(text)).on("end", () => lines.end());
    endWithThisProcess(this.#child);
  }

  /** Ends the agent: closes its stdin, then SIGTERM, then SIGKILL, within 5 s. What it left in its group ends with it. */
  async stop(): Promise<void> {
    this.#child.stdin.end();
    await this.#gone(GRACE_MS);
    if (!this.#isGone) {
      this.#signal("SIGTERM");
      await this.#gone(GRACE_MS);
    }
    this.#signal("SIGKILL");
    await this.#gone(GRACE_MS);
  }

  #watch(): Promise<AgentEnd> {
    return new Promise((resolve) => {
      this.#child.once("error", (error) => {
        if (this.#child.pid !== undefined) return;
        this.#isGone = true;
        resolve({ kind: "not_started", message: error.message });
      });
      this.#child.once("exit", (code, signal) => {
        this.#isGone = true;
        const end = (): void => resolve({ kind: "exited", code, signal });
        const drained = setTimeout(end, DRAIN_MS);
        this.#child.once("close", () => {
          clearTimeout(drained);
          end();
        });
      });
    });
  }

  #gone(ms: number): Promise<void> {
    return settledWithin(this.ended, ms, monotonicClock);
  }

  #signal(signal: NodeJS.Signals): void {
    signalGroup(this.#child, signal);
  }
}

const running = new Set<ChildProcess>();

/** Nobody is left to answer an agent whose resident has gone: what ends this process without `stop` ends the agent's group too. */
function endWithThisProcess(child: ChildProcess): void {
  if (running.size === 0) process.on("exit", killRunning);
  running.add(child);
  child.once("exit", () => {
    running.delete(child);
    if (running.size === 0) process.off("exit", killRunning);
  });
}

function killRunning(): void {
  for (const child of running) signalGroup(child, "SIGKILL");
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // Nobody is left in the group.
  }
}

function withoutOwnVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^HANDRAISE_/i.test(name)));
}
