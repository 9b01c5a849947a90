import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../server.ts";
import type { AgentRow } from "./agent-row.ts";
import { type Case, listCases } from "./cases.ts";
import { FetchTarget } from "./fetch-target.ts";
import type { World } from "./play.ts";
import { probeAgent } from "./probe.ts";
import type { AgentReport, CaseResult } from "./result.ts";

export interface MatrixOptions {
  rows: readonly AgentRow[];
  only: readonly string[] | undefined;
  slow: boolean;
  /** How many agents may run at a time. */
  jobs: number;
  turnLimitMs: number;
  onResult(result: CaseResult): void;
}

/** Plays every case of every agent against a server of its own. */
export async function playMatrix(options: MatrixOptions): Promise<AgentReport[]> {
  const persistTo = mkdtempSync(join(tmpdir(), "handraise-compat-room-"));
  const [server, target] = await Promise.all([startServer({ persistTo }), FetchTarget.start()]);
  const world = { server: server.url, target, turnLimitMs: options.turnLimitMs };
  try {
    const reports: AgentReport[] = [];
    const cases: Case[] = [];
    for (const row of options.rows) {
      const { result, acpName, modes } = await probeAgent(row, world);
      options.onResult(result);
      const { name, version, asking, install, note, mode } = row;
      const described = { name, version, asking, install, note, mode };
      reports.push({ ...described, acpName, modes, results: [result] });
      // What does not start as its row says has nothing to be played.
      if (result.status === "ok") cases.push(...listCases(row, { ...options, modes }));
    }
    const results = await playAll(cases, world, options);
    for (const report of reports) {
      report.results.push(...results.filter(({ agent }) => agent === report.name));
    }
    return reports;
  } finally {
    await Promise.all([server.kill(), target.end()]);
    rmSync(persistTo, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** @returns results in the order of the cases */
async function playAll(
  cases: readonly Case[],
  world: World,
  { jobs, onResult }: MatrixOptions,
): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (;;) {
      const index = next;
      next += 1;
      const found = cases[index];
      if (found === undefined) return;
      const result = await found.play(world);
      results[index] = result;
      onResult(result);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return results;
}
