import { structuredPatch } from "diff/lib/patch/create.js";
import { linesOf } from "./diff-block.ts";

/** Part of a changed text: the changed lines and what stands around them, exactly as they are there. */
export interface Hunk {
  /** First line in the old and the new text, from 1. */
  oldStart: number;
  newStart: number;
  oldText: string;
  newText: string;
}

/** The same lines in both texts: from 0, the end not included. */
export interface Range {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

export interface HunkBounds {
  hunks: number;
  /** For the search of the smallest difference; without one in time, all between the first and the last change is one hunk. */
  milliseconds: number;
}

const CONTEXT = 3;
/** Lines that came or went up to which the smallest difference is searched for; its cost grows with the square. */
const EDITS = 1_000;

/**
 * Everything that differs between two texts, with three lines around it, in order. Undefined where it is not certain that the
 * hunks hold every change.
 */
export function cutIntoHunks(
  oldText: string,
  newText: string,
  bounds: HunkBounds,
): Hunk[] | undefined {
  const oldLines = linesOf(oldText);
  const newLines = linesOf(newText);
  const found =
    findRanges(oldText, newText, bounds.milliseconds) ?? enclosingRange(oldLines, newLines);
  const ranges = joinNearest(found, bounds.hunks);
  if (!holdsEveryChange(oldLines, newLines, ranges)) return undefined;
  return ranges.map(({ oldStart, oldEnd, newStart, newEnd }) => ({
    oldStart: oldStart + 1,
    newStart: newStart + 1,
    oldText: oldLines.slice(oldStart, oldEnd).join(""),
    newText: newLines.slice(newStart, newEnd).join(""),
  }));
}

function findRanges(oldText: string, newText: string, timeout: number): Range[] | undefined {
  const options = { context: CONTEXT, maxEditLength: EDITS, timeout };
  const patch = structuredPatch("", "", oldText, newText, undefined, undefined, options);
  return patch?.hunks.map((hunk) => ({
    oldStart: hunk.oldStart - 1,
    oldEnd: hunk.oldStart - 1 + hunk.oldLines,
    newStart: hunk.newStart - 1,
    newEnd: hunk.newStart - 1 + hunk.newLines,
  }));
}

/** What lies between the equal beginnings and the equal ends. */
function enclosingRange(oldLines: readonly string[], newLines: readonly string[]): Range[] {
  const shorter = Math.min(oldLines.length, newLines.length);
  let before = 0;
  while (before < shorter && oldLines[before] === newLines[before]) before += 1;
  let after = 0;
  while (after < shorter - before && oldLines.at(-1 - after) === newLines.at(-1 - after))
    after += 1;
  const start = Math.max(0, before - CONTEXT);
  const left = Math.max(0, after - CONTEXT);
  return [
    {
      oldStart: start,
      oldEnd: oldLines.length - left,
      newStart: start,
      newEnd: newLines.length - left,
    },
  ];
}

/** Joins the ranges that lie nearest to each other until there are few enough. */
function joinNearest(ranges: readonly Range[], count: number): Range[] {
  const gaps = ranges.slice(1).map((range, index) => ({
    index: index + 1,
    lines: range.oldStart - (ranges[index]?.oldEnd ?? 0),
  }));
  const widest = gaps.sort((a, b) => b.lines - a.lines).slice(0, count - 1);
  const begins = new Set(widest.map(({ index }) => index));
  const joined: Range[] = [];
  for (const [index, range] of ranges.entries()) {
    const last = joined.at(-1);
    if (last === undefined || begins.has(index)) joined.push({ ...range });
    else Object.assign(last, { oldEnd: range.oldEnd, newEnd: range.newEnd });
  }
  return joined;
}

/** Whether the two texts are equal everywhere outside the ranges: nothing that changed may go unseen. */
export function holdsEveryChange(
  oldLines: readonly string[],
  newLines: readonly string[],
  ranges: readonly Range[],
): boolean {
  let oldAt = 0;
  let newAt = 0;
  const end = { oldStart: oldLines.length, newStart: newLines.length, oldEnd: 0, newEnd: 0 };
  for (const { oldStart, newStart, oldEnd, newEnd } of [...ranges, end]) {
    if (oldStart - oldAt !== newStart - newAt) return false;
    for (; oldAt < oldStart; oldAt += 1, newAt += 1) {
      if (oldLines[oldAt] !== newLines[newAt]) return false;
    }
    oldAt = oldEnd;
    newAt = newEnd;
  }
  return true;
}
