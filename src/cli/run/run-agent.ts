import { setImmediate } from "node:timers/promises";
import { monotonicClock, settledWithin } from "../../resident/clock.ts";
import { describeAgentEnd } from "../../resident/agent-session.ts";
import { KeptPlace } from "../../resident/kept-place.ts";
import { oneLine } from "../../resident/one-line.ts";
import { Resident } from "../../resident/resident.ts";
import { RoomLink } from "../../resident/room-link.ts";
import { redactorOf } from "../../resident/secrets.ts";
import { shapeEvidence } from "../../resident/evidence.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit.ts";
import { readDoor } from "../invite.ts";
import { readAgentCommand } from "../resident/agent-command.ts";
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
import { RunEvents } from "./run-events.ts";
import { SlowStart } from "./slow-start.ts";
import { whenAborted } from "../when-aborted.ts";

/** How long an agent that fails its turn may take to be seen ending. */
const LAST_WORDS_MS = 500;

/** What an agent answers to a failed start can be of any length; it stays one line of a moderate one. */
const FAILURE_CHARACTERS = 2_000;

/** Drives one agent until its one turn is over, it ends, or this process is asked to stop. */
export async function runAgent(
  agent: readonly string[],
  options: RunOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { stdout, stderr, stdin } = surroundings;
  const { command, cwd } = readAgentCommand(agent);
  const door = await readDoor(options, "resident", surroundings);
  const name = agentNameOf(options.name, agent);
  const waiting = new WaitingLine(stderr, options, options.prompt === undefined && stdin.isTTY);
  const talk = new AgentText(stdout, options.json === true);
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
  const events = new RunEvents(reporter, options.json === true);
  const { emit } = events;
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopListening = onStopSignal(() => {
    events.end();
    stopping.abort();
  });
  const place = new KeptPlace({ ...door, name });
  const leftovers = place.closeLeftovers();
  let resident: Resident | undefined;
  const slow = new SlowStart(reporter.say, monotonicClock);
  slow.waitFor("session");
  try {
    resident = await Resident.start({
      command,
      cwd,
      choices: { mode: options.mode, config: options.config ?? new Map() },
      onOpened: () => slow.waitFor("settings"),
      beforeJoin(info, settings) {
        requireHeldBy(policy.restricts, info);
        const warning = modeWarning(info, settings, options.mode !== undefined);
        if (warning !== undefined) reporter.say(warning);
        slow.waitFor("room");
      },
      async joinRoom(handlers, roomTalk, stillSet) {
        await Promise.race([leftovers, whenAborted(signal)]);
        stillSet();
        const token = await joinInTime(place, reporter.say, signal);
        const { server } = door;
        const link = RoomLink.connect({ server, token }, handlers, emit, roomTalk);
        waiting.watch({ people: () => link.people });
        return link;
      },
      asks: askSettingsOf(options),
      policy: policy.answer,
      shape: (toolCall) => shapeEvidence(toolCall, secrets),
      redact: redactorOf(secrets),
      emit,
      onText: (text) => {
        waiting.clear();
        talk.write(text);
      },
      onStderr: (line) => {
        // What it says of its own end, when it was told to end, is noise.
        if (options.quiet !== true && !events.isEnding) reporter.say(`agent: ${line}`);
      },
      signal,
    });
    slow.end();
    const { bridge, ended } = resident;
    if (options.quiet !== true) reporter.say(describeJoined(name, waiting.people.length, prompt));
    waiting.watch({ asks: () => bridge.waiting() });
    const turns =
      prompt === undefined
        ? serve(resident, surroundings, signal)
        : runOnce(resident, prompt, signal);
    return await Promise.race([
      turns,
      ended.then((end) => failWith(describeAgentEnd(end), signal)),
      whenAborted(signal).then(() =>
        sayStopped(reporter.say, prompt === undefined ? EXIT.ok : EXIT.failed),
      ),
    ]);
  } catch (error) {
    if (signal.aborted) return sayStopped(reporter.say, EXIT.failed);
    if (error instanceof CommandFailure) throw error;
    const text = error instanceof Error ? error.message : String(error);
    const message = oneLine(text, FAILURE_CHARACTERS);
    throw new CommandFailure(`${message.replace(/\.$/, "")}. The Room was not joined.`);
  } finally {
    slow.end();
    // What the agent wrote before its turn was over is no word on its own end, and may not have been read yet.
    await setImmediate();
    events.end();
    await resident?.stop();
    events.sayUnrunPrompts();
    waiting.stop();
    place.release();
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

function describeJoined(name: string, people: number, prompt: string | undefined): string {
  const here = people === 1 ? "1 person is here" : `${people} people are here`;
  const joined = `Joined the Room as “${name}”; ${here}.`;
  if (prompt !== undefined) return joined;
  return `${joined} Each line of stdin is a prompt, and so is what people there address to it. Ctrl-C ends it.`;
}

function sayStopped(say: (line: string) => void, exitCode: ExitCode): ExitCode {
  say("Stopped. The agent is ended, and whatever it had asked is answered cancelled.");
  return exitCode;
}

/** Turns for the lines of stdin, until the process is asked to stop. */
async function serve(
  resident: Resident,
  { stdin }: Surroundings,
  signal: AbortSignal,
): Promise<ExitCode> {
  await eachLine(stdin, (line) => void resident.prompt(line), signal);
  await whenAborted(signal);
  return EXIT.ok;
}

async function failWith(text: string, signal: AbortSignal): Promise<ExitCode> {
  if (signal.aborted) return EXIT.failed;
  throw new CommandFailure(`${text}. What it had asked was answered cancelled.`);
}
