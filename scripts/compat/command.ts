import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { ROOT } from "../project.ts";
import type { AgentSettings } from "./agent-row.ts";
import type { Stage } from "./stage.ts";

export type Through = "run" | "proxy";

export interface DriveOptions {
  stage: Stage;
  server: string;
  residentInvite: string;
  settings: AgentSettings;
  /** Such as `2s`. */
  expiresIn?: string | undefined;
}

/** One process of the command under test. */
export class Command {
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
  said = "";

  constructor(
    name: Through,
    args: readonly string[],
    agent: readonly string[],
    { stage, server, residentInvite, settings, expiresIn }: DriveOptions,
  ) {
    const options = [
      ...(settings.mode === undefined ? [] : ["--mode", settings.mode]),
      ...Object.entries(settings.config ?? {}).flatMap(([id, value]) => [
        "--config",
        `${id}=${value}`,
      ]),
      ...(expiresIn === undefined ? [] : ["--expires-in", expiresIn]),
    ];
    this.child = spawn(
      process.execPath,
      [
        `${ROOT}src/cli/main.ts`,
        name,
        ...options,
        "--name=Agent",
        `--log=${stage.log}`,
        ...args,
        "--",
        ...agent,
      ],
      {
        cwd: stage.dir,
        env: {
          ...process.env,
          HANDRAISE_INVITE: residentInvite,
          HANDRAISE_SERVER: server,
          XDG_STATE_HOME: stage.state,
        },
        stdio: [name === "run" ? "ignore" : "pipe", "pipe", "pipe"],
      },
    );
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.said += text));
    // What the agent says; of the proxy, its client reads it.
    if (name === "run") this.child.stdout?.resume();
    this.ended = once(this.child, "close").then(() => undefined);
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.ended;
  }

  /** @returns false where it had to be killed */
  async endsWithin(ms: number): Promise<boolean> {
    const timer = setTimeout(() => this.child.kill("SIGKILL"), ms);
    await this.ended;
    clearTimeout(timer);
    return this.child.signalCode !== "SIGKILL";
  }
}
