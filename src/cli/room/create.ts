import { createRoom, RoomRefusal } from "../../client/index.ts";
import { makePaint } from "../colour.ts";
import { CommandFailure } from "../exit.ts";
import { inWords } from "../failure.ts";
import { readServer } from "../invite.ts";
import type { RoomOptions } from "../room.ts";
import { inLine } from "../safe-text.ts";
import type { Surroundings } from "../surroundings.ts";
import { nextCommands } from "./next-commands.ts";

/** Creates a Room and prints what to do with it. Its invites are what this command is for: they stand in its output. */
export async function createAndPrint(
  options: RoomOptions,
  surroundings: Surroundings,
): Promise<void> {
  const { environment, stdout, hasColour } = surroundings;
  const server = readServer(options.server ?? environment["HANDRAISE_SERVER"]);
  const room = await createRoom(
    { server },
    options.name === undefined ? {} : { name: options.name },
    environment["HANDRAISE_ROOM_CREATION_KEY"],
  ).catch((error: unknown) => {
    throw describeRefusal(error, server);
  });
  if (options.json === true) {
    stdout.write(`${JSON.stringify(room)}\n`);
    return;
  }
  const paint = makePaint(hasColour(stdout));
  const { run, ask, watch } = nextCommands(room);
  const link = inLine(room.humanUrl);
  const code = stdout.isTTY === true ? await drawCode(room.humanUrl) : undefined;
  const lines = [
    `Room “${inLine(room.name)}” is open. It ends by itself once nobody has used it for a while.`,
    "",
    paint("bold", `For people: open this link${code === undefined ? "" : ", or scan the code"}.`),
    `  ${link}`,
    ...(code === undefined ? [] : ["", code]),
    "",
    paint("bold", "For an agent: its invite. It can ask, and can never answer."),
    `  ${room.residentInvite}`,
    "",
    paint("bold", "Drive an agent whose questions come to the Room:"),
    `  ${run}`,
    paint("bold", "Ask from a script; it goes on only where a person allowed it:"),
    `  ${ask}`,
    paint("bold", "Answer from a terminal:"),
    `  ${watch}`,
  ];
  stdout.write(`${lines.join("\n")}\n`);
}

function describeRefusal(error: unknown, server: string): unknown {
  if (!(error instanceof RoomRefusal) || error.code !== "unauthorized") {
    return inWords(error, "No Room was made.", server);
  }
  return new CommandFailure(
    "This server lets only the bearer of its key make Rooms. No Room was made. Set HANDRAISE_ROOM_CREATION_KEY to that key.",
  );
}

/** Undefined for a link that leads nowhere on the device that would scan it. */
async function drawCode(link: string): Promise<string | undefined> {
  if (isLoopback(new URL(link).hostname)) return undefined;
  const { default: QRCode } = await import("qrcode");
  return QRCode.toString(link, { type: "terminal", small: true });
}

function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost\.?|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
