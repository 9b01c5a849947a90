import { linesOf } from "../../src/resident/diff-block.ts";

/** A text of numbered lines, "line 1" first. */
export function numbered(lines: number): string {
  return Array.from({ length: lines }, (_, index) => `line ${index + 1}\n`).join("");
}

/** A text of `count` lines of 62 bytes. */
export function file(count: number): string {
  return Array.from({ length: count }, (_, n) => `${String(n).padEnd(61, "-")}\n`).join("");
}

/** The new text that hunks make of an old one; throws where they do not fit it. `oldStart` and `newStart` count from 1. */
export function applyHunks(
  oldText: string,
  hunks: readonly { oldStart: number; newStart: number; oldText: string; newText: string }[],
): string {
  const oldLines = linesOf(oldText);
  const newLines: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    newLines.push(...oldLines.slice(at, hunk.oldStart - 1));
    at = hunk.oldStart - 1;
    if (newLines.length !== hunk.newStart - 1) throw new Error("the new lines do not fit");
    const gone = linesOf(hunk.oldText);
    if (oldLines.slice(at, at + gone.length).join("") !== hunk.oldText) {
      throw new Error("the old lines do not fit");
    }
    newLines.push(...linesOf(hunk.newText));
    at += gone.length;
  }
  return [...newLines, ...oldLines.slice(at)].join("");
}
