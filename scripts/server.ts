// The Worker on an embedded workerd, with its SQLite on local disk: what `npm start`, `npm run dev` and the tests run.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));
export const BIN = `${ROOT}node_modules/.bin`;
const LOOPBACK = "127.0.0.1";
const START_TIMEOUT_MS = 60_000;

export interface ServerOptions {
  /** Default: loopback. */
  ip?: string;
  /** Default: a free one. */
  port?: number;
  /** Where Rooms are stored; default: wrangler's own folder in the project. */
  persistTo?: string;
  /** Worker variables. */
  vars?: Record<string, string>;
  /** Every line that the server writes. */
  log?: (line: string) => void;
}

export interface Server {
  readonly url: string;
  /** Resolves once the server has ended by itself or was ended. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
  /** As a power cut would: SIGKILL to the server and everything that it started. */
  kill(): Promise<void>;
}

/** Builds the page into dist/page. @throws where the build fails. */
export async function buildPage(): Promise<void> {
  const child = spawn(`${BIN}/vite`, ["build", "--logLevel", "warn"], {
    cwd: ROOT,
    env: projectEnvironment(),
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error("The page could not be built: see above.");
}

/** Starts the Worker and waits until it answers. @throws where it does not start. */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const ip = options.ip ?? LOOPBACK;
  const port = options.port ?? (await freePort(ip));
  const vars = Object.entries(options.vars ?? {}).flatMap(([name, value]) => [
    "--var",
    `${name}:${value}`,
  ]);
  const child = spawn(
    `${BIN}/wrangler`,
    [
      "dev",
      `--ip=${ip}`,
      `--port=${port}`,
      "--inspector-port=0",
      "--show-interactive-dev-session=false",
      ...(options.persistTo === undefined ? [] : [`--persist-to=${options.persistTo}`]),
      ...vars,
    ],
    // A process group of its own: Ctrl-C must let the resident say goodbye first, and a kill must reach workerd too.
    { cwd: ROOT, detached: true, stdio: ["ignore", "pipe", "pipe"], env: serverEnvironment() },
  );
  const output: string[] = [];
  const keep = (chunk: Buffer): void => {
    for (const line of chunk.toString().split("\n")) {
      if (line.trim() === "") continue;
      output.push(line);
      if (output.length > 200) output.shift();
      options.log?.(line);
    }
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const ended = once(child, "exit").then(() => undefined);
  const url = `http://${ip === "0.0.0.0" ? LOOPBACK : ip}:${port}`;
  try {
    await waitUntilUp(url, child);
  } catch (error) {
    signalGroup(child, "SIGKILL");
    throw new Error(`The server did not start.\n${output.join("\n")}`, { cause: error });
  }
  return {
    url,
    ended,
    stop: () => stopGroup(child, ended),
    kill: async () => {
      signalGroup(child, "SIGKILL");
      await ended;
    },
  };
}

/** The machine's first address on a local network. */
export function lanAddress(): string | undefined {
  return Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === "IPv4" && !address.internal)?.address;
}

/** The project's own Node comes first: the machine's may be too old for the tools. */
export function projectEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${BIN}${delimiter}${process.env["PATH"] ?? ""}` };
}

/** wrangler must neither phone home nor look anything up: it has all that it needs. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return {
    ...projectEnvironment(),
    CI: "1",
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
    WRANGLER_SEND_METRICS: "false",
  };
}

async function waitUntilUp(url: string, child: ChildProcess): Promise<void> {
  const giveUpAt = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < giveUpAt) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    try {
      const response = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(2000) });
      if (response.ok) return;
    } catch {
      // Not listening yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("no answer in time");
}

async function stopGroup(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  signalGroup(child, "SIGTERM");
  const timer = setTimeout(() => signalGroup(child, "SIGKILL"), 3000);
  await ended;
  clearTimeout(timer);
  // workerd may outlive wrangler, with requests still open.
  signalGroup(child, "SIGKILL");
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Nobody left in the group.
  }
}

/** A port that nothing listens on now. */
export async function freePort(ip: string): Promise<number> {
  const probe = createServer().listen(0, ip);
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}
