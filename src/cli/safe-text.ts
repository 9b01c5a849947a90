import { terminalText } from "../resident/terminal-text.ts";

const SECRET = /\b(hr1\.(?:hi|ri|ht|rt)\.)[\w.-]+/g;

/** A text for people without any credential that it may quote. */
export function withoutSecrets(text: string): string {
  return text.replace(SECRET, "$1…");
}

/** A text that may quote anything, for a terminal: no credential, nothing that acts there. */
export function safeText(text: string): string {
  return terminalText(withoutSecrets(text));
}

/** A name or another short text for the inside of one line. */
export function inLine(text: string): string {
  return terminalText(text).replace(/\n/g, "\\n").replace(/\t/g, "\\t");
}
