import type { FileChange } from "./file-parts.ts";

const HUNK = /^@@ -(\d+)[\d,]* \+(\d+)[\d,]* @@\n/m;
const HEAD = /^(?:Index: |--- |\+\+\+ )([^\t]+)/;

/** Whether a unified patch says nothing but what one of these changes shows: its path, and lines that stand in the same place there. */
export function isSamePatch(patch: string, changes: readonly FileChange[]): boolean {
  const [head = "", ...pieces] = patch.split(HUNK);
  const isRepeated = ({ path, oldText = "", newText, parts }: FileChange) => {
    const isHead = (line: string) => /^=+$/.test(line) || HEAD.exec(line)?.[1] === path;
    // Each hunk is three pieces: where it begins before and after, and its lines.
    const isHeld = (piece: string, index: number) =>
      index % 3 !== 2 ||
      (holds(oldText, pieces[index - 2], linesIn(piece), "+") &&
        holds(newText, pieces[index - 1], linesIn(piece), "-"));
    return parts === undefined && linesIn(head).every(isHead) && pieces.every(isHeld);
  };
  return pieces.length > 0 && changes.some(isRepeated);
}

function linesIn(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}

/** Whether the text has these lines of a patch from there on, without those of the other side. */
function holds(
  text: string,
  start: string | undefined,
  lines: readonly string[],
  otherSide: string,
): boolean {
  const said = lines.filter((line) => line !== "\\ No newline at end of file");
  const own = said.filter((line) => !line.startsWith(otherSide));
  const from = text.split("\n").slice(Math.max(0, Number(start) - 1));
  return (
    said.every((line) => /^[ +-]/.test(line)) &&
    own.every((line, index) => line.slice(1) === from[index])
  );
}
