import { RoomRefusal, RoomUnreachable } from "../client/index.ts";
import { oneLine } from "../resident/one-line.ts";
import { CommandFailure } from "./exit.ts";

/**
 * An error of the Room client as an expected end in words. `kept`: a sentence on what did and did not happen. What is not the
 * Room's stays as it is. `server`: the origin that was called, to be named where nothing of a Room's came from it.
 */
export function inWords(error: unknown, kept: string, server?: string): unknown {
  if (error instanceof RoomUnreachable) {
    return new CommandFailure(
      `${unreachableWords(error, server)}. ${kept} Check the server's address and the connection, then try again.`,
    );
  }
  if (!(error instanceof RoomRefusal)) return error;
  return new CommandFailure(refusalWords(error.code, kept, error.message));
}

function unreachableWords({ message, status }: RoomUnreachable, server?: string): string {
  if (server === undefined) return message;
  return status === undefined
    ? `${server} did not answer`
    : `${server} did not answer as a Room's server does (HTTP ${status})`;
}

/** A refusal by its code: what happened, what was kept, what to do next. `said`: the Room's own words, for a code without ours. */
export function refusalWords(code: string, kept: string, said?: string): string {
  const known = Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined;
  if (known !== undefined) return `${known[0]}. ${kept} ${known[1]}`;
  const words = said === undefined ? "" : `: ${oneLine(said, 500)}`;
  return `The Room refused it (${oneLine(code)}${words}). ${kept}`;
}

const NEW_INVITE = "Ask somebody in the Room for a new invite, or make a new Room.";

/** What happened, and what to do next. */
const REFUSALS: Readonly<Record<string, readonly [string, string]>> = {
  unauthorized: ["The server does not take this credential", NEW_INVITE],
  room_closed: ["The Room has ended", "Make a new Room."],
  room_not_found: ["There is no such Room, or it has ended", NEW_INVITE],
  room_full: ["The Room is full", "Try again once somebody has left."],
  too_many_pending: ["Too many questions wait in this Room", "Try again once some are answered."],
  rate_limited: ["Too many calls came from here", "Wait a minute, then try again."],
  forbidden_host: [
    "The server does not answer under this name",
    "Use the address that it printed when it started.",
  ],
  payload_too_large: ["This is larger than the Room takes", "Ask with less text."],
  invalid_request: [
    "The Room does not take it as it stands",
    "A name needs 1 to 80 visible characters; options need ids and names of moderate length.",
  ],
  unavailable: ["The server is busy", "Try again in a moment."],
};
