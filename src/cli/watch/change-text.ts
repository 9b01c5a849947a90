import { structuredPatch } from "diff";

/** Removed and added lines that a diff is searched for; its cost grows with the square. */
const DIFF_EDITS = 1000;
const CONTEXT_LINES = 3;

/** A file's change as people read it: its path, then what changes. `oldText` undefined: there was no file. */
export function changeText(
  path: string,
  oldText: string | undefined,
  newText: string,
): { heading: string; text: string } {
  if (oldText === undefined || oldText === "") {
    const heading = oldText === undefined ? "New file" : "New or empty file";
    return { heading, text: `${path}\n${newText}` };
  }
  if (oldText === newText) {
    return { heading: "No difference; the text before and after", text: `${path}\n${newText}` };
  }
  const patch = structuredPatch(path, path, oldText, newText, "", "", {
    context: CONTEXT_LINES,
    maxEditLength: DIFF_EDITS,
  });
  if (patch === undefined) {
    return {
      heading: "Change, too large for a diff; the whole new text",
      text: `${path}\n${newText}`,
    };
  }
  const lines = patch.hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines,
  ]);
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  const added = count("+");
  const heading = `${newText === "" ? "File emptied or deleted" : "Change"}, ${added} ${added === 1 ? "line" : "lines"} added, ${count("-")} removed`;
  return { heading, text: [path, ...lines].join("\n") };
}
