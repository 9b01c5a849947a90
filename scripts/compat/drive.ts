import { AcpClient } from "./acp-client.ts";
import { Command, type DriveOptions, type Through } from "./command.ts";
import type { StagedAgent } from "./stage.ts";

/** What `run` and `proxy` may take to end once they were told to. */
const STOP_MS = 8000;

/** The command under test with one process of an agent. */
export interface Drive {
  readonly through: Through;
  /** Runs one turn. Resolves when it is over, however: the transcript tells. `run` takes one only. */
  turn(prompt: string): Promise<void>;
  /** Stops the turn in its middle, as people do: SIGTERM to `run`, `session/cancel` through `proxy`. */
  stop(): void;
  /** SIGKILL to the command itself; its agent is left alone. */
  kill(): Promise<void>;
  /** Ends it in its own way, once its turns are over. @returns whether it ended in time */
  end(): Promise<boolean>;
  /** What it printed for people. */
  readonly said: string;
  /** Permission requests that came past the Room. */
  readonly askedPastRoom: number;
  readonly agent: StagedAgent;
}

/** Starts nothing yet that takes a prompt: `run` starts with its turn. */
export function makeDrive(through: Through, options: DriveOptions): Promise<Drive> {
  return through === "run" ? Promise.resolve(new RunDrive(options)) : ProxyDrive.start(options);
}

class RunDrive implements Drive {
  readonly through = "run";
  readonly askedPastRoom = 0;
  readonly agent: StagedAgent;
  readonly #options: DriveOptions;
  #command: Command | undefined;

  constructor(options: DriveOptions) {
    this.#options = options;
    this.agent = options.stage.nextAgent();
  }

  get said(): string {
    return this.#command?.said ?? "";
  }

  async turn(prompt: string): Promise<void> {
    this.#command = new Command("run", ["--prompt", prompt], this.agent.argv, this.#options);
    await this.#command.ended;
  }

  stop(): void {
    this.#command?.child.kill("SIGTERM");
  }

  async kill(): Promise<void> {
    await this.#command?.kill();
  }

  end(): Promise<boolean> {
    return this.#command?.endsWithin(STOP_MS) ?? Promise.resolve(true);
  }
}

class ProxyDrive implements Drive {
  readonly through = "proxy";
  readonly agent: StagedAgent;
  readonly #command: Command;
  readonly #client: AcpClient;
  #sessionId = "";

  static async start(options: DriveOptions): Promise<ProxyDrive> {
    const agent = options.stage.nextAgent();
    const command = new Command("proxy", [], agent.argv, options);
    const drive = new ProxyDrive(command, agent);
    try {
      await drive.#client.initialize();
      drive.#sessionId = await drive.#client.openSession(options.stage.dir);
      return drive;
    } catch (error) {
      await command.kill();
      throw new Error(`the session was not opened: ${command.said.trim()}`, { cause: error });
    }
  }

  private constructor(command: Command, agent: StagedAgent) {
    const { stdin, stdout } = command.child;
    if (stdin === null || stdout === null) throw new Error("no stdio");
    this.#command = command;
    this.#client = new AcpClient(stdout, stdin);
    this.agent = agent;
  }

  get said(): string {
    return this.#command.said;
  }

  get askedPastRoom(): number {
    return this.#client.askedHere;
  }

  async turn(prompt: string): Promise<void> {
    await this.#client.prompt(this.#sessionId, prompt).catch(() => undefined);
  }

  stop(): void {
    this.#client.cancel(this.#sessionId);
  }

  kill(): Promise<void> {
    return this.#command.kill();
  }

  end(): Promise<boolean> {
    this.#command.child.stdin?.end();
    return this.#command.endsWithin(STOP_MS);
  }
}
