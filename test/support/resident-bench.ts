import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ResidentEvent } from "../../src/resident/events.ts";
import { Resident, type ResidentOptions } from "../../src/resident/resident.ts";
import { FakeRoom } from "./fake-room.ts";
import { Inbox } from "./inbox.ts";
import type { AgentReport, AgentScript } from "./scripted-agent.ts";

const SCRIPTED_AGENT = fileURLToPath(new URL("scripted-agent.ts", import.meta.url));

type Answer = Extract<AgentReport, { saw: "answer" }>;

/** A resident that drives a scripted agent over real stdio and asks a played Room. */
export class ResidentBench implements AsyncDisposable {
  readonly room = new FakeRoom();
  readonly events: ResidentEvent[] = [];
  readonly texts: string[] = [];
  /** What the agent saw, other than answers. */
  readonly reports = new Inbox<AgentReport>();
  readonly answers = new Inbox<Answer>();
  /** Lines of the agent's stderr that are no reports. */
  readonly stderr = new Inbox<string>();
  readonly folder = mkdtempSync(join(tmpdir(), "handraise-test-"));
  readonly marker = join(this.folder, "marker");
  #resident: Resident | undefined;

  get resident(): Resident {
    if (this.#resident === undefined) throw new Error("not started");
    return this.#resident;
  }

  async start(
    script: Omit<AgentScript, "marker">,
    options: Partial<ResidentOptions> = {},
  ): Promise<void> {
    const whole: AgentScript = { marker: this.marker, ...script };
    this.#resident = await Resident.start({
      command: { file: process.execPath, args: [SCRIPTED_AGENT, JSON.stringify(whole)] },
      cwd: this.folder,
      asks: { expiresInMs: 60_000 },
      emit: (event) => this.events.push(event),
      onText: (text) => this.texts.push(text),
      onStderr: (line) => this.#takeStderr(line),
      joinRoom: (handlers, talk) => {
        this.room.handlers = handlers;
        this.room.talk = talk;
        return Promise.resolve(this.room);
      },
      ...options,
    });
  }

  /** What the agent did because it was allowed to; undefined where it did nothing. */
  get ran(): string | undefined {
    return existsSync(this.marker) ? readFileSync(this.marker, "utf8") : undefined;
  }

  reasons(): string[] {
    return this.events.flatMap((event) => (event.type === "settled" ? [event.reason] : []));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resident?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #takeStderr(line: string): void {
    if (!line.startsWith('{"saw":')) {
      this.stderr.put(line);
      return;
    }
    const report = JSON.parse(line) as AgentReport;
    if (report.saw === "answer") this.answers.put(report);
    else this.reports.put(report);
  }
}

/** The whole JSON-RPC reply that selects an option. */
export function selectedReply(id: string | number, optionId: string): object {
  return { jsonrpc: "2.0", id, result: { outcome: { outcome: "selected", optionId } } };
}

export function cancelledReply(id: string | number): object {
  return { jsonrpc: "2.0", id, result: { outcome: { outcome: "cancelled" } } };
}
