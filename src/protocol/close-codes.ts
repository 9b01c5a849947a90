/** Why a socket was closed. */
export const CLOSE = {
  /** A frame over FRAME_BYTES: use POST. */
  frameTooLarge: 1009,
  /** A newer socket of the same participant took its place. */
  replaced: 4000,
  roomClosed: 4001,
  /** The credential is not, or no longer, valid. */
  unauthorized: 4003,
  roomNotFound: 4004,
  /** Abuse: back off for ABUSE_BACKOFF_MS at least. */
  abuse: 4008,
  /** The Room does not speak the protocol version that was asked for. */
  versionNotSpoken: 4010,
  /** The Room is full, or the address is limited. */
  limited: 4029,
} as const;
export type CloseCode = (typeof CLOSE)[keyof typeof CLOSE];

export const ABUSE_BACKOFF_MS = 30_000;

const TERMINAL: ReadonlySet<number> = new Set([
  CLOSE.replaced,
  CLOSE.roomClosed,
  CLOSE.unauthorized,
  CLOSE.roomNotFound,
  CLOSE.versionNotSpoken,
]);

/** Whether a client must not reconnect after this code. After any other it does, with jittered backoff. */
export function isTerminalClose(code: number): boolean {
  return TERMINAL.has(code);
}
