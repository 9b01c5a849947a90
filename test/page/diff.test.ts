import { describe, expect, it } from "vitest";
import { diffFile, editsFor, type FileDiff } from "../../src/page/model/diff.ts";
import { diffText } from "../../src/page/model/diff-text.ts";

function diff(oldText: string | undefined, newText: string) {
  return diffFile({ path: "/w/a.txt", oldText, newText });
}

function shown(result: FileDiff) {
  if (result.state !== "shown") throw new Error(`not shown: ${result.state}`);
  return result;
}

function numbered(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");
}

describe("one file's change", () => {
  it("shows a changed line with its numbers and what changed in it", () => {
    const { blocks, added, removed, file } = shown(diff("alpha\nbeta = 5\n", "alpha\nbeta = 6\n"));
    expect({ added, removed, file }).toEqual({ added: 1, removed: 1, file: "changed" });
    expect(blocks).toHaveLength(1);
    expect(blocks[0]?.rows.slice(1)).toEqual([
      {
        change: "removed",
        oldLine: 2,
        endsOpen: false,
        parts: [
          { text: "beta = ", isChanged: false },
          { text: "5", isChanged: true },
        ],
      },
      {
        change: "added",
        newLine: 2,
        endsOpen: false,
        parts: [
          { text: "beta = ", isChanged: false },
          { text: "6", isChanged: true },
        ],
      },
    ]);
  });

  it.each([
    [undefined, "a\n", "new"],
    ["", "a\n", "empty_or_new"],
    ["a\n", "", "emptied"],
    ["a\n", "b\n", "changed"],
  ])("names what happened to the file: %j to %j is %s", (oldText, newText, file) => {
    expect(shown(diff(oldText, newText)).file).toBe(file);
  });

  it("folds what is unchanged and far from a change", () => {
    const before = numbered(40);
    const { blocks } = shown(diff(before, before.replace("line 20\n", "line twenty\n")));
    expect(blocks.map((block) => [block.folded, block.rows.length])).toEqual([
      [true, 16],
      [false, 8],
      [true, 17],
    ]);
  });

  it("shows a last newline that came or went", () => {
    const { added, removed, blocks } = shown(diff("a", "a\n"));
    expect({ added, removed }).toEqual({ added: 1, removed: 1 });
    expect(blocks[0]?.rows.map((row) => row.endsOpen)).toEqual([true, false]);
  });

  it("tells line ends apart", () => {
    expect(shown(diff("a\nb\n", "a\r\nb\n")).added).toBe(1);
  });

  it("never says that a changed file is the same", () => {
    expect(diff("a", "a").state).toBe("same");
    expect(diff("a ", "a").state).toBe("shown");
    expect(diff(undefined, "").state).toBe("shown");
  });

  it("shows a change at the end of 31 000 lines", () => {
    const before = numbered(31_000);
    const result = shown(diff(before, `${before}rm -rf /\n`));
    expect(result.added).toBe(1);
    expect(result.blocks.at(-1)?.rows.at(-1)?.newLine).toBe(31_001);
  });

  it("gives up where a diff would cost too much or be too long to draw", () => {
    const before = numbered(31_000);
    expect(diff(before, before.replaceAll("line", "LINE")).state).toBe("too_large");
    expect(diff(undefined, before)).toEqual({ state: "too_large", file: "new" });
  });

  it("is searched less far where there are many: a request must not freeze the page", () => {
    expect([1, 4, 16, 400].map(editsFor)).toEqual([1_000, 1_000, 500, 100]);
    const before = numbered(300);
    const change = { path: "/a", oldText: before, newText: before.replaceAll("line", "LINE") };
    expect(diffFile(change, editsFor(1)).state).toBe("shown");
    expect(diffFile(change, editsFor(400))).toEqual({ state: "too_large", file: "changed" });
  });

  it("draws no diff of binary texts", () => {
    expect(diff("a\0", "b").state).toBe("binary");
  });

  it("copies as patch text", () => {
    const { blocks } = shown(diff("a\nb\n", "a\nc\n"));
    expect(diffText("/w/a.txt", blocks)).toBe("--- /w/a.txt\n+++ /w/a.txt\n a\n-b\n+c\n");
  });
});
