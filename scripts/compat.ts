// `npm run compat -- --agents FILE`: what real agents do with the answers that people give through `run` and `proxy`, judged by
// files on disk. Ends with 1 where anything was unsafe or could not be played, with 2 where it was called wrongly.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { terminalText } from "../src/resident/terminal-text.ts";
import { readAgentRows } from "./compat/agent-row.ts";
import { playMatrix } from "./compat/matrix.ts";
import { type Found, writeCompatibilityJson } from "./compat/report-json.ts";
import { writeCompatibilityPage } from "./compat/report-page.ts";
import type { CaseResult } from "./compat/result.ts";
import { BIN, projectEnvironment, ROOT } from "./project.ts";

const USAGE = `npm run compat -- --agents FILE [--only NAME,…] [--cases PART,…] [--slow] [--jobs N] [--turn-limit SECONDS] [--out FOLDER] [--results FILE]

  --agents      the agents: a JSON array, or a row of JSON on each line (docs/compatibility.md tells the fields)
  --only        the agents of these names
  --cases       the cases whose id has one of these parts: shell, refuse, proxy, modes, always, proof, late …
  --slow        the case that waits for 90 s, too
  --jobs        how many agents run at a time (2)
  --turn-limit  what a turn may take before it counts as one that never ends (60)
  --out         where compatibility.md and compatibility.json are written (docs; nowhere where only a part was played)
  --results     where every result is written as JSON`;

/** Where it was typed, which npm leaves behind. */
const FOLDER = process.env["INIT_CWD"] ?? process.cwd();

try {
  process.exitCode = await main();
} catch (error) {
  console.error(terminalText(error instanceof Error ? error.message : String(error)));
  process.exitCode = 2;
}

async function main(): Promise<number> {
  const options = readOptions();
  const rows = readAgentRows(options.agents);
  const { only } = options;
  const chosen = rows.agents.filter(({ name }) => only === undefined || only.includes(name));
  if (chosen.length === 0) throw new Error("no such agent in the file");
  const reports = await playMatrix({
    rows: chosen,
    only: options.cases,
    slow: options.slow,
    jobs: options.jobs,
    turnLimitMs: options.turnLimitMs,
    onResult: printResult,
  });
  const date = new Date().toISOString().slice(0, 10);
  const found = { date, reports, notRun: rows.notRun };
  if (options.results !== undefined) writeFileSync(options.results, JSON.stringify(found, null, 1));
  if (options.out !== undefined) writeReport(options.out, found);
  const results = reports.flatMap(({ results }) => results);
  const count = (status: CaseResult["status"]): number =>
    results.filter((result) => result.status === status).length;
  console.log(
    `${results.length} cases: ${count("unsafe")} unsafe, ${count("failed")} failed, ${count("absent")} that an agent does not have`,
  );
  return count("unsafe") + count("failed") === 0 ? 0 : 1;
}

function writeReport(folder: string, found: Found): void {
  mkdirSync(folder, { recursive: true });
  const page = resolve(folder, "compatibility.md");
  const json = resolve(folder, "compatibility.json");
  writeFileSync(page, writeCompatibilityPage(found));
  writeFileSync(json, writeCompatibilityJson(found));
  // As everything in the repository is formatted.
  spawnSync(`${BIN}/oxfmt`, [page, json], { env: projectEnvironment() });
}

function printResult({ agent, id, status, why, seconds }: CaseResult): void {
  const said = [status === "unsafe" ? "UNSAFE" : status, agent, id, `${seconds} s`, ...why];
  console.log(terminalText(said.join("  ")));
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      agents: { type: "string" },
      only: { type: "string" },
      cases: { type: "string" },
      slow: { type: "boolean", default: false },
      jobs: { type: "string", default: "2" },
      "turn-limit": { type: "string", default: "60" },
      out: { type: "string" },
      results: { type: "string" },
    },
  });
  const { agents, only, cases, slow, out } = values;
  if (agents === undefined) throw new Error(`--agents: which file?\n\n${USAGE}`);
  const isPart = only !== undefined || cases !== undefined;
  return {
    agents: resolve(FOLDER, agents),
    only: only?.split(","),
    cases: cases?.split(","),
    slow,
    results: values.results === undefined ? undefined : resolve(FOLDER, values.results),
    jobs: readCount("--jobs", values.jobs),
    turnLimitMs: readCount("--turn-limit", values["turn-limit"]) * 1000,
    out: out !== undefined ? resolve(FOLDER, out) : isPart ? undefined : `${ROOT}docs`,
  };
}

function readCount(option: string, text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new Error(`${option}: a whole number from 1 to 9999\n\n${USAGE}`);
}
