import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { joinRoom, RoomApi, RoomRefusal } from "../client/index.ts";
import { parseCredential } from "../protocol/index.ts";
import { takeLock } from "./process-lock.ts";

export interface JoinOptions {
  server: string;
  invite: string;
  name: string;
  /** Where tokens are kept; default `$XDG_STATE_HOME/handraise`, `~/.local/state/handraise`. */
  folder?: string | undefined;
}

export interface Joined {
  token: string;
  /** Gives the place up to the next process. */
  release(): void;
}

/**
 * Joins a Room as the same resident as before: the token is kept for each Room and name, so that a restart is recognised and closes
 * what the process before it left open. While a process that lives holds that place, another joins as a new participant.
 * Throws RoomRefusal or RoomUnreachable as joining does.
 */
export async function joinAsBefore(options: JoinOptions): Promise<Joined> {
  const place = placeOf(options);
  const release = place === undefined ? undefined : takeQuietly(`${place}.lock`);
  if (place === undefined || release === undefined)
    return { ...(await joinAnew(options)), release: () => undefined };
  try {
    const kept = readToken(place, options);
    if (kept !== undefined && (await isValid(options.server, kept)))
      return { token: kept, release };
    const { token } = await joinAnew(options);
    keepToken(place, token);
    return { token, release };
  } catch (error) {
    release();
    throw error;
  }
}

function joinAnew({ server, invite, name }: JoinOptions): Promise<{ token: string }> {
  return joinRoom({ server }, invite, { name });
}

/** The file of one Room and name, without its ending; undefined where this account has no place to keep things. */
function placeOf({
  invite,
  name,
  server,
  folder = stateFolder(),
}: JoinOptions): string | undefined {
  const roomId = parseCredential(invite)?.roomId;
  if (roomId === undefined) return undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return undefined;
  }
  const hash = createHash("sha256").update(JSON.stringify([server, roomId, name]));
  return join(folder, hash.digest("hex").slice(0, 32));
}

function stateFolder(): string {
  const state = process.env["XDG_STATE_HOME"];
  const base = state?.startsWith("/") === true ? state : join(homedir(), ".local", "state");
  return join(base, "handraise");
}

function takeQuietly(file: string): (() => void) | undefined {
  try {
    return takeLock(file);
  } catch {
    // A folder that cannot be written to: the resident works, but a restart of it is not recognised.
    return undefined;
  }
}

function readToken(place: string, { invite }: JoinOptions): string | undefined {
  try {
    const token = readFileSync(`${place}.token`, "utf8").trim();
    const credential = parseCredential(token);
    const isOfThisRoom = credential?.roomId === parseCredential(invite)?.roomId;
    return credential?.kind === "rt" && isOfThisRoom ? token : undefined;
  } catch {
    return undefined;
  }
}

/** Whole or not at all, readable by this account alone. */
function keepToken(place: string, token: string): void {
  try {
    writeFileSync(`${place}.new`, `${token}\n`, { mode: 0o600 });
    renameSync(`${place}.new`, `${place}.token`);
  } catch {
    // As above.
  }
}

async function isValid(server: string, token: string): Promise<boolean> {
  try {
    await new RoomApi({ server, token }).room();
    return true;
  } catch (error) {
    if (error instanceof RoomRefusal && error.code === "unauthorized") return false;
    throw error;
  }
}
