import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { requireChromium } from "../../scripts/test-tools.ts";
import { buildPage, ROOT } from "../../scripts/server.ts";

/** A Chromium that speaks to nobody but the pages it is shown. */
export async function launchBrowser(): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: await requireChromium(),
    args: [
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-gpu",
      "--no-first-run",
      ...(isRoot ? ["--no-sandbox"] : []),
    ],
  });
}

/** Builds the page where its sources are newer: `npm test` has built it already, a single test file has not. */
export async function buildPageIfStale(): Promise<void> {
  const built = `${ROOT}dist/page/r.html`;
  const sources = ["src/page", "src/client", "src/protocol", "vite.config.ts"];
  const newest = Math.max(...sources.map((path) => newestChange(join(ROOT, path))));
  if (!existsSync(built) || statSync(built).mtimeMs < newest) await buildPage();
}

function newestChange(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(...readdirSync(path).map((name) => newestChange(join(path, name))));
}
