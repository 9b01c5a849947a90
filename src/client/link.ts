import { parseCredential } from "../protocol/index.ts";

/** An invite and, where it came in a link, the origin of the server that the link names. */
export interface ParsedInvite {
  invite: string;
  server?: string;
}

/**
 * Reads what a person pasted: an invite, or an http(s) link whose fragment is one (then `server` is its origin). White space
 * around it is no part of it. Undefined for anything else, participant tokens included.
 */
export function parseInvite(text: string): ParsedInvite | undefined {
  const pasted = text.trim();
  if (isInvite(pasted)) return { invite: pasted };
  if (!URL.canParse(pasted)) return undefined;
  const url = new URL(pasted);
  if (url.protocol !== "https:" && url.protocol !== "http:") return undefined;
  const invite = url.hash.slice(1);
  return isInvite(invite) ? { invite, server: url.origin } : undefined;
}

function isInvite(text: string): boolean {
  const kind = parseCredential(text)?.kind;
  return kind === "hi" || kind === "ri";
}
