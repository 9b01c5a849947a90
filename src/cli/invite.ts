import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { parseInvite } from "../client/link.ts";
import { parseCredential, type CredentialKind } from "../protocol/credential.ts";
import type { Role } from "../protocol/index.ts";
import type { InviteOptions } from "./common-options.ts";
import { CommandFailure } from "./exit.ts";
import { takeFirstLine } from "./first-line.ts";
import type { Surroundings } from "./surroundings.ts";

/** Where a Room is, and by what right to join it. */
export interface Door {
  /** http(s) origin */
  server: string;
  invite: string;
}

const KIND: Readonly<Record<Role, CredentialKind>> = { human: "hi", resident: "ri" };
const FILE_BYTES = 16 * 1024;

/**
 * The invite: `--invite`, else HANDRAISE_INVITE. The server: `--server`, else the origin of the link that the invite came in,
 * else HANDRAISE_SERVER. @throws CommandFailure where one is missing or not for that role, saying what to do.
 */
export async function readDoor(
  options: InviteOptions,
  role: Role,
  surroundings: Surroundings,
): Promise<Door> {
  const { environment, stderr } = surroundings;
  const given = options.invite ?? environment["HANDRAISE_INVITE"];
  if (given === undefined) {
    throw new CommandFailure(
      `No invite was given, so no Room was joined. Set HANDRAISE_INVITE to ${WANTED[role]}, or pass it with --invite - on stdin.`,
    );
  }
  const fromArgument = options.invite !== undefined && !isPlaceholder(options.invite);
  const text =
    options.invite === undefined ? given : await fetchGiven(options.invite, surroundings);
  const parsed = parseInvite(text);
  if (parsed === undefined) throw new CommandFailure(describeUnusable(text, role));
  if (parseCredential(parsed.invite)?.kind !== KIND[role]) {
    throw new CommandFailure(WRONG_KIND[role]);
  }
  if (fromArgument) {
    stderr.write(
      "Note: `ps` shows what stands in a command line, this invite too. HANDRAISE_INVITE, --invite - and --invite @FILE are safer.\n",
    );
  }
  const server = options.server ?? parsed.server ?? environment["HANDRAISE_SERVER"];
  return { server: readServer(server), invite: parsed.invite };
}

const WANTED: Readonly<Record<Role, string>> = {
  resident: "the Room's resident invite",
  human: "the Room's human link",
};

const WRONG_KIND: Readonly<Record<Role, string>> = {
  resident:
    "This is an invite for people: whoever holds it could answer its own questions. No Room was joined. Take the resident invite, which `handraise room` printed and the Room's page shows.",
  human:
    "This is an invite for an agent, which cannot answer. No Room was joined. Take the Room's human link.",
};

/** An http(s) origin. @throws CommandFailure where there is none, or it is not one. */
export function readServer(server: string | undefined): string {
  if (server === undefined) {
    throw new CommandFailure(
      "Which server? Nothing was sent. Set HANDRAISE_SERVER or pass --server, such as https://example.com, or use a whole link in place of the bare invite.",
    );
  }
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url === undefined || !["https:", "http:"].includes(url.protocol)) {
    throw new CommandFailure(
      "The server must be an address such as https://example.com. Nothing was sent.",
    );
  }
  return url.origin;
}

function isPlaceholder(value: string): boolean {
  return value === "-" || value.startsWith("@");
}

async function fetchGiven(value: string, { stdin, stderr }: Surroundings): Promise<string> {
  if (value.startsWith("@")) return readPrivateFile(value.slice(1));
  if (value !== "-") return value;
  if (stdin.isTTY === true) stderr.write("Invite: ");
  const line = await takeFirstLine(stdin);
  if (line !== undefined) return line;
  throw new CommandFailure(
    "--invite -: no line came on stdin. No Room was joined. Pipe the invite in, for example from a password manager.",
  );
}

/** The first line of a file that nobody but its owner may read. */
function readPrivateFile(path: string): string {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? "unknown error";
    throw new CommandFailure(
      `--invite @FILE: the file cannot be read (${why}). No Room was joined. Check its path and its rights.`,
    );
  }
  try {
    // Of the open file, so that what is judged is what is read.
    const mode = fstatSync(file).mode & 0o777;
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      throw new CommandFailure(
        `--invite @FILE: others may read this file (mode ${mode.toString(8).padStart(4, "0")}), so its invite was not used. Run chmod 600 on it, and ask for a new invite if others may have read it.`,
      );
    }
    return readStart(file).split("\n", 1)[0] ?? "";
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const why = (error as NodeJS.ErrnoException).code ?? "unknown error";
    throw new CommandFailure(`--invite @FILE: it cannot be read (${why}). No Room was joined.`);
  } finally {
    closeSync(file);
  }
}

function readStart(file: number): string {
  const buffer = Buffer.alloc(FILE_BYTES);
  let length = 0;
  while (length < buffer.length) {
    const read = readSync(file, buffer, length, buffer.length - length, null);
    if (read === 0) break;
    length += read;
  }
  return buffer.toString("utf8", 0, length);
}

function describeUnusable(text: string, role: Role): string {
  const isToken = /\bhr1\.(?:ht|rt)\./.test(text);
  const what = isToken ? "This is a participant's token, not an invite" : "This is not an invite";
  return `${what}. No Room was joined. Copy ${WANTED[role]} again, whole: part of it may have been lost on the way.`;
}
