import { monotonicClock, settledWithin } from "../../resident/clock.ts";
import { describeAgentEnd } from "../../resident/agent-session.ts";
import { Resident } from "../../resident/resident.ts";
import { RoomLink } from "../../resident/room-link.ts";
import { shapeEvidence } from "../../resident/evidence.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit.ts";
import { readDoor } from "../invite.ts";
import { agentNameOf } from "../resident/agent-name.ts";
import { askSettingsOf } from "../resident/ask-settings.ts";
import { joinInTime } from "../resident/join.ts";
import { modeWarning, requireHeldBy } from "../resident/mode-warning.ts";
import { readOperatorPolicy } from "../resident/policy.ts";
import { secretsOf } from "../resident/secrets.ts";
import { Reporter } from "../resident/reporter.ts";
import { WaitingLine } from "../resident/waiting-line.ts";
import type { RunOptions } from "../run.ts";
import { onStopSignal } from "../stop-signal.ts";
import type { Surroundings } from "../surroundings.ts";
import { AgentText } from "./agent-text.ts";
import { eachLine, readPrompt } from "./prompts.ts";

/** How long an agent that fails its turn may take to be seen ending. */
const LAST_WORDS_MS = 500;

/** Drives one agent until its one turn is over, it ends, or this process is asked to stop. */
export async function runAgent(
  agent: readonly string[],
  options: RunOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { stdout, stderr, stdin } = surroundings;
  const [file = "", ...args] = agent;
  const door = await readDoor(options, "resident", surroundings);
  const name = agentNameOf(options.name, agent);
  const waiting = new WaitingLine(stderr, options);
  const talk = new AgentText(stdout, options);
  const reporter = new Reporter(options, {
    agent: name,
    stderr,
    events: stdout,
    beforeLine: () => {
      waiting.clear();
      talk.endLine();
    },
  });
  const policy = readOperatorPolicy(options, reporter.say);
  const prompt = options.prompt === undefined ? undefined : await readPrompt(options.prompt, stdin);
  const secrets = secretsOf(options, door.invite);
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopListening = onStopSignal(() => stopping.abort());
  let release = (): void => undefined;
  let resident: Resident | undefined;
  try {
    resident = await Resident.start({
      command: { file, args },
      cwd: process.cwd(),
      choices: { mode: options.mode, config: options.config ?? new Map() },
      beforeJoin(info, settings) {
        requireHeldBy(policy.restricts, info);
        const warning = modeWarning(info, settings, options.mode !== undefined);
        if (warning !== undefined) reporter.say(warning);
      },
      async joinRoom(handlers, roomTalk) {
        const joined = await joinInTime({ ...door, name }, reporter.say, signal);
        ({ release } = joined);
        const { server } = door;
        const link = RoomLink.connect(
          { server, token: joined.token },
          handlers,
          reporter.emit,
          roomTalk,
        );
        waiting.watch({ people: () => link.people });
        return link;
      },
      asks: askSettingsOf(options),
      policy: policy.answer,
      shape: (toolCall) => shapeEvidence(toolCall, secrets),
      emit: reporter.emit,
      onText: (text) => {
        waiting.clear();
        talk.write(text);
      },
      onStderr: (line) => {
        if (options.quiet !== true) reporter.say(`agent: ${line}`);
      },
      signal,
    });
    const { bridge, ended } = resident;
    waiting.watch({ asks: () => bridge.waiting() });
    const turns =
      prompt === undefined
        ? serve(resident, surroundings, reporter.say, signal)
        : runOnce(resident, prompt, signal);
    return await Promise.race([
      turns,
      ended.then((end) => failWith(describeAgentEnd(end), signal)),
      whenAborted(signal).then(() => (prompt === undefined ? EXIT.ok : EXIT.failed)),
    ]);
  } catch (error) {
    if (signal.aborted) return EXIT.failed;
    if (error instanceof CommandFailure) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(`${message.replace(/\.$/, "")}. The Room was not joined.`);
  } finally {
    await resident?.stop();
    waiting.stop();
    release();
    stopListening();
  }
}

/** One turn. */
async function runOnce(resident: Resident, prompt: string, signal: AbortSignal): Promise<ExitCode> {
  const end = await resident.prompt(prompt);
  if (end.kind === "answered") return EXIT.ok;
  // What the agent died of says more than that its turn failed: the end of its process is on its way.
  await settledWithin(resident.ended, LAST_WORDS_MS, monotonicClock);
  const gone = await Promise.race([resident.ended, undefined]);
  return gone === undefined ? EXIT.failed : failWith(describeAgentEnd(gone), signal);
}

/** Turns for the lines of stdin, until the process is asked to stop. */
async function serve(
  resident: Resident,
  { stdin }: Surroundings,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<ExitCode> {
  say("Joined the Room. Each line of stdin is a prompt; Ctrl-C ends it.");
  await eachLine(stdin, (line) => void resident.prompt(line), signal);
  await whenAborted(signal);
  return EXIT.ok;
}

async function failWith(text: string, signal: AbortSignal): Promise<ExitCode> {
  if (signal.aborted) return EXIT.failed;
  throw new CommandFailure(`${text}. What it had asked was answered cancelled.`);
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
