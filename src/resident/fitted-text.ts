import { utf8Bytes } from "../protocol/index.ts";

/** A text cut to so many bytes, and saying so. `leftOutBytes`: what it had more, before it came here. */
export function fittedText(text: string, maxBytes: number, leftOutBytes = 0): string {
  const wellFormed = text.toWellFormed();
  const bytes = utf8Bytes(wellFormed);
  if (bytes <= maxBytes && leftOutBytes === 0) return wellFormed;
  const note = `\n[cut: ${bytes + leftOutBytes} bytes in all]`;
  const room = maxBytes - utf8Bytes(note);
  const kept = new TextDecoder().decode(new TextEncoder().encode(wellFormed).subarray(0, room));
  return kept.replace(/\ufffd+$/, "") + note;
}
