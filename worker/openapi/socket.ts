import {
  ABUSE_BACKOFF_MS,
  CLOSE,
  isTerminalClose,
  limits,
  PING,
  PONG,
  SUBPROTOCOL,
  TOKEN_SUBPROTOCOL_PREFIX,
} from "../../src/protocol/index.ts";

const MEANINGS: Readonly<Record<keyof typeof CLOSE, string>> = {
  frameTooLarge: `a frame over ${limits.FRAME_BYTES} bytes: use POST`,
  replaced: "a newer socket of the same participant took over",
  roomClosed: "the Room has ended",
  unauthorized: "the credential is not, or no longer, valid",
  roomNotFound: "there is no such Room",
  abuse: `too many frames: back off for ${ABUSE_BACKOFF_MS} ms at least`,
  versionNotSpoken: "the Room does not speak the subprotocol that was asked for",
  limited: "the Room is full, or calls are limited",
};

export interface CloseMeaning {
  readonly code: number;
  readonly meaning: string;
  /** Whether a client may connect again, with jittered backoff. */
  readonly reconnect: boolean;
}

export function closeCodes(): CloseMeaning[] {
  return Object.entries(CLOSE).map(([name, code]) => ({
    code,
    meaning: MEANINGS[name as keyof typeof CLOSE],
    reconnect: !isTerminalClose(code),
  }));
}

/** How the socket works, for both documents. */
export function describeSocket(): string {
  const codes = closeCodes().map(
    ({ code, meaning, reconnect }) =>
      `- ${code}: ${meaning}${reconnect ? "" : "; do not reconnect"}`,
  );
  return [
    `A WebSocket with the subprotocol \`${SUBPROTOCOL}\`. The credential comes as \`Authorization\` or, from a browser, as a second subprotocol: \`new WebSocket(url, ["${SUBPROTOCOL}", "${TOKEN_SUBPROTOCOL_PREFIX}" + credential])\`; never both, never in the query. \`${TOKEN_SUBPROTOCOL_PREFIX}…\` is never selected.`,
    "With the credential in a subprotocol a refusal is an accepted upgrade that is closed at once with its code; with `Authorization` it is the HTTP status.",
    `A frame is the text of one JSON object, told apart by \`type\`; \`/api/frames.json\` has all of them. Every frame of a client gets one \`accepted\` or \`rejected\`, which repeats its \`ref\`. The literal text \`${PING}\` is answered \`${PONG}\`: send it every ${limits.PING_INTERVAL_MS} ms.`,
    `Close codes; after any other, reconnect with jittered backoff:\n\n${codes.join("\n")}`,
  ].join("\n\n");
}
