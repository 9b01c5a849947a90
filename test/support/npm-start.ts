import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { ROOT } from "../../scripts/project.ts";

const LINE_TIMEOUT_MS = 90_000;

/** `npm start` as a person runs it, with everything that it prints. */
export class NpmStart {
  readonly #child: ChildProcess;
  readonly #events = new EventEmitter();
  #output = "";

  constructor(args: string[] = [], cwd: string = ROOT) {
    // A process group of its own, so that Ctrl-C can reach all of it, as a terminal's does.
    this.#child = spawn("npm", ["start", "--prefix", ROOT, "--", ...args], {
      cwd,
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
    });
    const keep = (chunk: Buffer): void => {
      this.#output += chunk.toString();
      this.#events.emit("output");
    };
    this.#child.stdout?.on("data", keep);
    this.#child.stderr?.on("data", keep);
    this.#child.once("exit", () => this.#events.emit("output"));
  }

  get output(): string {
    return this.#output;
  }

  /** Waits until what was printed matches. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    const signal = AbortSignal.timeout(LINE_TIMEOUT_MS);
    for (;;) {
      const match = pattern.exec(this.#output);
      if (match !== null) return match;
      const hasEnded = this.#child.exitCode !== null;
      if (hasEnded) throw new Error(`npm start ended without ${pattern}:\n${this.#output}`);
      await once(this.#events, "output", { signal }).catch(() => {
        throw new Error(`npm start did not print ${pattern}:\n${this.#output}`);
      });
    }
  }

  /** The human link. */
  async link(): Promise<string> {
    return (await this.printed(/http:\/\/\S+\/r#hr1\.hi\.\S+/))[0];
  }

  pressEnter(): void {
    this.#child.stdin?.write("\n");
  }

  /** Ctrl-C. @returns how long it took to end, in ms. */
  async interrupt(): Promise<number> {
    const started = performance.now();
    if (this.#child.exitCode !== null || this.#child.pid === undefined) return 0;
    const ended = once(this.#child, "exit");
    process.kill(-this.#child.pid, "SIGINT");
    await ended;
    return performance.now() - started;
  }

  kill(): void {
    if (this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, "SIGKILL");
    } catch {
      // Ended already.
    }
  }
}
