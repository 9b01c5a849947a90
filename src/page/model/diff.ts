import { diffArrays } from "diff/lib/diff/array.js";
import { endOf, linesOf, type FileChange, type FilePart } from "./file-parts.ts";

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
export interface DiffBlock {
  folded: boolean;
  rows: readonly DiffRow[];
  /** A part of the file begins here, and so many lines before it were not sent. */
  unsent?: number;
}

/** What happened to the file; `part`: only parts of it came. */
export type FileFate = "new" | "empty_or_new" | "emptied" | "changed" | "part";

export type FileDiff =
  | {
      state: "shown";
      file: FileFate;
      added: number;
      removed: number;
      blocks: readonly DiffBlock[];
    }
  | { state: "same" }
  | { state: "too_large" | "binary"; file: FileFate };

/** Removed and added lines of one file that a diff is searched for; its cost grows with the square. */
export const DIFF_EDITS = 1_000;
/** Files of one request that are searched that far; where there are more, each is searched less far: the cost stays the same. */
const FEW_FILES = 4;
/** Rows that are drawn as a table; above it the new text stands as text. */
export const DIFF_ROWS = 2_000;
const CONTEXT = 3;
const WORD_DIFF_LENGTH = 400;
const WORD_DIFF_EDITS = 60;

/** How many removed and added lines a diff is searched for in one of so many files. */
export function editsFor(files: number): number {
  return Math.floor(DIFF_EDITS / Math.sqrt(Math.max(1, files / FEW_FILES)));
}

/** One file's change as unified rows, or why it is not shown as such. The result is the same on every machine. */
export function diffFile(change: FileChange, edits = DIFF_EDITS): FileDiff {
  const { oldText, newText, parts } = change;
  const file = nameFate(change);
  if (newText.includes("\0") || oldText?.includes("\0")) return { state: "binary", file };
  // Parts may trade texts with each other, and be the same when put together.
  if (parts === undefined && oldText === newText) return { state: "same" };
  const whole = { oldText: oldText ?? "", newText, oldStart: 1, newStart: 1 };
  const pieces = readPieces(parts ?? [whole], edits);
  if (pieces === undefined) return { state: "too_large", file };
  const added = countOf(pieces, "added");
  const removed = countOf(pieces, "removed");
  if (added + removed > DIFF_ROWS) return { state: "too_large", file };
  const folded = pieces.map(fold);
  const blocks = parts === undefined ? folded.flat() : placeBlocks(parts, folded);
  return { state: "shown", file, added, removed, blocks };
}

/** Rows that are drawn of it before anything is unfolded. */
export function shownRows(read: FileDiff, { newText }: FileChange): number {
  if (read.state !== "shown") return linesOf(newText).length;
  return read.blocks.reduce((rows, block) => rows + (block.folded ? 1 : block.rows.length), 0);
}

function readPieces(parts: readonly FilePart[], edits: number): DiffRow[][] | undefined {
  const pieces: DiffRow[][] = [];
  let left = edits;
  for (const part of parts) {
    const rows = makeRows(part, left);
    if (rows === undefined) return undefined;
    pieces.push(rows);
    left = Math.max(0, left - rows.filter((row) => row.change !== "same").length);
  }
  return pieces;
}

function countOf(pieces: readonly DiffRow[][], change: DiffRow["change"]): number {
  return pieces.flat().filter((row) => row.change === change).length;
}

function nameFate({ oldText, newText, parts }: FileChange): FileFate {
  if (parts !== undefined) return "part";
  if (oldText === undefined) return "new";
  if (oldText === "") return "empty_or_new";
  return newText === "" ? "emptied" : "changed";
}

function placeBlocks(parts: readonly FilePart[], blocks: readonly DiffBlock[][]): DiffBlock[] {
  return parts.flatMap((part, index) => {
    const unsent = part.oldStart - endOf(parts[index - 1]).oldEnd;
    const [first, ...others] = blocks[index] ?? [];
    return first === undefined ? [] : [{ ...first, unsent }, ...others];
  });
}

function makeRows(part: FilePart, maxEditLength: number): DiffRow[] | undefined {
  const oldLines = linesOf(part.oldText);
  const newLines = linesOf(part.newText);
  const isOneSided = oldLines.length === 0 || newLines.length === 0;
  const changes = isOneSided
    ? [
        { value: oldLines, removed: true, added: false },
        { value: newLines, removed: false, added: true },
      ]
    : diffArrays(oldLines, newLines, { maxEditLength });
  if (changes === undefined) return undefined;
  const rows: DiffRow[] = [];
  let oldLine = part.oldStart;
  let newLine = part.newStart;
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
