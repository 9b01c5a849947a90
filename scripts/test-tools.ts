// What the tests need beside Node: a Chromium for the page, and curl for the README's resident. Found, or else installed.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import { ROOT } from "./project.ts";

const USUAL_PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/opt/google/chrome/chrome",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** A Chromium's path: CHROMIUM_PATH, a usual place, or playwright's own download. */
export function findChromium(): string | undefined {
  const named = process.env["CHROMIUM_PATH"];
  const candidates = [...(named ? [named] : USUAL_PLACES), chromium.executablePath()];
  return candidates.find((path) => path !== "" && existsSync(path));
}

/** The same, installing one where there is none. @throws where none can be had, saying what to do. */
export async function requireChromium(): Promise<string> {
  const found = findChromium();
  if (found !== undefined) return found;
  console.error("No Chromium found: installing one for the tests of the page …");
  install();
  const installed = findChromium();
  if (installed !== undefined) return installed;
  throw new Error(
    "The tests of the page need a Chromium. Install one (Debian: apt-get install chromium) or set CHROMIUM_PATH.",
  );
}

/** @throws where there is no curl and none can be had. */
export function requireCurl(): void {
  const isThere = (): boolean => spawnSync("curl", ["--version"]).status === 0;
  if (isThere()) return;
  if (isDebianRoot()) installDebian("curl");
  if (!isThere()) throw new Error("The tests of the README need curl. Install it first.");
}

function install(): void {
  if (isDebianRoot()) {
    installDebian("chromium");
    return;
  }
  spawnSync(
    process.execPath,
    [`${ROOT}node_modules/playwright-core/cli.js`, "install", "chromium"],
    { stdio: "inherit" },
  );
}

function isDebianRoot(): boolean {
  return existsSync("/etc/debian_version") && process.getuid?.() === 0;
}

function installDebian(name: string): void {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const run = (...args: string[]): void => {
    spawnSync("apt-get", args, { stdio: "inherit", env });
  };
  run("update", "-qq");
  run("install", "-y", "-qq", "--no-install-recommends", name);
}
