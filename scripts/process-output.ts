import type { ChildProcess } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { stripVTControlCharacters } from "node:util";

/** The last lines that a process wrote. */
export class ProcessOutput {
  readonly #lines: string[] = [];
  readonly #events = new EventEmitter();

  constructor(child: ChildProcess, log: ((line: string) => void) | undefined) {
    const keep = (chunk: Buffer): void => {
      for (const raw of chunk.toString().split("\n")) {
        const line = stripVTControlCharacters(raw).trim();
        if (line === "") continue;
        this.#lines.push(line);
        if (this.#lines.length > 50) this.#lines.shift();
        log?.(line);
      }
      this.#events.emit("line");
    };
    child.stdout?.on("data", keep);
    child.stderr?.on("data", keep);
  }

  get text(): string {
    return this.#lines.join("\n");
  }

  /** Only the process itself can say that it is ready: whatever else answers on its port cannot. */
  async printed(pattern: RegExp, signal: AbortSignal): Promise<void> {
    while (!pattern.test(this.text)) await once(this.#events, "line", { signal });
  }
}
