import { type CredentialKind, parseCredential } from "../src/protocol/index.ts";
import type { Env } from "./env.ts";
import { HttpError } from "./http-error.ts";

/** A credential that came with a call: which Room it is for, and the only form of it that goes any further. */
export interface PresentedCredential {
  readonly kind: CredentialKind;
  readonly roomId: DurableObjectId;
  /** SHA-256 of the whole credential, base64url. */
  readonly hash: string;
}

export const INVITE_KINDS: readonly CredentialKind[] = ["hi", "ri"];
export const TOKEN_KINDS: readonly CredentialKind[] = ["ht", "rt"];

/** Reads the bearer of a call. @throws HttpError `unauthorized`, `room_not_found` */
export async function bearerOf(
  header: string | undefined,
  kinds: readonly CredentialKind[],
  env: Env,
): Promise<PresentedCredential> {
  const match = /^Bearer +(\S+)$/i.exec(header ?? "");
  if (match === null) throw new HttpError("unauthorized", NO_CREDENTIAL);
  return readCredential(match[1] as string, kinds, env);
}

/** @throws HttpError `unauthorized`, `room_not_found` */
export async function readCredential(
  credential: string,
  kinds: readonly CredentialKind[],
  env: Env,
): Promise<PresentedCredential> {
  const parsed = parseCredential(credential);
  if (parsed === undefined) throw new HttpError("unauthorized", NO_CREDENTIAL);
  if (!kinds.includes(parsed.kind)) throw new HttpError("unauthorized", WRONG_KIND);
  const roomId = decodeRoomId(parsed.roomId, env);
  if (roomId === undefined) {
    throw new HttpError(
      "room_not_found",
      "There is no such Room. It may have ended; create a new one.",
    );
  }
  return { kind: parsed.kind, roomId, hash: await hashCredential(credential) };
}

/** A new credential for a Room. */
export async function mintCredential(
  kind: CredentialKind,
  roomId: string,
): Promise<{ credential: string; hash: string }> {
  const secret = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const credential = `hr1.${kind}.${roomId}.${secret}`;
  return { credential, hash: await hashCredential(credential) };
}

/** A Room id as the wire carries it: base64url of the object id's 32 bytes. */
export function encodeRoomId(id: DurableObjectId): string {
  return base64url(Uint8Array.from(id.toString().match(/../g) ?? [], (hex) => parseInt(hex, 16)));
}

/** An id that was never issued is refused here, before any object is touched. A filter, never authority. */
function decodeRoomId(roomId: string, env: Env): DurableObjectId | undefined {
  const bytes = atob(roomId.replaceAll("-", "+").replaceAll("_", "/"));
  const hex = Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0"));
  try {
    return env.ROOMS.idFromString(hex.join(""));
  } catch {
    return undefined;
  }
}

async function hashCredential(credential: string): Promise<string> {
  const bytes = new TextEncoder().encode(credential);
  return base64url(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

const NO_CREDENTIAL = "This call needs a credential: Authorization: Bearer hr1.….";
const WRONG_KIND =
  "This kind of credential does not open this route: invites join, participant tokens do the rest.";
