import type { RoomFrame } from "../protocol/index.ts";

/** A frame as one line of JSON, in which nothing acts on a terminal. Reads back as the same frame. */
export function jsonLine(frame: RoomFrame | Record<string, unknown>): string {
  const text = JSON.stringify(frame).replace(/[^\P{C}]|[\u2028\u2029]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`)
      .join(""),
  );
  return `${text}\n`;
}
