/** The subprotocol that the Room selects. */
export const SUBPROTOCOL = "handraise.v1";
/** What a browser's socket prefixes its credential with, as a second subprotocol that is never selected. */
export const TOKEN_SUBPROTOCOL_PREFIX = "token.";

/**
 * Which of a client's attempts to connect a socket is. A network can hold an upgrade back until after a later one: the Room must
 * not take the late one for the newer. Optional, as a further subprotocol that is never selected.
 */
export interface Attempt {
  /** Random, made by one page or process for all its attempts. */
  readonly clientId: string;
  /** Grows with every attempt. */
  readonly number: number;
}

const ATTEMPT = /^attempt\.([A-Za-z0-9_-]{8,64})\.(\d{1,15})$/;

export function attemptSubprotocol({ clientId, number }: Attempt): string {
  return `attempt.${clientId}.${number}`;
}

/** Reads one subprotocol, or undefined where it names no attempt. */
export function parseAttempt(subprotocol: string): Attempt | undefined {
  const match = ATTEMPT.exec(subprotocol);
  return match === null ? undefined : { clientId: match[1] as string, number: Number(match[2]) };
}
