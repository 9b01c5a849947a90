import { userInfo } from "node:os";
import { joinRoom, RoomApi, RoomSocket, type ConnectionState } from "../../client/index.ts";
import { CLOSE } from "../../protocol/index.ts";
import { makePaint } from "../colour.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit.ts";
import { inWords } from "../failure.ts";
import { readDoor } from "../invite.ts";
import { onStopSignal } from "../stop-signal.ts";
import type { Surroundings } from "../surroundings.ts";
import type { WatchOptions } from "../watch.ts";
import { jsonLine } from "../json-line.ts";
import { Screen } from "./screen.ts";
import { Watcher } from "./watcher.ts";

const SLOW_MS = 2000;

/** Joins as a human and stays until the person leaves or the Room ends. */
export async function watchRoom(
  options: WatchOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  requireOneTerminal(surroundings, options);
  const { server, invite } = await readDoor(options, "human", surroundings);
  const name = options.name ?? accountName();
  const { connected } = sayIfSlow(server, surroundings);
  const joined = await joinRoom({ server }, invite, { name }).catch((error: unknown) => {
    connected();
    throw inWords(error, "No Room was joined.", server);
  });
  const { token } = joined;
  const api = new RoomApi({ server, token });
  const ended = Promise.withResolvers<"left" | number>();
  const leave = (): void => ended.resolve("left");
  const stopListening = onStopSignal(leave);
  // Nobody reads any more (`| head`).
  surroundings.stdout.once("error", leave);
  const onState = (state: ConnectionState): void => {
    if (state.state === "open") connected();
    if (state.state === "closed" && state.code !== undefined) ended.resolve(state.code);
  };
  const view =
    options.json === true
      ? showFrames({ server, token, onState }, surroundings)
      : showScreen({ server, token, api, onState, leave }, surroundings);
  const end = await ended.promise;
  connected();
  view.close();
  stopListening();
  if (end === "left") {
    // The place is given up: whoever comes back joins anew.
    await api.leave().catch(() => undefined);
    return EXIT.ok;
  }
  throw new CommandFailure(ENDS[end] ?? "The Room cannot be used any more.");
}

/** Says where it connects to where that takes long; `connected` once it need not. */
function sayIfSlow(server: string, { stderr }: Surroundings): { connected(): void } {
  const { host } = new URL(server);
  const timer = setTimeout(() => stderr.write(`Connecting to ${host} …\n`), SLOW_MS);
  return { connected: () => clearTimeout(timer) };
}

const ENDS: Readonly<Record<number, string>> = {
  [CLOSE.roomClosed]: "The Room has ended. What was asked and not answered was not run.",
  [CLOSE.roomNotFound]: "There is no such Room any more.",
  [CLOSE.unauthorized]:
    "You are no longer in this Room: somebody removed you. Ask for a new link to come back.",
  [CLOSE.versionNotSpoken]:
    "The server speaks another version of the protocol. Fetch its own command: npx -y SERVER/handraise.tgz",
};

interface Line {
  server: string;
  token: string;
  onState(state: ConnectionState): void;
}

interface View {
  close(): void;
}

function showFrames(line: Line, { stdout }: Surroundings): View {
  return new RoomSocket({
    ...line,
    onWelcome: (frame) => void stdout.write(jsonLine(frame)),
    onFrame: (frame) => void stdout.write(jsonLine(frame)),
  });
}

function showScreen(
  { api, leave, ...line }: Line & { api: RoomApi; leave(): void },
  { stdin, stdout, hasColour }: Surroundings,
): View {
  const screen = new Screen(stdin, stdout, {
    onLine: (typed) => {
      if (watcher.takeLine(typed) === "quit") leave();
    },
    // A pipe that ends leaves a view that answers nothing.
    onEnd: (wasTerminal) => {
      if (wasTerminal) leave();
    },
    onInterrupt: leave,
  });
  const socket = new RoomSocket({
    ...line,
    onWelcome: (welcome) => watcher.takeWelcome(welcome),
    onFrame: (frame) => watcher.takeFrame(frame),
    onState: (state) => {
      watcher.takeState(state);
      line.onState(state);
    },
  });
  const watcher = new Watcher({ screen, api, socket, paint: makePaint(hasColour(stdout)) });
  return {
    close: () => {
      watcher.stop();
      socket.close();
      screen.close();
    },
  };
}

/** Without the keys one by one nobody could tell what was typed before a card was shown. */
function requireOneTerminal({ stdin, stdout }: Surroundings, { json }: WatchOptions): void {
  if (json === true || stdin.isTTY !== true || stdout.isTTY === true) return;
  throw new CommandFailure(
    "Keys come from a terminal, but what is shown goes elsewhere, so that a card could be answered unread. No Room was joined. Let both be the terminal, or use --json.",
  );
}

/** As the machine knows the person; people see it beside every decision. */
function accountName(): string {
  try {
    return userInfo().username || "Terminal";
  } catch {
    return "Terminal";
  }
}
