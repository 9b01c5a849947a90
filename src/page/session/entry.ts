import { parseCredential } from "../../protocol/index.ts";
import { parseInvite } from "../../client/index.ts";
import type { StopReason } from "../text/stops.ts";
import type { Memory } from "./memory.ts";

/** What an opened page is to do first. */
export type Entry =
  | { type: "stop"; reason: StopReason }
  | { type: "join"; roomId: string; invite: string }
  | { type: "resume"; roomId: string; token: string; invite: string | undefined };

/** Reads the address and what this browser remembers. `fragment`: what stands after the `#`. */
export function readEntry(fragment: string, memory: Memory): Entry {
  if (fragment === "") return resumeCurrent(memory);
  const invite = parseInvite(decode(fragment))?.invite;
  const parsed = invite === undefined ? undefined : parseCredential(invite);
  if (invite === undefined || parsed === undefined) return { type: "stop", reason: "broken_link" };
  if (parsed.kind === "ri") return { type: "stop", reason: "resident_link" };
  const { roomId } = parsed;
  const token = memory.token(roomId);
  if (token === undefined) return { type: "join", roomId, invite };
  return { type: "resume", roomId, token, invite };
}

function resumeCurrent(memory: Memory): Entry {
  const roomId = memory.currentRoom();
  const token = roomId === undefined ? undefined : memory.token(roomId);
  if (roomId === undefined || token === undefined) {
    return { type: "stop", reason: memory.ending() ?? "no_link" };
  }
  return { type: "resume", roomId, token, invite: undefined };
}

/** Some mail programs escape what stands after the `#`. */
function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
