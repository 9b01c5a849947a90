import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linesOf } from "../../src/resident/diff-block.ts";
import { cutIntoHunks, type Hunk, holdsEveryChange } from "../../src/resident/hunks.ts";
import { applyHunks, numbered } from "../support/file-changes.ts";

const BOUNDS = { hunks: 64, milliseconds: 500 };

function cut(oldText: string, newText: string, bounds = BOUNDS): Hunk[] {
  const hunks = cutIntoHunks(oldText, newText, bounds);
  if (hunks === undefined) throw new Error("not cut");
  return hunks;
}

describe("the hunks of a changed file", () => {
  it("hold a changed line with three lines around it, and where it stands", () => {
    const before = numbered(40);
    const after = before.replace("line 20\n", "line twenty\nline 20b\n");
    expect(cut(before, after)).toEqual([
      {
        oldStart: 17,
        newStart: 17,
        oldText: "line 17\nline 18\nline 19\nline 20\nline 21\nline 22\nline 23\n",
        newText: "line 17\nline 18\nline 19\nline twenty\nline 20b\nline 21\nline 22\nline 23\n",
      },
    ]);
  });

  it("are one for each place that changed, counted in the old and in the new text", () => {
    const before = numbered(100);
    const after = before.replace("line 10\n", "").replace("line 90\n", "line ninety\n");
    const starts = cut(before, after).map(({ oldStart, newStart }) => [oldStart, newStart]);
    expect(starts).toEqual([
      [7, 7],
      [87, 86],
    ]);
  });

  it("are no more than asked for: those nearest to each other are joined", () => {
    const before = numbered(200);
    const after = before.replaceAll(/^line (?:10|25|150)$/gm, "changed");
    const hunks = cut(before, after, { ...BOUNDS, hunks: 2 });
    expect(hunks.map(({ oldStart, oldText }) => [oldStart, linesOf(oldText).length])).toEqual([
      [7, 22],
      [147, 7],
    ]);
    expect(applyHunks(before, hunks)).toBe(after);
  });

  it("keep a last newline that came or went, and line ends", () => {
    const before = numbered(40);
    expect(cut(before, before.slice(0, -1)).at(-1)?.newText).toMatch(/line 40$/);
    expect(cut(before, before.replace("20\n", "20\r\n"))[0]?.newText).toContain("line 20\r\n");
  });

  it("are one, from the first to the last change, where a difference would cost too much", () => {
    const before = numbered(5_000);
    const lines = linesOf(before);
    const after = [
      ...lines.slice(0, 2_000),
      ...lines.slice(2_000, 3_000).map((line) => `new ${line}`),
      ...lines.slice(3_000),
    ].join("");
    const hunks = cut(before, after);
    expect(hunks.map(({ oldStart, newStart }) => [oldStart, newStart])).toEqual([[1_998, 1_998]]);
    expect(linesOf(hunks[0]?.oldText ?? "")).toHaveLength(1_006);
    expect(applyHunks(before, hunks)).toBe(after);
  });

  it("never lose a change", () => {
    const line = fc.constantFrom(
      "a\n",
      "b\n",
      "\n",
      " a\n",
      "a\r\n",
      "\\ No newline\n",
      "-a\n",
      "\u2028\n",
    );
    const text = fc
      .tuple(fc.array(line, { minLength: 1, maxLength: 40 }), fc.constantFrom("", "end"))
      .map(([lines, end]) => lines.join("") + end);
    const edited = text.chain((before) => {
      const lines = linesOf(before);
      const edit = fc.tuple(fc.nat(lines.length), fc.nat(3), fc.array(line, { maxLength: 3 }));
      return fc.tuple(fc.constant(before), fc.array(edit, { maxLength: 4 })).map(([, edits]) => {
        const after = [...lines];
        for (const [at, gone, come] of edits) after.splice(at, gone, ...come);
        return [before, after.join("")] as const;
      });
    });
    const pairs = fc.oneof(edited, fc.tuple(text, text));
    const bounds = fc.record({
      hunks: fc.integer({ min: 1, max: 5 }),
      milliseconds: fc.constantFrom(-1, 500),
    });
    fc.assert(
      fc.property(pairs, bounds, ([before, after], bounds) => {
        fc.pre(before !== after && after !== "");
        const hunks = cut(before, after, bounds);
        expect(hunks.length).toBeLessThanOrEqual(bounds.hunks);
        expect(applyHunks(before, hunks)).toBe(after);
        for (const { oldText, newText } of hunks) {
          expect(oldText).not.toBe(newText);
          // A reader would take it for a new or an emptied file.
          expect(oldText).not.toBe("");
          expect(newText).not.toBe("");
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("whether hunks hold every change", () => {
  const lines = linesOf(numbered(10));
  const range = { oldStart: 4, oldEnd: 6, newStart: 4, newEnd: 6 };

  it("sees a change before, between and after them", () => {
    expect(holdsEveryChange(lines, lines.with(5, "x\n"), [range])).toBe(true);
    expect(holdsEveryChange(lines, lines.with(3, "x\n"), [range])).toBe(false);
    expect(holdsEveryChange(lines, lines.with(6, "x\n"), [range])).toBe(false);
    const two = [range, { oldStart: 8, oldEnd: 9, newStart: 8, newEnd: 9 }];
    expect(holdsEveryChange(lines, lines.with(7, "x\n"), two)).toBe(false);
  });

  it("sees a line more or less at the end", () => {
    expect(holdsEveryChange(lines, [...lines, "x\n"], [range])).toBe(false);
    expect(holdsEveryChange(lines, lines.slice(0, -1), [range])).toBe(false);
  });
});
