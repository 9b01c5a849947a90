import { describe, expect, it } from "vitest";
import { diffFile } from "../../src/page/model/diff.ts";
import { diffText } from "../../src/page/model/diff-text.ts";
import { readToolCall } from "../../src/page/model/evidence.ts";
import { shapeEvidence } from "../../src/resident/evidence.ts";
import type { ToolCall } from "../../src/protocol/index.ts";

const LINES = Array.from({ length: 4_000 }, (_, index) => `line ${index + 1}\n`);
const BEFORE = LINES.join("");

/** The file with these lines, counted from 1, written in capitals. */
function shout(...numbers: number[]): string {
  return LINES.map((line, index) => (numbers.includes(index + 1) ? line.toUpperCase() : line)).join(
    "",
  );
}

function edit(oldText: string, newText: string, more: Record<string, unknown> = {}) {
  return { type: "diff", path: "/w/a.txt", oldText, newText, ...more };
}

interface Place {
  number: unknown;
  of: unknown;
  oldStart: unknown;
  newStart: unknown;
}

function part(oldText: string, newText: string, place: Partial<Place> = {}) {
  const hunk = { number: 1, of: 1, oldStart: 5, newStart: 5, ...place };
  return edit(oldText, newText, { _meta: { handraise: { hunk } } });
}

function read(...content: unknown[]) {
  return readToolCall({ toolCallId: "t1", kind: "edit", content });
}

const TWO = [
  part("a\nb\n", "a\nB\nc\n", { number: 1, of: 2, oldStart: 10, newStart: 10 }),
  part("x\n", "y\n", { number: 2, of: 2, oldStart: 20, newStart: 21 }),
];

describe("parts of one file", () => {
  it("that a resident has cut are one diff, with the lines' own numbers and what was not sent between", () => {
    const sent = {
      toolCallId: "t1",
      kind: "edit",
      content: [edit(BEFORE, shout(2_000, 3_500))],
    };
    const shaped = shapeEvidence(sent, []) as ToolCall;
    expect(shaped["content"]).toHaveLength(2);
    const { changes, rest } = readToolCall(shaped);
    expect(changes).toHaveLength(1);
    expect(rest).toEqual({ toolCallId: "t1" });
    const diff = diffFile(changes[0] as (typeof changes)[number]);
    if (diff.state !== "shown") throw new Error(`not shown: ${diff.state}`);
    expect(diff).toMatchObject({ file: "part", added: 2, removed: 2 });
    expect(diff.blocks.map((block) => block.unsent)).toEqual([1_996, 1_493]);
    const changed = diff.blocks.flatMap(({ rows }) => rows.filter((row) => row.change !== "same"));
    expect(changed.map((row) => [row.oldLine, row.newLine])).toEqual([
      [2_000, undefined],
      [undefined, 2_000],
      [3_500, undefined],
      [undefined, 3_500],
    ]);
  });

  it("are copied as a patch with their places", () => {
    const [change] = read(...TWO).changes;
    const diff = diffFile(change as NonNullable<typeof change>);
    if (diff.state !== "shown") throw new Error(`not shown: ${diff.state}`);
    expect(diffText("/w/a.txt", diff.blocks)).toBe(
      [
        "--- /w/a.txt",
        "+++ /w/a.txt",
        "@@ -10,2 +10,3 @@",
        " a",
        "-b",
        "+B",
        "+c",
        "@@ -20,1 +21,1 @@",
        "-x",
        "+y",
        "",
      ].join("\n"),
    );
  });

  it("are one part too, where there is only one", () => {
    expect(read(part("a", "b")).changes[0]?.parts).toHaveLength(1);
  });

  it("that trade lines with each other are no equal texts", () => {
    const [change] = read(
      part("a\nmoved\n", "a\n", { number: 1, of: 2 }),
      part("b\n", "moved\nb\n", { number: 2, of: 2, oldStart: 7, newStart: 6 }),
    ).changes;
    expect(diffFile(change as NonNullable<typeof change>)).toMatchObject({ added: 1, removed: 1 });
  });

  it("are told apart from the parts of another file and from whole files", () => {
    const other = { ...(TWO[0] as object), path: "/w/b.txt" };
    expect(read(other, edit("a", "b"), ...TWO).changes.map(({ parts }) => parts?.length)).toEqual([
      undefined,
      undefined,
      2,
    ]);
  });
});

