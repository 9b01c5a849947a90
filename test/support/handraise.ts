import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { ROOT } from "../../scripts/project.ts";

const OUTPUT_TIMEOUT_MS = 30_000;

interface Options {
  /** HANDRAISE_* and what else is to differ from this process's environment. */
  env?: Record<string, string>;
  /** In place of the command as it stands in the sources. */
  command?: { file: string; args: readonly string[] };
  cwd?: string;
}

/** The `handraise` command as a process, with everything that it prints. */
export class Handraise {
  readonly #child: ChildProcess;
  readonly #events = new EventEmitter().setMaxListeners(0);
  readonly #ended: Promise<number | null>;
  #stdout = "";
  #stderr = "";
  #isOver = false;

  constructor(args: readonly string[], { env = {}, command, cwd = ROOT }: Options = {}) {
    const { file, args: first } = command ?? {
      file: process.execPath,
      args: [`${ROOT}src/cli/main.ts`],
    };
    this.#child = spawn(file, [...first, ...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#stdout += text;
      this.#events.emit("output");
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr += text;
      this.#events.emit("output");
    });
    // It may end before it has read what is written to it.
    this.#child.stdin?.on("error", () => undefined);
    this.#ended = once(this.#child, "close").then(([code]) => {
      this.#isOver = true;
      this.#events.emit("output");
      return code as number | null;
    });
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** Waits until what stands on stdout or stderr matches. `from`: an index into stdout to look from. */
  async printed(pattern: RegExp, from = 0): Promise<RegExpExecArray> {
    const signal = AbortSignal.timeout(OUTPUT_TIMEOUT_MS);
    for (;;) {
      const match = pattern.exec(this.#stdout.slice(from)) ?? pattern.exec(this.#stderr);
      if (match !== null) return match;
      const all = `${this.#stdout}\n--- stderr ---\n${this.#stderr}`;
      if (this.#isOver) throw new Error(`it ended without ${pattern}:\n${all}`);
      await once(this.#events, "output", { signal }).catch(() => {
        throw new Error(`it did not print ${pattern}:\n${all}`);
      });
    }
  }

  write(text: string): void {
    this.#child.stdin?.write(text);
  }

  endInput(text = ""): void {
    this.#child.stdin?.end(text);
  }

  /** The exit code, once everything that was printed has come. */
  exitCode(): Promise<number | null> {
    return this.#ended;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }
}
