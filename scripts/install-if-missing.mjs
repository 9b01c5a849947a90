// Runs before `npm start`, `npm test` and the like, on whatever Node the machine has: a fresh clone needs no separate step.
// npm leaves a copy of the lock file it installed from; where that differs from the project's, `npm ci` runs.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const installed = `${root}node_modules/.package-lock.json`;
const isCurrent =
  existsSync(installed) &&
  statSync(installed).mtimeMs >= statSync(`${root}package-lock.json`).mtimeMs;

if (!isCurrent) {
  console.error("Installing what is missing (npm ci) …");
  const result = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    shell: process.platform === "win32",
  });
  if (result.status !== 0) {
    console.error("npm ci failed: see above. Nothing was started.");
    process.exit(result.status ?? 1);
  }
}
