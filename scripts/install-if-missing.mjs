// Runs before `npm start`, `npm test` and the like, on whatever Node the machine has: a fresh clone needs no separate step.
// What npm has installed is compared with the lock file; only where something is missing or other does `npm ci` run, and only one
// at a time: it empties node_modules under whatever runs from it.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const LOCK_STALE_MS = 10 * 60_000;
const root = fileURLToPath(new URL("..", import.meta.url));
const lock = join(
  tmpdir(),
  `handraise-install-${createHash("sha256").update(root).digest("hex").slice(0, 16)}`,
);

if (!isInstalled()) {
  await takeLock();
  let status = 0;
  try {
    // Somebody else may have installed it meanwhile.
    if (!isInstalled()) status = install();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
  if (status !== 0) {
    console.error("npm ci failed: see above. Nothing was started.");
    process.exit(status);
  }
}

/** Every package of the lock file is there in its version; one that is optional may be meant for another machine. */
function isInstalled() {
  const wanted = readPackages("package-lock.json");
  const present = readPackages("node_modules/.package-lock.json");
  if (wanted === undefined || present === undefined) return false;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === "") return true;
    const found = present[path];
    return found === undefined ? optional === true : found.version === version;
  });
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), "utf8")).packages;
  } catch {
    return undefined;
  }
}

function install() {
  console.error("Installing what is missing (npm ci) …");
  const result = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    shell: process.platform === "win32",
  });
  return result.status ?? 1;
}

async function takeLock() {
  for (;;) {
    try {
      mkdirSync(lock);
      return;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (age > LOCK_STALE_MS) rmSync(lock, { recursive: true, force: true });
    else await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
