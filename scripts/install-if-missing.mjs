// Runs before `npm start`, `npm test` and the like, on whatever Node the machine has: a fresh clone needs no separate step.
// What was installed last is noted by the lock file's hash; where that differs from the project's, `npm ci` runs.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const note = `${root}node_modules/.handraise-installed`;
const wanted = createHash("sha256")
  .update(readFileSync(`${root}package-lock.json`))
  .digest("hex");

if (!existsSync(note) || readFileSync(note, "utf8") !== wanted) {
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
  writeFileSync(note, wanted);
}
