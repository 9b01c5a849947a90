// `npm start`: the Room on this machine, a resident that drives a real ACP agent, and the link for people on the terminal.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import QRCode from "qrcode";
import { createRoom, joinRoom } from "../src/client/index.ts";
import { describeEvent, type ResidentEvent } from "../src/resident/events.ts";
import { describeAgentEnd } from "../src/resident/agent-session.ts";
import { shapeEvidence } from "../src/resident/evidence.ts";
import { readSecrets } from "../src/resident/secrets.ts";
import { Resident } from "../src/resident/resident.ts";
import { RoomLink } from "../src/resident/room-link.ts";
import { makeConsoleSafe } from "../src/resident/safe-console.ts";
import { terminalText } from "../src/resident/terminal-text.ts";
import { buildPageIfStale } from "./build-page.ts";
import { lanAddress, LOOPBACK_NAMES, type Server, startServer } from "./server.ts";

const USAGE = `npm start -- [--agent "COMMAND"] [--name NAME] [--prompt TEXT] [--port N] [--lan]

  --agent   an ACP agent's command line, run by the shell in the folder that npm was called in (default: the demo agent)
  --name    what the agent is called in the Room (default: its command's)
  --prompt  what the agent is asked to do
  --port    where the Room listens (default: a free port)
  --lan     listen on this machine's address in the local network and show a QR code`;

/** Where `npm start` was typed, which npm leaves behind: with `--prefix` that is the folder of one's own project. */
const FOLDER = process.env["INIT_CWD"] ?? process.cwd();
/** People need time to read a link and take a telephone out. */
const EXPIRES_IN_MS = 15 * 60_000;
/** SIGINT to exit, whatever hangs. */
const STOP_MS = 4_800;

makeConsoleSafe();
const options = readOptions();
const ip = options.lan ? addressInLan() : "127.0.0.1";
const stops: (() => Promise<void>)[] = [];
const givenUp = new AbortController();
let server: Server | undefined;
let stopping = false;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => void stop(0));
}

try {
  await start();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  if (!stopping) console.error(terminalText(message));
  await stop(1);
}

async function start(): Promise<void> {
  await buildPageIfStale();
  // A Room of one run, readable by nobody else, and gone with it: an old link must not open anything again.
  const persistTo = await mkdtemp(join(tmpdir(), "handraise-room-"));
  stops.push(() => rm(persistTo, { recursive: true, force: true }));
  if (stopping) return;
  const { signal } = givenUp;
  server = await startServer({ ip, ...options.port, persistTo, vars: serverVars(), signal });
  stops.push(() => server?.stop() ?? Promise.resolve());
  const { url } = server;
  void reportEnd(server.ended, () => "The server ended by itself");
  const room = await createRoom({ server: url }, { name: options.agentName });
  await printLink(room.humanUrl);
  if (stopping) return;

  const resident = await Resident.start({
    command: options.command,
    cwd: FOLDER,
    asks: { expiresInMs: EXPIRES_IN_MS },
    emit: printEvent,
    signal,
    onText: (text) => process.stdout.write(terminalText(text)),
    onStderr: (line) => console.error(`agent: ${terminalText(line)}`),
    shape: (toolCall) => shapeEvidence(toolCall, readSecrets(process.env)),
    async joinRoom(handlers, talk) {
      const joined = await joinRoom({ server: url }, room.residentInvite, {
        name: options.agentName,
      });
      return RoomLink.connect({ server: url, token: joined.token }, handlers, printEvent, talk);
    },
  });
  stops.push(() => resident.stop());
  void reportEnd(resident.ended, describeAgentEnd);

  let isRunning = false;
  const runTurn = async (): Promise<void> => {
    if (isRunning || stopping) return;
    isRunning = true;
    console.log("The agent begins its turn.");
    await resident.prompt(options.prompt);
    isRunning = false;
    if (stopping) return;
    console.log("The Room stays open. Enter runs the turn again, Ctrl-C ends everything.");
  };
  createInterface({ input: process.stdin }).on("line", () => void runTurn());
  await runTurn();
}

/** Says why everything ends where it was not this process that ended it. */
async function reportEnd<T>(ended: Promise<T>, describe: (end: T) => string): Promise<void> {
  const end = await ended;
  if (stopping) return;
  console.error(`${terminalText(describe(end))}.`);
  await stop(1);
}

/** Ends in the reverse order of starting, within 5 s. */
async function stop(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  givenUp.abort();
  const late = setTimeout(() => {
    void server?.kill();
    process.exit(code);
  }, STOP_MS);
  for (const end of stops.toReversed()) {
    await end().catch((error: unknown) => console.error(String(error)));
  }
  clearTimeout(late);
  process.exit(code);
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        agent: { type: "string" },
        name: { type: "string" },
        prompt: { type: "string" },
        port: { type: "string" },
        lan: { type: "boolean", default: false },
      },
    });
    const { agent, lan } = values;
    if (values.port !== undefined && !isPort(values.port)) throw new Error("--port: not a port");
    const port = values.port === undefined ? {} : { port: Number(values.port) };
    if (agent?.trim() === "") throw new Error("--agent: no command");
    return agent === undefined
      ? {
          command: {
            file: process.execPath,
            args: [fileURLToPath(new URL("../src/demo-agent/main.ts", import.meta.url))],
          },
          agentName: values.name ?? "Demo agent",
          prompt: values.prompt ?? "Show what you can do.",
          port,
          lan,
        }
      : {
          command: { line: agent },
          agentName: values.name ?? (basename(agent.trim().split(/\s+/)[0] ?? "") || "Agent"),
          prompt:
            values.prompt ??
            "Run `date` in a shell, then write what it printed to handraise-demo.txt in this folder.",
          port,
          lan,
        };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return process.exit(2);
  }
}

function isPort(text: string): boolean {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535;
}

function serverVars(): Record<string, string> {
  if (!options.lan) return {};
  return { ALLOWED_HOSTS: [...LOOPBACK_NAMES, ip].join(","), RATE_LIMITS: "on" };
}

function addressInLan(): string {
  const address = lanAddress();
  if (address !== undefined) return address;
  console.error("--lan: this machine has no address in a local network.");
  return process.exit(1);
}

async function printLink(link: string): Promise<void> {
  console.log(`\nOpen this link; the agent's questions come there:\n\n  ${link}\n`);
  if (!options.lan) return;
  console.log(await QRCode.toString(link, { type: "terminal", small: true }));
  console.log(
    "Warning: everybody in this network who gets the link can answer for you, and the connection is not encrypted.\n",
  );
}

function printEvent(event: ResidentEvent): void {
  const line = describeEvent(event);
  if (line !== undefined) console.error(terminalText(line));
}
