import { diffArrays } from "diff/lib/diff/array.js";
import type { FileChange } from "./evidence.ts";

/** Part of a line; `isChanged`: not in the line that it is paired with. */
export interface DiffPart {
  text: string;
  isChanged: boolean;
}

export interface DiffRow {
  change: "same" | "added" | "removed";
  oldLine?: number;
  newLine?: number;
  parts: readonly DiffPart[];
  /** The file ends here without a newline. */
  endsOpen: boolean;
}

/** Rows to show, or a number of unchanged rows to unfold. */
export type DiffBlock = { folded: boolean; rows: readonly DiffRow[] };

export type FileDiff =
  | {
      state: "shown";
      file: "new" | "empty_or_new" | "emptied" | "changed";
      added: number;
      removed: number;
      blocks: readonly DiffBlock[];
    }
  | { state: "same" }
  | { state: "too_large" }
  | { state: "binary" };

/** Removed and added lines that a diff is searched for; its cost grows with the square. */
export const DIFF_EDITS = 1_000;
/** Rows that are drawn as a table; above it the new text stands as text. */
export const DIFF_ROWS = 2_000;
const CONTEXT = 3;
const WORD_DIFF_LENGTH = 400;
const WORD_DIFF_EDITS = 60;

/** One file's change as unified rows, or why it is not shown as such. The result is the same on every machine. */
export function diffFile({ oldText, newText }: FileChange): FileDiff {
  if (newText.includes("\0") || oldText?.includes("\0")) return { state: "binary" };
  if (oldText === newText) return { state: "same" };
  const oldLines = linesOf(oldText ?? "");
  const newLines = linesOf(newText);
  const rows = makeRows(oldLines, newLines);
  if (rows === undefined) return { state: "too_large" };
  const added = rows.filter((row) => row.change === "added").length;
  const removed = rows.filter((row) => row.change === "removed").length;
  if (added + removed > DIFF_ROWS) return { state: "too_large" };
  return { state: "shown", file: nameFile(oldText, newText), added, removed, blocks: fold(rows) };
}

function nameFile(oldText: string | undefined, newText: string) {
  if (oldText === undefined) return "new";
  if (oldText === "") return "empty_or_new";
  return newText === "" ? "emptied" : "changed";
}

/** Lines with their ends, so that a missing last newline is a difference. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function makeRows(oldLines: string[], newLines: string[]): DiffRow[] | undefined {
  const isOneSided = oldLines.length === 0 || newLines.length === 0;
  const changes = isOneSided
    ? [
        { value: oldLines, removed: true, added: false },
        { value: newLines, removed: false, added: true },
      ]
    : diffArrays(oldLines, newLines, { maxEditLength: DIFF_EDITS });
  if (changes === undefined) return undefined;
  const rows: DiffRow[] = [];
  let oldLine = 1;
  let newLine = 1;
  for (const { value, removed, added } of changes) {
    for (const line of value) {
      if (removed) rows.push({ ...rowOf(line), change: "removed", oldLine: oldLine++ });
      else if (added) rows.push({ ...rowOf(line), change: "added", newLine: newLine++ });
      else {
        rows.push({ ...rowOf(line), change: "same", oldLine: oldLine++, newLine: newLine++ });
      }
    }
  }
  return markWords(rows);
}

function rowOf(line: string) {
  const endsOpen = !line.endsWith("\n");
  const text = endsOpen ? line : line.slice(0, -1);
  return { parts: [{ text, isChanged: false }], endsOpen };
}

/** Where as many lines came as went, each is compared with its counterpart. */
function markWords(rows: DiffRow[]): DiffRow[] {
  for (let start = 0; start < rows.length;) {
    const removed = countFrom(rows, start, "removed");
    const added = countFrom(rows, start + removed, "added");
    if (removed > 0 && removed === added) {
      for (let n = start; n < start + removed; n += 1) markPair(rows, n, n + removed);
    }
    start += Math.max(1, removed + added);
  }
  return rows;
}

function countFrom(rows: readonly DiffRow[], start: number, change: DiffRow["change"]): number {
  let end = start;
  while (rows[end]?.change === change) end += 1;
  return end - start;
}

function markPair(rows: DiffRow[], oldIndex: number, newIndex: number): void {
  const oldRow = rows[oldIndex];
  const newRow = rows[newIndex];
  const oldText = oldRow?.parts[0]?.text ?? "";
  const newText = newRow?.parts[0]?.text ?? "";
  if (oldRow === undefined || newRow === undefined || oldText === newText) return;
  if (oldText.length + newText.length > WORD_DIFF_LENGTH) return;
  const runs = diffArrays(wordsOf(oldText), wordsOf(newText), { maxEditLength: WORD_DIFF_EDITS });
  if (runs === undefined || !runs.some((run) => !run.added && !run.removed)) return;
  const partsWithout = (absent: "added" | "removed"): DiffPart[] =>
    runs
      .filter((run) => !run[absent])
      .map((run) => ({ text: run.value.join(""), isChanged: run.added || run.removed }));
  rows[oldIndex] = { ...oldRow, parts: partsWithout("added") };
  rows[newIndex] = { ...newRow, parts: partsWithout("removed") };
}

/** Words, blanks and single signs: what a person would call a change in a line. */
function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}_]+|\s+|./gsu) ?? [];
}

/** Folds what is unchanged and farther than CONTEXT lines from any change. */
function fold(rows: readonly DiffRow[]): DiffBlock[] {
  const isNear = rows.map(() => false);
  for (const [index, row] of rows.entries()) {
    if (row.change !== "same") isNear.fill(true, Math.max(0, index - CONTEXT), index + CONTEXT + 1);
  }
  const blocks: { folded: boolean; rows: DiffRow[] }[] = [];
  for (const [index, row] of rows.entries()) {
    const folded = isNear[index] !== true;
    const last = blocks.at(-1);
    if (last === undefined || last.folded !== folded) blocks.push({ folded, rows: [row] });
    else last.rows.push(row);
  }
  // One hidden line costs as much room as one shown.
  return blocks.map((block) => ({ ...block, folded: block.folded && block.rows.length > 1 }));
}

/** The rows as patch text, for copying. */
export function diffText(path: string, blocks: readonly DiffBlock[]): string {
  const sign = { same: " ", added: "+", removed: "-" };
  const lines = blocks
    .flatMap((block) => block.rows)
    .map((row) => sign[row.change] + row.parts.map((part) => part.text).join(""));
  return [`--- ${path}`, `+++ ${path}`, ...lines, ""].join("\n");
}
