import type { Readable, Writable } from "node:stream";

/** What a command writes to. */
export type Output = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly writableLength: number;
};

/** What a command reads from. */
export type Input = Readable & { readonly isTTY?: boolean };

/** What surrounds the command: its streams, and what the environment says to it. */
export interface Surroundings {
  /** The HANDRAISE_* variables, which `process.env` holds no more: no child process may inherit an invite. */
  environment: Readonly<Record<string, string>>;
  stdin: Input;
  stdout: Output;
  stderr: Output;
  /** Colours are for terminals, and for people who have not asked for none. */
  hasColour(stream: Output): boolean;
}

const PREFIX = "HANDRAISE_";

/** Takes every HANDRAISE_* variable out of an environment. Empty ones count as not set. */
export function takeEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const taken: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith(PREFIX)) continue;
    if (value !== undefined && value !== "") taken[name] = value;
    delete environment[name];
  }
  return taken;
}

/** This process's own. Call it once, first. */
export function readSurroundings(): Surroundings {
  const { NO_COLOR, TERM } = process.env;
  const isPlain = (NO_COLOR ?? "") !== "" || TERM === "dumb";
  return {
    environment: takeEnvironment(process.env),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    hasColour: (stream) => stream.isTTY === true && !isPlain,
  };
}
