// `npm test`: everything, the browser included. Builds the page, finds or installs a Chromium, runs the tests, and ends with
// the line "N passed, N failed". A test that was skipped counts as failed: nothing is left out in silence.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireChromium, requireCurl } from "./test-tools.ts";
import { buildPage, projectEnvironment, ROOT } from "./server.ts";

interface Report {
  numPassedTests: number;
  numTotalTests: number;
  success: boolean;
}

requireCurl();
const chromium = await requireChromium();
await buildPage();

const reportFile = join(tmpdir(), `handraise-tests-${process.pid}.json`);
const run = spawnSync(
  "vitest",
  [
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${reportFile}`,
    ...process.argv.slice(2),
  ],
  {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...projectEnvironment(), CHROMIUM_PATH: chromium },
  },
);
const report = JSON.parse(readFileSync(reportFile, "utf8")) as Report;
rmSync(reportFile);
const { numPassedTests: passed, numTotalTests: total } = report;
const isGreen = run.status === 0 && report.success && passed === total && passed > 0;
// A run can fail outside of any test: that must not read as "0 failed".
const failed = Math.max(total - passed, isGreen ? 0 : 1);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = isGreen ? 0 : 1;
