import { z } from "./z.ts";

/** `hi` and `ri`: invites for a human and a resident; `ht` and `rt`: their participant tokens. */
export const CREDENTIAL_KINDS = ["hi", "ri", "ht", "rt"] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/** `hr1.<kind>.<roomId>.<secret>`; room id and secret are each 32 bytes in canonical base64url. */
export interface ParsedCredential {
  kind: CredentialKind;
  roomId: string;
}

// 43 characters hold 258 bits: the last one of 32 bytes has its two low bits clear.
const BASE64URL_32 = "[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]";
const CREDENTIAL = new RegExp(`^hr1\\.(hi|ri|ht|rt)\\.(${BASE64URL_32})\\.${BASE64URL_32}$`);

/** Reads a credential's kind and Room, or undefined where it has not the form of one. The secret is not looked at. */
export function parseCredential(credential: string): ParsedCredential | undefined {
  const match = CREDENTIAL.exec(credential);
  if (match === null) return undefined;
  return { kind: match[1] as CredentialKind, roomId: match[2] as string };
}

export const roomId = z.string().regex(new RegExp(`^${BASE64URL_32}$`), "not a Room id");
export const credential = z.string().regex(CREDENTIAL, "not a Handraise credential");
