import { assert, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { HIDDEN } from "../../src/page/visible-text/hidden.ts";
import { inspectText } from "../../src/page/visible-text/inspect.ts";
import { readLines, readRuns, runText, spell } from "../../src/page/visible-text/runs.ts";

function drawn(text: string): string {
  return readRuns(text).map(runText).join("");
}

describe("hidden characters", () => {
  it.each([
    ["bidi override", "cat \u202Efdp.troper\u202C; rm x", "cat ⟨U+202E⟩fdp.troper⟨U+202C⟩; rm x"],
    ["bidi isolates", "\u2066a\u2069", "⟨U+2066⟩a⟨U+2069⟩"],
    ["bidi marks", "\u200E\u200F\u061C", "⟨U+200E⟩⟨U+200F⟩⟨U+061C⟩"],
    ["zero-width space", "su\u200Bdo", "su⟨U+200B⟩do"],
    ["zero-width joiner", "a\u200Db", "a⟨U+200D⟩b"],
    ["byte order mark", "\uFEFFa", "⟨U+FEFF⟩a"],
    ["soft hyphen", "a\u00ADb", "a⟨U+00AD⟩b"],
    ["word joiner", "a\u2060b", "a⟨U+2060⟩b"],
    ["tag letters", "a\u{E0061}", "a⟨U+E0061⟩"],
    ["blank letters", "a\u3164\u2800", "a⟨U+3164⟩⟨U+2800⟩"],
    ["spaces that are none", "rm\u00A0-r", "rm⟨U+00A0⟩-r"],
    ["control characters", "a\u0000b\u0007", "a⟨U+0000⟩b⟨U+0007⟩"],
    ["a return inside a line", "ls\rrm", "ls⟨U+000D⟩rm"],
    ["ANSI colours", "\u001B[31mred\u001B[0m", "␛[31mred␛[0m"],
    [
      "an ANSI sequence longer than any in use",
      "\u001B[000000000000000000;. ./x",
      "⟨U+001B⟩[000000000000000000;. ./x",
    ],
    ["ANSI sequences with a private mark and a blank", "\u001B[?25l\u001B[1 q", "␛[?25l␛[1 q"],
    ["other escapes", "\u001B]0;title\u0007", "⟨U+001B⟩]0;title⟨U+0007⟩"],
    ["a run of one character", "a\u200B\u200B\u200Bb", "a⟨U+200B ×3⟩b"],
    ["variation selectors on letters", "a\uFE0F", "a⟨U+FE0F⟩"],
  ])("draws %s as escapes, in the order they are stored", (_what, text, shown) => {
    expect(drawn(text)).toBe(shown);
    expect(inspectText(text).characters).toBeGreaterThan(0);
  });

  it.each(["ملف تقرير.txt", "קובץ.txt", "❤️ ok", "naïve café", "日本語", "a\u0301", "x\ty"])(
    "leaves %s as it is",
    (text) => {
      expect(drawn(text)).toBe(text);
      expect(inspectText(text)).toEqual({ characters: 0, spaces: 0, blankLines: 0 });
    },
  );

  it("escapes marks that are stacked beyond any writing", () => {
    expect(drawn(`a${"\u0300".repeat(20)}`)).toBe(`a${"\u0300".repeat(6)}⟨U+0300 ×14⟩`);
  });

  it("never hands a hidden character on as text", () => {
    const anyText = string({ unit: "binary", maxLength: 200 });
    assert(
      property(anyText, (text) => {
        const texts = readRuns(text).filter((run) => run.kind === "text");
        expect(texts.flatMap((run) => run.text.match(HIDDEN) ?? [])).toEqual([]);
      }),
    );
  });
});

describe("white space", () => {
  it("marks what leads and trails", () => {
    expect(drawn("  ls\t ")).toBe("··ls→·");
    expect(drawn("   ")).toBe("···");
  });

  it("folds and counts blanks that push text out of sight", () => {
    const text = `ls${" ".repeat(300)}; rm -rf /`;
    expect(drawn(text)).toBe("ls⟨300 spaces⟩; rm -rf /");
    expect(inspectText(text).spaces).toBe(300);
  });

  it("keeps an indentation", () => {
    const text = `{\n${" ".repeat(40)}a\n}`;
    expect(readLines(text).map((line) => line.kind)).toEqual(["line", "line", "line"]);
    expect(inspectText(text).spaces).toBe(0);
  });

  it("folds and counts blank lines, and goes on with the right line number", () => {
    const text = `ls\n${"\n".repeat(40)}rm`;
    expect(readLines(text).slice(1)).toEqual([
      { kind: "blank_lines", count: 40 },
      { kind: "line", number: 42, runs: [{ kind: "text", text: "rm" }] },
    ]);
    expect(inspectText(text).blankLines).toBe(40);
  });

  it("opens no line after the last newline", () => {
    expect(readLines("a\nb\n")).toHaveLength(2);
    expect(readLines("a\r\nb\r\n").map((line) => line.kind === "line" && line.runs)).toEqual([
      [
        { kind: "text", text: "a" },
        { kind: "edge", text: "CR" },
      ],
      [
        { kind: "text", text: "b" },
        { kind: "edge", text: "CR" },
      ],
    ]);
  });

  it("draws newlines where a text is kept on one line", () => {
    expect(spell("a\nb\n\n\nc")).toBe("a⟨newline⟩b⟨3 newlines⟩c");
  });
});

/** How long it takes to read a text and to look for what it hides. */
function readingTime(text: string): number {
  const start = performance.now();
  inspectText(text);
  readLines(text);
  spell(text);
  return performance.now() - start;
}

describe("texts of any size", () => {
  it("draws the first escapes of a line each by itself, and the others as plain text", () => {
    const runs = readRuns("\u200Ba".repeat(300_000));
    expect(runs).toHaveLength(5_000);
    expect(runs.slice(0, 2).map((run) => run.kind)).toEqual(["character", "text"]);
    expect(runs.at(-1)?.kind).toBe("rest");
  });

  it("lets nothing pass for an escape among escapes in plain text", () => {
    const shown = "a⟨U+202E⟩ ⟨U+27E8⟩U+202E⟨U+27E9⟩ ⟨U+241B⟩[0m ␛[0m·⟨··⟩";
    const last = readRuns(`${"\u200Ba".repeat(3_000)}\u202E ⟨U+202E⟩ ␛[0m \u001B[0m·  `).at(-1);
    expect(last?.kind === "rest" && last.text.slice(-shown.length)).toBe(shown);
    expect(spell("\u202E⟨U+202E⟩")).toBe("⟨U+202E⟩⟨U+27E8⟩U+202E⟨U+27E9⟩");
  });

  it("draws some thousands of escapes of a text of many lines, and each line whole", () => {
    const lines = readLines(`${"\u200Ba".repeat(2_400)}\n`.repeat(90));
    const counts = lines.map((line) => (line.kind === "line" ? line.runs.length : 0));
    expect(counts.reduce((sum, count) => sum + count)).toBeLessThan(20_200);
    expect(counts.slice(-80)).toEqual(Array.from({ length: 80 }, () => 1));
    const texts = lines.map((line) => line.kind === "line" && line.runs.map(runText).join(""));
    expect(new Set(texts)).toEqual(new Set(["⟨U+200B⟩a".repeat(2_400)]));
    expect(readLines("plain\n".repeat(30_000)).at(-1)).toMatchObject({
      runs: [{ kind: "text", text: "plain" }],
    });
  });

  it("shows what stands for an object", () => {
    expect(spell("su\uFFFCdo")).toBe("su⟨U+FFFC⟩do");
  });

  it("draws fewer escapes of a text that shares what can be drawn with others, and hides none", () => {
    const text = "\u200Ba".repeat(3_000);
    for (const [sharing, count] of [
      [0, 5_000],
      [10, 500],
      [2_000, 4],
    ] as const) {
      const runs = readRuns(text, { sharing });
      expect(runs).toHaveLength(count);
      expect(runs.map(runText).join("")).toBe("⟨U+200B⟩a".repeat(3_000));
    }
    expect(
      readLines(`${text}\n`.repeat(3), { sharing: 100 }).map(
        (line) => line.kind === "line" && line.runs.length,
      ),
    ).toEqual([201, 1, 1]);
  });

  it("reads half a million newlines on one line", () => {
    expect(spell("\n".repeat(500_000))).toBe("⟨500000 newlines⟩");
    expect(readRuns("a\n".repeat(400_000))).toHaveLength(5_000);
  });

  it.each([
    ["blanks", `a${" ".repeat(900_000)}x`],
    ["tabs and returns", `a${"\t\r".repeat(450_000)}x`],
    ["short runs of blanks", `a${`${" ".repeat(31)}x`.repeat(28_000)}`],
    ["blank lines of blanks", `a${`${" ".repeat(300_000)}\n`.repeat(3)}x`],
    ["newlines", `a${"\n".repeat(900_000)}x`],
    ["sequences that never end", "\u001B[0000000000000000".repeat(50_000)],
    ["stacked marks", `a${"\u0300".repeat(900_000)}`],
  ])("reads 900 kB of %s in a time that grows with it", (_what, text) => {
    const plain = readingTime("ab ".repeat(300_000));
    expect(readingTime(text)).toBeLessThan(5_000 + 20 * plain);
  });
});

describe("the ends of a line", () => {
  it.each([
    ["a \t\r", "a·→CR"],
    ["a\r", "aCR"],
    ["a\r\r", "a⟨U+000D⟩CR"],
    ["a\r ", "a⟨U+000D⟩·"],
    [" \r", "·CR"],
    ["\r", "CR"],
  ])("are marked once: %j", (text, shown) => {
    expect(drawn(text)).toBe(shown);
  });
});
