// `npm run planted-bugs`: does the model test find what it is there to find? Each bug is planted into a copy of the project, where
// the model test has to fail. `npm run planted-bugs -- 3 7` plants only those. Exit code 1 where one is not found.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PLANTED_BUGS, type PlantedBug } from "./planted-bugs-list.ts";
import { projectEnvironment, ROOT } from "./project.ts";

const LEFT_OUT = new Set(["node_modules", "dist"]);
/** Histories to find a bug in; the first that fails ends the run. A sound Room takes about two minutes for them. */
const RUNS = 1000;
const RUN_TIMEOUT_MS = 600_000;
/** Runs at a time: a shard of the model test keeps one core busy. */
const AT_ONCE = 2;

interface Finding {
  readonly isFound: boolean;
  readonly text: string;
}

const chosen = process.argv.slice(2).map(Number);
const queue = PLANTED_BUGS.filter(({ number }) => chosen.length === 0 || chosen.includes(number));
const findings: Finding[] = [];
const planted = queue.map((bug) => ({ bug, copy: plantInCopy(bug) }));
try {
  await Promise.all(Array.from({ length: AT_ONCE }, work));
} finally {
  for (const { copy } of planted) rmSync(copy, { recursive: true, force: true });
}
const found = findings.filter(({ isFound }) => isFound).length;
console.log(`${found} of ${findings.length} planted bugs found`);
process.exitCode = found === findings.length && found > 0 ? 0 : 1;

async function work(): Promise<void> {
  for (;;) {
    const bug = queue.shift();
    const copy = planted.find((one) => one.bug === bug)?.copy;
    if (bug === undefined || copy === undefined) return;
    const startedAt = performance.now();
    const output = await runModel(copy);
    const finding = judge(bug, output, Math.round((performance.now() - startedAt) / 1000));
    findings.push(finding);
    console.log(finding.text);
  }
}

function plantInCopy({ number, edits }: PlantedBug): string {
  const copy = mkdtempSync(join(tmpdir(), `handraise-planted-${number}-`));
  for (const name of readdirSync(ROOT)) {
    if (!LEFT_OUT.has(name) && !name.startsWith(".")) {
      cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    }
  }
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  // What wrangler.toml names; no test of the Room looks into it.
  mkdirSync(join(copy, "dist/page"), { recursive: true });
  for (const { file, from, to } of edits) {
    const parts = readFileSync(join(copy, file), "utf8").split(from);
    if (parts.length !== 2) {
      throw new Error(
        `bug ${number} no longer fits: ${file} holds this ${parts.length - 1} times:\n${from}`,
      );
    }
    writeFileSync(join(copy, file), parts.join(to));
  }
  return copy;
}

/** @returns what the run printed. */
async function runModel(copy: string): Promise<string> {
  const child = spawn("vitest", ["run", "--project", "model", "test/model/shard-1.test.ts"], {
    cwd: copy,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: RUN_TIMEOUT_MS,
    env: { ...projectEnvironment(), MODEL_RUNS: String(2 * RUNS), NO_COLOR: "1" },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  }
  await once(child, "close");
  return output;
}

/** A run that fails in any other way than by a history that differs has not found anything. */
function judge({ number, name }: PlantedBug, output: string, seconds: number): Finding {
  const [, where] =
    /model says in (history \d+, shrunk from \d+ to \d+ commands)/.exec(output) ?? [];
  const [, told] = /humans, \d residents:\n([\s\S]*?)\nAgain:/.exec(output) ?? [];
  const lines = (told ?? output.slice(-4000))
    .split("\n")
    .map((line) => `     ${line.slice(0, 240)}`);
  const verdict = where === undefined ? "NOT FOUND" : `found in ${where}`;
  return {
    isFound: where !== undefined,
    text: [`${number}. ${name}: ${verdict}, ${seconds} s`, ...lines].join("\n"),
  };
}
