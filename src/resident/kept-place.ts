import { createHash } from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { joinRoom, RoomApi, RoomRefusal } from "../client/index.ts";
import { parseCredential } from "../protocol/index.ts";
import { closeLeftovers } from "./leftovers.ts";
import { readSmallFile } from "./small-file.ts";
import { takeLock } from "./process-lock.ts";

export interface PlaceOptions {
  server: string;
  invite: string;
  name: string;
  /** Where tokens are kept; default `$XDG_STATE_HOME/handraise`, `~/.local/state/handraise`. */
  folder?: string | undefined;
}

/**
 * A resident's place in a Room. Its token is kept for each Room and name, so that a restart is recognised and closes what the process
 * before it left open. While a process that lives holds that place, another joins as a new participant.
 */
export class KeptPlace {
  readonly #options: PlaceOptions;
  /** Path of what is kept, without its ending; undefined where this process keeps nothing. */
  readonly #path: string | undefined;
  readonly #release: (() => void) | undefined;

  constructor(options: PlaceOptions) {
    this.#options = options;
    const path = pathOf(options);
    this.#release = path === undefined ? undefined : takeQuietly(`${path}.lock`);
    this.#path = this.#release === undefined ? undefined : path;
  }

  get server(): string {
    return this.#options.server;
  }

  /** Closes what a process before this one left open, without joining anew. Never throws. */
  async closeLeftovers(): Promise<void> {
    const token = this.#readToken();
    if (token !== undefined) await closeLeftovers({ server: this.#options.server, token });
  }

  /** Returns the participant token. Throws RoomRefusal or RoomUnreachable as joining does. */
  async join(signal?: AbortSignal): Promise<string> {
    const { server, invite, name } = this.#options;
    const kept = this.#readToken();
    if (kept !== undefined && (await isValid(server, kept, signal))) return kept;
    const { token } = await joinRoom({ server }, invite, { name }, signal);
    this.#keepToken(token);
    return token;
  }

  /** Gives the place up to the next process. */
  release(): void {
    this.#release?.();
  }

  #readToken(): string | undefined {
    if (this.#path === undefined) return undefined;
    try {
      const token = readSmallFile(`${this.#path}.token`).trim();
      const credential = parseCredential(token);
      const isOfThisRoom = credential?.roomId === parseCredential(this.#options.invite)?.roomId;
      return credential?.kind === "rt" && isOfThisRoom ? token : undefined;
    } catch {
      return undefined;
    }
  }

  /** Whole or not at all, readable by this account alone. */
  #keepToken(token: string): void {
    if (this.#path === undefined) return;
    try {
      writeFileSync(`${this.#path}.new`, `${token}\n`, { mode: 0o600 });
      renameSync(`${this.#path}.new`, `${this.#path}.token`);
    } catch {
      // A folder that cannot be written to: the resident works, but a restart of it is not recognised.
    }
  }
}

function pathOf({ server, invite, name, folder = stateFolder() }: PlaceOptions) {
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
    // As with a token that cannot be kept.
    return undefined;
  }
}

async function isValid(
  server: string,
  token: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    await new RoomApi({ server, token }).room(signal);
    return true;
  } catch (error) {
    if (error instanceof RoomRefusal && error.code === "unauthorized") return false;
    throw error;
  }
}
