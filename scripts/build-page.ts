import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, statSync } from "node:fs";
import { buildCommand, COMMAND_SOURCES, PACKED } from "./build-command.ts";
import { BIN, projectEnvironment, ROOT } from "./project.ts";

const PAGE_SOURCES = [
  "src/page",
  "src/page-worker",
  "src/client",
  "src/protocol",
  "docs",
  "scripts",
  "vite.config.ts",
];

/**
 * Builds the page and the packed command where their sources are newer: a rebuild would disturb another server that shows them.
 * @throws where it fails
 */
export async function buildPageIfStale(): Promise<void> {
  if (isStale(`${ROOT}dist/page/r.html`, PAGE_SOURCES)) await buildPage();
  else if (isStale(PACKED, COMMAND_SOURCES)) await buildCommand();
}

function isStale(built: string, sources: readonly string[]): boolean {
  if (!existsSync(built)) return true;
  return statSync(built).mtimeMs < Math.max(...sources.map((path) => newestChange(ROOT + path)));
}

function newestChange(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(...readdirSync(path).map((name) => newestChange(`${path}/${name}`)));
}

/** Builds the page into dist/page, which it empties, and the packed command beside it. @throws where that fails */
export async function buildPage(): Promise<void> {
  const child = spawn(`${BIN}/vite`, ["build", "--logLevel", "warn"], {
    cwd: ROOT,
    // Tests set another one: they are to see the page that is deployed.
    env: { ...projectEnvironment(), NODE_ENV: "production" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error("The page could not be built: see above.");
  await buildCommand();
}
