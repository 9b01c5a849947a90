import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, type Server, startServer } from "../../scripts/server.ts";

/** A real server whose Rooms outlive it: it can be killed and started again on the same port and data. */
export class LiveServer {
  readonly #data = mkdtempSync(join(tmpdir(), "handraise-data-"));
  readonly #vars: Record<string, string>;
  #port: number | undefined;
  #server: Server | undefined;

  /** @param vars variables of the Worker */
  constructor(vars: Record<string, string> = {}) {
    this.#vars = vars;
  }

  get url(): string {
    if (this.#server === undefined) throw new Error("the server is not running");
    return this.#server.url;
  }

  async start(): Promise<void> {
    this.#port ??= await freePort("127.0.0.1");
    this.#server = await startServer({
      port: this.#port,
      persistTo: this.#data,
      vars: this.#vars,
    });
  }

  /** As a power cut would: SIGKILL to all of it. */
  async kill(): Promise<void> {
    await this.#server?.kill();
    this.#server = undefined;
  }

  async end(): Promise<void> {
    await this.kill();
    rmSync(this.#data, { recursive: true, force: true });
  }
}
