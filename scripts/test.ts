// `npm test`: everything, the browser included. Builds the page, finds or installs a Chromium, runs the tests, and ends with
// the line "N passed, N failed". A test that was skipped counts as failed: nothing is left out in silence.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPage } from "./build-page.ts";
import { projectEnvironment, ROOT } from "./project.ts";
import { requireChromium, requireCurl } from "./test-tools.ts";

interface Report {
  numPassedTests: number;
  numTotalTests: number;
  success: boolean;
}

/** The model test keeps both cores busy by itself, and its counts are to be seen: it has a run of its own. */
const EVERYTHING = [["--project=!model"], ["--project=model", "--silent=false"]];

const chosen = process.argv.slice(2);
requireCurl();
const chromium = await requireChromium();
await buildPage();

let [passed, failed] = [0, 0];
for (const args of chosen.length > 0 ? [chosen] : EVERYTHING) {
  const result = run(args);
  passed += result.passed;
  failed += result.failed;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

function run(args: string[]): { passed: number; failed: number } {
  const reportFile = join(tmpdir(), `handraise-tests-${process.pid}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`];
  const { status } = spawnSync("vitest", ["run", ...reporters, ...args], {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...projectEnvironment(), CHROMIUM_PATH: chromium },
  });
  const { numPassedTests, numTotalTests, success } = readReport(reportFile);
  const isGreen = status === 0 && success && numPassedTests === numTotalTests;
  // A run can fail outside of any test: that must not read as "0 failed".
  return {
    passed: numPassedTests,
    failed: Math.max(numTotalTests - numPassedTests, isGreen ? 0 : 1),
  };
}

function readReport(file: string): Report {
  try {
    const report = JSON.parse(readFileSync(file, "utf8")) as Report;
    rmSync(file);
    return report;
  } catch {
    return { numPassedTests: 0, numTotalTests: 0, success: false };
  }
}
