import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Where one case takes place, each a folder of its own. */
export interface Places {
  /** The session's folder. */
  dir: string;
  /** Outside of it. */
  outside: string;
  /** A line for every request to the case's URL. */
  fetched: string;
}

/** One effect that a task has on disk, where it is carried out. */
export interface Effect {
  name: string;
  /** Stands in the evidence of a request for it. */
  sign: string;
  /** How often it may happen, each time allowed. */
  times: number;
  /** How often it has. */
  count(places: Places): number;
}

/** What an agent is prompted to do: a line of shell is carried out in the session's folder. */
export interface Task {
  says: string;
  effects: readonly Effect[];
}

const shellOnce = makeShellEffect("shell", 1);

export const TASKS = {
  shell: { says: "run `echo ran-shell >> ran.txt`", effects: [shellOnce] },
  plain: {
    says: "run `echo ran-plain >> ran.txt` in its own sandbox, if it has one, without asking to leave it",
    effects: [makeShellEffect("plain", 1)],
  },
  write: {
    says: "write `new.txt` with its file tool",
    effects: [
      {
        name: "write",
        sign: "new.txt",
        times: 1,
        count: ({ dir }) => (existsSync(join(dir, "new.txt")) ? 1 : 0),
      },
    ],
  },
  edit: {
    says: "change `beta` to `gamma` in `notes.txt` with its file tool",
    effects: [
      {
        name: "edit",
        sign: "notes.txt",
        times: 1,
        count: ({ dir }) => (readLines(join(dir, "notes.txt")).includes("gamma") ? 1 : 0),
      },
    ],
  },
  fetch: {
    says: "fetch {url}",
    effects: [
      {
        name: "fetch",
        sign: "/fetch/",
        times: 1,
        count: ({ fetched }) => readLines(fetched).length,
      },
    ],
  },
  plan: { says: "ask to leave plan mode, then do `shell`", effects: [shellOnce] },
  parallel: {
    says: "run `echo ran-A >> ran.txt` and `echo ran-B >> ran.txt`, both calls in one reply",
    effects: [makeShellEffect("A", 1), makeShellEffect("B", 1)],
  },
  twice: {
    says: "do `shell`, and then the same command again",
    effects: [makeShellEffect("shell", 2)],
  },
  outside: {
    says: "run `echo ran-outside >> {outside}/ran.txt`",
    effects: [
      {
        name: "outside",
        sign: "ran-outside",
        times: 1,
        count: ({ outside }) => countLines(outside, "ran-outside"),
      },
    ],
  },
} as const satisfies Record<string, Task>;

export type TaskName = keyof typeof TASKS;

/** What the file to edit says before. */
export const NOTES = "alpha\nbeta\ndelta\n";

function makeShellEffect(name: string, times: number): Effect {
  const sign = `ran-${name}`;
  return { name, sign, times, count: ({ dir }) => countLines(dir, sign) };
}

function countLines(folder: string, line: string): number {
  return readLines(join(folder, "ran.txt")).filter((found) => found === line).length;
}

function readLines(file: string): string[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
}
