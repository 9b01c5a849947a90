import { fieldsOf, type Fields } from "./tool-call-fields.ts";

/** A file before and after; `oldText` undefined: there was none. */
export interface FileChange {
  path: string;
  oldText: string | undefined;
  newText: string;
  /** Only these parts of it came; the texts above are theirs, one after the other. */
  parts?: readonly FilePart[];
}

/** Part of a changed file, and where its lines begin there, from 1, as the sender says: nobody here can check it. */
export interface FilePart {
  oldText: string;
  newText: string;
  oldStart: number;
  newStart: number;
}

/** A part as it came: which of how many. */
export interface PlacedPart extends FilePart {
  number: number;
  of: number;
}

export type ReadChange = FileChange & { part?: PlacedPart };

/** Reads `_meta.handraise.hunk` of a diff block, which anybody can write. */
export function readPart(block: Fields, { oldText, newText }: FileChange): PlacedPart | undefined {
  const hunk = fieldsOf(fieldsOf(fieldsOf(block["_meta"])["handraise"])["hunk"]);
  const { number, of, oldStart, newStart } = hunk;
  if (!isCount(number) || !isCount(of) || !isCount(oldStart) || !isCount(newStart)) {
    return undefined;
  }
  if (oldText === undefined) return undefined;
  return { oldText, newText, oldStart, newStart, number, of };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

/**
 * Makes one change of the parts of one file that follow each other, where they are all there and fit together. What does not fit is
 * a change of its own each, as if it had no place.
 */
export function joinParts(changes: readonly ReadChange[]): FileChange[] {
  const joined: FileChange[] = [];
  for (let index = 0; index < changes.length;) {
    const run = readRun(changes, index);
    const { path, oldText, newText } = changes[index] as ReadChange;
    joined.push(run === undefined ? { path, oldText, newText } : joinRun(path, run));
    index += run?.length ?? 1;
  }
  return joined;
}

function joinRun(path: string, parts: readonly FilePart[]): FileChange {
  const join = (side: "oldText" | "newText") => parts.map((part) => part[side]).join("");
  return { path, oldText: join("oldText"), newText: join("newText"), parts };
}

function readRun(changes: readonly ReadChange[], start: number): PlacedPart[] | undefined {
  const count = changes[start]?.part?.of;
  if (count === undefined || count > changes.length - start) return undefined;
  const run = changes.slice(start, start + count);
  const parts = run.flatMap(({ part }) => part ?? []);
  const isOne = run.every(({ path, part }) => path === run[0]?.path && part?.of === count);
  const fits = (part: PlacedPart, index: number) =>
    part.number === index + 1 &&
    isAlone(part, index === count - 1) &&
    follows(part, parts[index - 1]);
  return isOne && parts.every(fits) ? parts : undefined;
}

/** Whether it says something by itself: a change, in text, of whole lines. */
function isAlone({ oldText, newText }: FilePart, isLast: boolean): boolean {
  if (oldText === newText || (oldText + newText).includes("\0")) return false;
  return isLast || [oldText, newText].every((text) => text === "" || text.endsWith("\n"));
}

/** What is not sent in between cannot have become longer or shorter: then something that changed was left out. */
function follows(part: FilePart, before: FilePart | undefined): boolean {
  const { oldEnd, newEnd } = endOf(before);
  const unsent = part.oldStart - oldEnd;
  return unsent >= 0 && part.newStart - newEnd === unsent;
}

/** The first lines after a part. */
export function endOf(part: FilePart | undefined): { oldEnd: number; newEnd: number } {
  if (part === undefined) return { oldEnd: 1, newEnd: 1 };
  return {
    oldEnd: part.oldStart + linesOf(part.oldText).length,
    newEnd: part.newStart + linesOf(part.newText).length,
  };
}

/** Lines with their ends, so that a missing last newline is a difference. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
