import { env } from "cloudflare:test";
import * as fc from "fast-check";
import { expect, it, vi } from "vitest";
import { histories } from "./commands.ts";
import { EXPECTED_COUNTS } from "./count-step.ts";
import { Counts } from "./counts.ts";
import { runHistory } from "./run-history.ts";
import { type HistoryPlan, shrink } from "./shrink.ts";

/** As many test files as there are cores to keep busy. */
const SHARDS = 2;
const LEAST_COUNT = 100;
const LEAST_MEAN_LENGTH = 20;
/** Fewer histories than this, in one shard, meet the rare cases too seldom to be judged by their counts. */
const ENOUGH_RUNS = 1000;
const SHRINK_MS = 60_000;

/**
 * One shard of the model test. `MODEL_RUNS`: histories of all shards together; `MODEL_SEED`: a whole number, to run the very
 * same histories again.
 */
export function runModel(shard: number): void {
  const { MODEL_RUNS, MODEL_SEED } = env as unknown as Record<"MODEL_RUNS" | "MODEL_SEED", string>;
  const numRuns = Math.ceil(Number(MODEL_RUNS) / SHARDS);
  const base = MODEL_SEED === "" ? Math.floor(Math.random() * 1e9) : Number(MODEL_SEED);
  it(`a Room goes ${numRuns} times as the model says`, async () => {
    // Every refusal is logged, and a log line is a call out of the runtime.
    for (const level of ["log", "warn", "error"] as const) {
      vi.spyOn(console, level).mockImplementation(() => {});
    }
    const counts = new Counts(EXPECTED_COUNTS);
    let [ran, commands] = [0, 0];
    let failure: HistoryPlan | undefined;
    const property = fc.asyncProperty(histories, async (plan) => {
      commands += await runHistory(plan, counts).catch((error: unknown) => {
        failure = plan;
        throw error;
      });
      ran += 1;
    });
    const startedAt = performance.now();
    await fc.check(property, { numRuns, seed: base * SHARDS + shard, endOnFailure: true });
    const report = failure === undefined ? undefined : await tellFailure(failure, ran);
    vi.restoreAllMocks();
    if (report !== undefined) throw new Error(`${report}\nAgain: MODEL_SEED=${base} npm run model`);
    const mean = commands / ran;
    const took = `${((performance.now() - startedAt) / 1000).toFixed(0)} s`;
    const summary = `model, shard ${shard}, MODEL_SEED=${base}: ${ran} histories, ${commands} commands, mean ${mean.toFixed(1)}, ${took}`;
    console.info(`${summary}\n${counts.table()}`);
    if (ran < ENOUGH_RUNS) return;
    expect(mean).toBeGreaterThanOrEqual(LEAST_MEAN_LENGTH);
    expect(counts.below(LEAST_COUNT)).toEqual([]);
  });
}

/** Shrinks a history and tells it, step by step. */
async function tellFailure(failure: HistoryPlan, ran: number): Promise<string> {
  const faultOf = (plan: HistoryPlan): Promise<string | undefined> =>
    runHistory(plan, new Counts([])).then(
      () => undefined,
      (error: Error) => error.message,
    );
  const plan = await shrink(
    failure,
    async (tried) => (await faultOf(tried)) !== undefined,
    SHRINK_MS,
  );
  const [{ humans, residents }, commands] = plan;
  return [
    `The Room did not do as the model says in history ${ran + 1}, shrunk from ${failure[1].length} to ${commands.length} commands.`,
    `${humans} humans, ${residents} residents:`,
    (await faultOf(plan)) ?? "It did this time: what differed depends on the order of events.",
  ].join("\n");
}
