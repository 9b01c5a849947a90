// The Worker on an embedded workerd, with its SQLite on local disk: what `npm start`, `npm run dev` and the tests run.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { ProcessOutput } from "./process-output.ts";
import { BIN, projectEnvironment, ROOT } from "./project.ts";

export const LOOPBACK = "127.0.0.1";
/** Names under which the API of a local server answers: a page elsewhere whose DNS name is turned to this machine has another. */
export const LOOPBACK_NAMES = ["localhost", LOOPBACK, "[::1]"];
/** Runs the command that follows, and ends it with whoever started it. */
export const TIED = `${ROOT}scripts/tied-to-parent.mjs`;
const START_TIMEOUT_MS = 60_000;
/** From the request to stop until it is made. */
const STOP_MS = 3000;
/** A server that was just killed keeps its port a moment longer. */
const PORT_FREED_MS = 2000;

export interface ServerOptions {
  /** Default: loopback. */
  ip?: string;
  /** Default: a free one. */
  port?: number;
  /** Where Rooms are stored; default: wrangler's own folder in the project. */
  persistTo?: string;
  /** Worker variables. */
  vars?: Record<string, string>;
  /** Gives up starting. */
  signal?: AbortSignal;
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

/** Starts the Worker and waits until it answers. @throws where it does not start, or `signal` aborts first. */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const ip = options.ip ?? LOOPBACK;
  const port = options.port ?? (await freePort(ip));
  await requireFree(ip, port);
  const child = spawn(
    process.execPath,
    [
      TIED,
      `${BIN}/wrangler`,
      "dev",
      `--ip=${ip}`,
      `--port=${port}`,
      "--inspector-port=0",
      "--show-interactive-dev-session=false",
      ...(options.persistTo === undefined ? [] : [`--persist-to=${options.persistTo}`]),
      ...varArguments({ ...localVars(), ...options.vars }),
    ],
    // A process group of its own: Ctrl-C must let the resident say goodbye first, and a kill must reach workerd too.
    {
      cwd: ROOT,
      detached: true,
      stdio: ["ignore", "pipe", "pipe", "pipe"],
      env: serverEnvironment(),
    },
  );
  const endGroup = (): void => signalGroup(child, "SIGKILL");
  process.once("exit", endGroup);
  const ended = untilEnded(child, endGroup);
  const output = new ProcessOutput(child, options.log);
  const timeout = AbortSignal.timeout(START_TIMEOUT_MS);
  const starting = AbortSignal.any(options.signal ? [options.signal, timeout] : [timeout]);
  const url = `http://${ip === "0.0.0.0" ? LOOPBACK : ip}:${port}`;
  try {
    await Promise.race([
      output.printed(/Ready on /, starting),
      ended.then(() => Promise.reject(new Error("it ended by itself"))),
    ]);
    await waitUntilUp(url);
  } catch (error) {
    endGroup();
    const said = options.signal?.aborted ? "" : `\n${output.text}`;
    throw new Error(`The server did not start.${said}`, { cause: error });
  }
  return {
    url,
    ended,
    stop: async () => {
      signalGroup(child, "SIGTERM");
      const timer = setTimeout(endGroup, STOP_MS);
      await ended;
      clearTimeout(timer);
    },
    kill: async () => {
      endGroup();
      await ended;
    },
  };
}

/** Resolves when a group's leader has ended, and whatever it left behind with it. */
async function untilEnded(child: ChildProcess, endGroup: () => void): Promise<void> {
  await once(child, "exit");
  process.off("exit", endGroup);
  endGroup();
}

/** Variables of a server that only this machine calls: its limits on rates are lifted, unless RATE_LIMITS=on asks for them. */
export function localVars(): Record<string, string> {
  return {
    RATE_LIMITS: process.env["RATE_LIMITS"] ?? "off",
    ALLOWED_HOSTS: LOOPBACK_NAMES.join(","),
  };
}

/** Worker variables as arguments of wrangler. */
export function varArguments(vars: Record<string, string>): string[] {
  return Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
}

/** The machine's first address on a local network. */
export function lanAddress(): string | undefined {
  return Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === "IPv4" && !address.internal)?.address;
}

/** wrangler must neither phone home nor open a way past the API. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return {
    ...projectEnvironment(),
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_HIDE_BANNER: "true",
    // It would let whoever reaches the port read and write every Room's database, without any credential.
    X_LOCAL_EXPLORER: "false",
  };
}

async function waitUntilUp(url: string): Promise<void> {
  const giveUpAt = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < giveUpAt) {
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

/** Something else on the port would be taken for our server, and could answer for people. @throws where the port is taken. */
async function requireFree(ip: string, port: number): Promise<void> {
  const giveUpAt = Date.now() + PORT_FREED_MS;
  while (!(await isFree(ip, port))) {
    if (Date.now() > giveUpAt) throw new Error(`Port ${port} is taken: choose another, or none.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function isFree(ip: string, port: number): Promise<boolean> {
  const probe = createServer();
  try {
    probe.listen(port, ip);
    await once(probe, "listening");
  } catch {
    return false;
  }
  probe.close();
  await once(probe, "close");
  return true;
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
