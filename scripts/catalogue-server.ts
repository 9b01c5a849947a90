import { spawn } from "node:child_process";
import { once } from "node:events";
import { preview } from "vite";
import { BIN, projectEnvironment, ROOT } from "./project.ts";
import { freePort, LOOPBACK } from "./server.ts";

export const CATALOGUE_CONFIG = `${ROOT}vite.catalogue.config.ts`;

export interface CatalogueServer {
  url: string;
  stop(): Promise<void>;
}

/** Builds the catalogue of the page's states and serves it with the headers of the page. @throws where that fails */
export async function serveCatalogue(): Promise<CatalogueServer> {
  await buildCatalogue();
  const port = await freePort(LOOPBACK);
  const server = await preview({
    configFile: CATALOGUE_CONFIG,
    preview: { host: LOOPBACK, port, strictPort: true },
  });
  return { url: `http://${LOOPBACK}:${port}/`, stop: () => server.close() };
}

async function buildCatalogue(): Promise<void> {
  const child = spawn(`${BIN}/vite`, ["build", "-c", CATALOGUE_CONFIG, "--logLevel", "warn"], {
    cwd: ROOT,
    env: { ...projectEnvironment(), NODE_ENV: "production" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error("The catalogue could not be built: see above.");
}