describe("what only looks like parts of one file", () => {
  const [first, second] = TWO;
  const bad: [string, unknown[]][] = [
    ["the last is missing", [first]],
    ["the first is missing", [second]],
    ["they are in another order", [second, first]],
    ["one comes twice", [first, first]],
    [
      "they lie over each other",
      [first, part("x\n", "y\n", { number: 2, of: 2, oldStart: 11, newStart: 12 })],
    ],
    [
      "what lies between has grown",
      [first, part("x\n", "y\n", { number: 2, of: 2, oldStart: 20, newStart: 22 })],
    ],
    ["what lies before has grown", [part("x\n", "y\n", { oldStart: 5, newStart: 6 })]],
    ["a number is a text", [part("x\n", "y\n", { number: "1" })]],
    ["a line is 0", [part("x\n", "y\n", { oldStart: 0, newStart: 0 })]],
    ["a line is a fraction", [part("x\n", "y\n", { oldStart: 1.5, newStart: 1.5 })]],
    ["a line is beyond counting", [part("x\n", "y\n", { oldStart: 2 ** 53, newStart: 2 ** 53 })]],
    ["one is no change", [part("x\n", "x\n")]],
    ["one is binary", [part("x\0", "y\0")]],
    [
      "a line is torn",
      [
        part("a", "b", { number: 1, of: 2 }),
        part("c", "d", { number: 2, of: 2, oldStart: 6, newStart: 6 }),
      ],
    ],
    ["it says that there was no file", [{ ...part("", "y\n"), oldText: null }]],
  ];
  it.each(bad)("is drawn each by itself, numbered from 1, its `_meta` raw: %s", (_, content) => {
    const { changes, rest } = read(...content);
    expect(changes).toHaveLength(content.length);
    expect(changes.map(({ parts }) => parts)).toEqual(content.map(() => undefined));
    expect(JSON.stringify(rest["content"]).match(/"hunk"/g)).toHaveLength(content.length);
    for (const change of changes) {
      const diff = diffFile(change);
      if (diff.state !== "shown") continue;
      expect(diff.file).not.toBe("part");
      expect(diff.blocks[0]?.rows[0]).toMatchObject({
        [diff.file === "new" ? "newLine" : "oldLine"]: 1,
      });
    }
  });

  it("hides nothing else that a block carries", () => {
    const block = { ...part("a", "b"), mode: "0777", _meta: { other: 1 } };
    expect(read(block).rest["content"]).toEqual([
      { type: "diff", path: "/w/a.txt", mode: "0777", _meta: { other: 1 } },
    ]);
    const note = {
      type: "content",
      content: { type: "text", text: "why", annotations: { priority: 1 } },
    };
    const { texts, rest } = read(note);
    expect(texts).toEqual([{ what: "note", text: "why" }]);
    expect(rest["content"]).toEqual([
      { type: "content", content: { annotations: { priority: 1 } } },
    ]);
  });

  it("costs no more than one file", () => {
    const many = Array.from({ length: 40 }, (_, index) => {
      const lines = (word: string) =>
        Array.from({ length: 200 }, (_, n) => `${word}${n}\n`).join("");
      const start = 1 + index * 300;
      return part(lines("old"), lines("new"), {
        number: index + 1,
        of: 40,
        oldStart: start,
        newStart: start,
      });
    });
    const [change] = read(...many).changes;
    const from = performance.now();
    expect(diffFile(change as NonNullable<typeof change>)).toEqual({
      state: "too_large",
      file: "part",
    });
    expect(performance.now() - from).toBeLessThan(1_000);
  });
});
