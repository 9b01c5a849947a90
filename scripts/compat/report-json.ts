import type { NotRunRow } from "./agent-row.ts";
import type { AgentReport, InMode } from "./result.ts";

/** Everything that a run found. */
export interface Found {
  /** `2026-11-30` */
  date: string;
  reports: readonly AgentReport[];
  notRun: readonly NotRunRow[];
}

/** What src/resident/known-agents.ts reads. */
export function writeCompatibilityJson({ date, reports }: Found): string {
  const agents = reports.map((report) => ({
    agent: report.name,
    acpName: report.acpName,
    version: report.version,
    date,
    asking: report.asking,
    // Where its own configuration decides, a mode says nothing of another person's agent.
    modes: report.asking === "mode" ? askingByMode(report) : {},
  }));
  return `${JSON.stringify({ agents }, null, 2)}\n`;
}

/** For each mode that was played whole: whether it asks for what was tried. */
export function askingByMode(report: AgentReport): Record<string, "asks" | "partly" | "never"> {
  const modes = report.modes.flatMap((mode) => {
    const results = report.results.filter(
      (result) => result.what === "mode" && result.mode === mode && result.status !== "absent",
    );
    const found = results.map((result) => (result.what === "mode" ? result.inMode : undefined));
    if (found.length === 0 || found.includes(undefined)) return [];
    return [[mode, judgeMode(found as InMode[])] as const];
  });
  return Object.fromEntries(modes);
}

/** `never`, too, for a mode in which nothing runs and nobody is asked: no card will come. */
export function judgeMode(found: readonly InMode[]): "asks" | "partly" | "never" {
  if (!found.includes("asked")) return "never";
  return found.includes("ran unasked") ? "partly" : "asks";
}
