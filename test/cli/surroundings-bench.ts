import { PassThrough } from "node:stream";
import type { Surroundings } from "../../src/cli/surroundings.ts";

/** Surroundings whose streams a test holds in its hands. */
export class SurroundingsBench implements Surroundings {
  readonly environment: Record<string, string>;
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();

  constructor(environment: Record<string, string> = {}) {
    this.environment = environment;
  }

  hasColour(): boolean {
    return false;
  }

  get printed(): string {
    return String(this.stdout.read() ?? "");
  }

  get complained(): string {
    return String(this.stderr.read() ?? "");
  }
}
