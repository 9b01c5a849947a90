import { ANSWERS } from "./answers.ts";
import { ANSWERED_TASKS, MODE_TASKS } from "./cases.ts";
import { code, writeTable } from "./markdown.ts";
import { askingByMode } from "./report-json.ts";
import {
  ANSWER_WORDS,
  describeCell,
  describeStatus,
  findAnswer,
  TASK_WORDS,
} from "./report-words.ts";
import type { AgentReport } from "./result.ts";
import type { TaskName } from "./tasks.ts";

/** Everything of one agent: what it offers, in which modes it asks, and what it did with every answer. */
export function writeAgent(report: AgentReport): string {
  const settings = report.mode === undefined ? "" : ` Played in mode ${code(report.mode)}.`;
  const install = report.install === undefined ? "" : ` Installed with ${code(report.install)}.`;
  const note = report.note === undefined ? "" : ` ${report.note}`;
  return [
    `## ${report.name} ${report.version}`,
    `Calls itself ${code(report.acpName)}.${install}${settings}${note}`,
    `### Options of ${report.name}, in the order sent`,
    writeOptions(report),
    `### Modes of ${report.name}`,
    writeModes(report),
    `### Answers to ${report.name}`,
    writeTable(
      ["", ...ANSWERED_TASKS.map(wordFor)],
      ANSWERS.map((answer) => [
        ANSWER_WORDS[answer],
        ...ANSWERED_TASKS.map((task) => describeCell(report, task, answer)),
      ]),
    ),
    ...listAbsent(report),
  ].join("\n\n");
}

/** Why cells are empty. */
function listAbsent({ results }: AgentReport): string[] {
  const reasons = results.flatMap((result) => {
    if (result.status !== "absent") return [];
    const task = result.what === "answer" || result.what === "mode" ? result.task : undefined;
    const what = task === undefined ? code(result.id) : wordFor(task);
    return [`${what}: ${code(result.why[0] ?? "")}`];
  });
  return reasons.length === 0 ? [] : [`Not played, –: ${[...new Set(reasons)].join("; ")}.`];
}

function writeOptions(report: AgentReport): string {
  const rows = ANSWERED_TASKS.flatMap((task) => {
    const result = findAnswer(report, task, "allow_once", "run");
    const options = result?.facts?.options;
    if (options === undefined) return [];
    const offered = options.map(({ optionId, kind }) => `${code(optionId)} (${kindOf(kind)})`);
    return [[wordFor(task), code(result?.facts?.toolKind ?? "other"), offered.join(", ")]];
  });
  if (rows.length === 0) return "It asked nothing.";
  return writeTable(["asks to", "tool kind", "options"], rows);
}

function kindOf(kind: unknown): string {
  return typeof kind === "string" && /^[a-z_]{1,40}$/.test(kind) ? kind : "another kind";
}

function writeModes(report: AgentReport): string {
  if (report.modes.length === 0) return "It offers none.";
  const verdicts = askingByMode(report);
  const rows = report.modes.map((mode) => [
    code(mode),
    ...MODE_TASKS.map((task) => describeMode(report, mode, task)),
    verdicts[mode] ?? "not played",
  ]);
  const table = writeTable(["mode", ...MODE_TASKS.map(wordFor), "asks?"], rows);
  if (report.asking === "mode") return table;
  return `Its own configuration decides what it asks about; this is what the one it was played with does.\n\n${table}`;
}

function describeMode(report: AgentReport, mode: string, task: TaskName): string {
  const result = report.results
    .filter((found) => found.what === "mode")
    .find((found) => found.mode === mode && found.task === task);
  if (result === undefined) return "not played";
  const status = describeStatus(result);
  if (status !== undefined) return status;
  return result.inMode === "neither" ? "neither asked nor run" : (result.inMode ?? "nothing");
}

function wordFor(task: TaskName): string {
  return TASK_WORDS[task] ?? task;
}
