import { type GateQuestion, RoomGate } from "../../gate/index.ts";
import type { AskOptions } from "../ask.ts";
import { makePaint } from "../colour.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit.ts";
import { inWords } from "../failure.ts";
import { type Door, readDoor } from "../invite.ts";
import { describeWaiting, LiveLine, type Present } from "../live-line.ts";
import { onStopSignal } from "../stop-signal.ts";
import type { Surroundings } from "../surroundings.ts";
import { jsonLine } from "../json-line.ts";
import { describeForPrograms } from "./end-json.ts";
import { readDetails } from "./details.ts";
import { type AskEnd, describeAnswer } from "./end-words.ts";
import { readOfferedOptions } from "./offered-options.ts";

/** Asks the Room's people one question, and leaves. The exit code is 0 only where the gate says approve. */
export async function askPeople(
  question: string,
  options: AskOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const stop = new AbortController();
  const stopListening = onStopSignal(() => stop.abort());
  try {
    const asked = await readQuestion(question, options, surroundings);
    const door = await readDoor(options, "resident", surroundings);
    const gate = await join(door, options.name, stop.signal);
    if (gate === undefined) return EXIT.unanswered;
    const end = await ask(gate, asked, options, surroundings, stop.signal);
    await gate.leave();
    return end.exitCode;
  } finally {
    stopListening();
  }
}

async function readQuestion(
  question: string,
  { option, details, invite }: AskOptions,
  { stdin }: Surroundings,
): Promise<GateQuestion> {
  if (question.trim() === "") {
    throw new CommandFailure(
      "The question is empty. Nothing was asked. Say what is to be allowed.",
    );
  }
  if (details === "-" && invite === "-") {
    throw new CommandFailure(
      "--details - and --invite - cannot both be stdin. Nothing was asked. Set HANDRAISE_INVITE instead.",
    );
  }
  const texts = [question, ...(details === undefined ? [] : [await readDetails(details, stdin)])];
  return {
    title: question,
    kind: "other",
    // The question again: a title may be cut short where a card is shown, a text never is.
    content: texts.map((text) => ({ type: "content", content: { type: "text", text } })),
    options: readOfferedOptions(option ?? []),
  };
}

/** Undefined where it was stopped first. */
async function join(door: Door, name: string, signal: AbortSignal): Promise<RoomGate | undefined> {
  try {
    return await RoomGate.join({ ...door, name, signal });
  } catch (error) {
    if (signal.aborted) return undefined;
    throw inWords(error, "Nothing was asked.", door.server);
  }
}

async function ask(
  gate: RoomGate,
  question: GateQuestion,
  options: AskOptions,
  { stdout, stderr, hasColour }: Surroundings,
  signal: AbortSignal,
): Promise<AskEnd> {
  let present: Present = { count: 0, names: [] };
  let endsAt = 0;
  const line = new LiveLine(stderr, () => describeWaiting(present, endsAt - performance.now()));
  const answer = await gate.ask(question, {
    expiresInMs: options.expiresIn,
    maxExpiresInMs: options.maxExpiresIn,
    ifNoHuman: options.ifNoHuman,
    signal,
    onWaiting: ({ humansPresent, names, remainingMs }) => {
      present = { count: humansPresent, names };
      endsAt = performance.now() + remainingMs;
      if (options.quiet === true) return;
      line.start();
      line.refresh();
    },
  });
  line.stop();
  const end = describeAnswer(answer);
  const isDone = end.exitCode === EXIT.ok;
  if (options.json === true) stdout.write(jsonLine(describeForPrograms(answer)));
  const output = options.json === true || end.exitCode === EXIT.failed ? stderr : stdout;
  if (options.json === true && isDone) return end;
  output.write(`${makePaint(hasColour(output))(isDone ? "green" : "yellow", end.text)}\n`);
  return end;
}
