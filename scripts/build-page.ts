import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, statSync } from "node:fs";
import { BIN, projectEnvironment, ROOT } from "./project.ts";

/** Builds the page where its sources are newer: a rebuild would disturb another server that shows it. @throws where it fails. */
export async function buildPageIfStale(): Promise<void> {
  const built = `${ROOT}dist/page/r.html`;
  const sources = ["src/page", "src/client", "src/protocol", "docs", "scripts", "vite.config.ts"];
  const newest = Math.max(...sources.map((path) => newestChange(`${ROOT}${path}`)));
  if (!existsSync(built) || statSync(built).mtimeMs < newest) await buildPage();
}

function newestChange(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(...readdirSync(path).map((name) => newestChange(`${path}/${name}`)));
}

/** Builds the page into dist/page. @throws where the build fails. */
export async function buildPage(): Promise<void> {
  const child = spawn(`${BIN}/vite`, ["build", "--logLevel", "warn"], {
    cwd: ROOT,
    // Tests set another one: they are to see the page that is deployed.
    env: { ...projectEnvironment(), NODE_ENV: "production" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error("The page could not be built: see above.");
}
