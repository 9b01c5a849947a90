import { readFileSync } from "node:fs";
import { z } from "zod";

const settings = z.strictObject({
  mode: z.string().optional(),
  /** Config option id → value. */
  config: z.record(z.string(), z.string()).optional(),
});
/** The mode and the config options that a session is to have. */
export type AgentSettings = z.infer<typeof settings>;

const agentRow = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]*$/),
  version: z.string().min(1),
  /** A shell line: an ACP agent on stdio. {dir}: the session's folder. {home}: what it may keep from one process to the next. */
  command: z.string().min(1),
  /**
   * A shell line that prints the prompt of {case} (TASKS in tasks.ts), in the session's folder {dir}, with {url} to fetch and
   * {outside}, a folder outside the session's. Exit code 2: this agent has no such case, and its last line on stderr says why.
   */
  prompt: z.string().min(1),
  /** The mode in which people are asked; none where the agent's own configuration decides. */
  mode: z.string().optional(),
  config: z.record(z.string(), z.string()).optional(),
  asking: z.enum(["mode", "configuration"]),
  /** The shell line that installs this version, for the report. */
  install: z.string().optional(),
  /** How it was set up, in a sentence for the report. */
  note: z.string().optional(),
  /** Other settings for single cases: leaving plan mode begins in it. */
  cases: z.record(z.string(), settings).optional(),
});
export type AgentRow = z.infer<typeof agentRow>;

const notRunRow = z.strictObject({
  name: z.string().min(1),
  version: z.string().optional(),
  /** Why. */
  notRun: z.string().min(1),
});
export type NotRunRow = z.infer<typeof notRunRow>;

export interface AgentRows {
  agents: AgentRow[];
  notRun: NotRunRow[];
}

const RECORDED = "not run here; a recorded request of it is in `test/fixtures/acp`";
const NEVER = "not run here";

/** Agents that people ask about: listed as not run wherever a file has no row of that name. */
const OTHERS: readonly NotRunRow[] = [
  { name: "copilot", version: "1.0.102", notRun: RECORDED },
  { name: "gemini-cli", version: "0.61.0", notRun: RECORDED },
  { name: "hermes", notRun: NEVER },
  { name: "pi", notRun: NEVER },
  { name: "qwen-code", version: "0.24.4", notRun: RECORDED },
];

/** Reads a file of rows: a JSON array, or a row of JSON on each line. @throws where it is neither */
export function readAgentRows(file: string): AgentRows {
  const rows: AgentRows = { agents: [], notRun: [] };
  for (const row of parseRows(readFileSync(file, "utf8"))) {
    if (typeof row === "object" && row !== null && "notRun" in row) {
      rows.notRun.push(notRunRow.parse(row));
    } else rows.agents.push(agentRow.parse(row));
  }
  const names = [...rows.agents, ...rows.notRun].map(({ name }) => name);
  if (new Set(names).size !== names.length) throw new Error("two rows have the same name");
  rows.notRun.push(...OTHERS.filter(({ name }) => !names.includes(name)));
  return rows;
}

function parseRows(text: string): unknown[] {
  if (text.trimStart().startsWith("[")) return z.array(z.unknown()).parse(JSON.parse(text));
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line): unknown => JSON.parse(line));
}

/** Puts values, each quoted for a shell, in the places that a shell line names. */
export function fillIn(line: string, values: Readonly<Record<string, string>>): string {
  return line.replaceAll(/\{([a-z]+)\}/g, (place, name: string) => {
    const value = values[name];
    return value === undefined ? place : `'${value.replaceAll("'", String.raw`'\''`)}'`;
  });
}

/** What a session of this agent is to be set to for a case. */
export function settingsFor(row: AgentRow, task: string): AgentSettings {
  return row.cases?.[task] ?? { mode: row.mode, config: row.config };
}
