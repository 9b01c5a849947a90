import { createTwoFilesPatch } from "diff/lib/patch/create.js";
import { describe, expect, it } from "vitest";
import { fitAsk, readAsk } from "../../src/resident/ask.ts";
import { shapeEvidence } from "../../src/resident/evidence.ts";
import { bytesOf, edit, PATH, shape, type Shaped } from "../support/evidence-bench.ts";
import { file } from "../support/file-changes.ts";
import { recordedAsks } from "../support/recorded-asks.ts";

function fits(toolCall: unknown): boolean {
  const read = readAsk(toolCall, [{ optionId: "o", name: "Once", kind: "allow_once" }]);
  if (read.kind !== "read") throw new Error(read.detail);
  return fitAsk(read.toolCall, read.options).kind === "fits";
}

describe("a new file that the agent sends twice", () => {
  const small = createTwoFilesPatch(PATH, PATH, "", "hello\nworld\n");

  it("is sent by opencode as the patch that this test makes", () => {
    const [ask] = recordedAsks("opencode-write");
    const { rawInput } = (ask?.toolCall ?? {}) as Shaped;
    expect(rawInput["diff"]).toBe(small.replaceAll(PATH, "/workspace/new.txt"));
  });

  it.each([
    ["claude", null, (text: string) => ({ file_path: PATH, content: text }), "the new text"],
    ["qwen", "", (text: string) => ({ file_path: PATH, content: text }), "the new text"],
    [
      "opencode",
      "",
      (text: string) => ({ filepath: PATH, diff: createTwoFilesPatch(PATH, PATH, "", text) }),
      "a patch",
    ],
  ])("is shown once and whole: %s", (_, oldText, input, what) => {
    const text = file(6_500);
    const content = [edit(oldText, text)];
    const sent = { toolCallId: "t1", content, rawInput: input(text) };
    expect(bytesOf(sent)).toBeGreaterThan(800_000);
    const shaped = shapeEvidence(sent, []) as Shaped;
    expect(bytesOf(shaped)).toBeLessThan(412_000);
    expect(shaped.content).toEqual(content);
    const [, repeat] = Object.entries(shaped.rawInput)[1] ?? [];
    expect(repeat).toMatch(
      new RegExp(`^‹${what} of ${PATH}: shown above as a diff, 4\\d\\d \\d{3} bytes›$`),
    );
  });

  it("is asked where it would have been too large twice", () => {
    const text = file(10_000);
    const sent = { toolCallId: "t1", content: [edit(null, text)], rawInput: { content: text } };
    expect(fits(sent)).toBe(false);
    expect(fits(shapeEvidence(sent, []))).toBe(true);
  });

  it("says how large it was", () => {
    const text = "x".repeat(403_000);
    const { rawInput } = shape({ content: [edit(null, text)], rawInput: [{ deep: { text } }] });
    expect(rawInput).toEqual([
      { deep: { text: `‹the new text of ${PATH}: shown above as a diff, 403 000 bytes›` } },
    ]);
  });
});

describe("what repeats a diff", () => {
  const before = file(1_000);
  const after = before.replace("500", "5OO");
  const both = after.replace("900", "9OO");
  const content = [edit(before, both, "/w/both.txt"), edit(before, after)];

  function shapeInput(text: string): unknown {
    return shape({ content, rawInput: { text } }).rawInput["text"];
  }

  it("may be the old text, the new text or a patch", () => {
    const patch = createTwoFilesPatch(`a${PATH}`, `b${PATH}`, before, after, undefined, undefined, {
      context: 10,
    });
    expect(shapeInput(before)).toMatch(/^‹the old text of/);
    expect(shapeInput(after)).toMatch(/^‹the new text of/);
    expect(shapeInput(patch)).toMatch(/^‹a patch of/);
    expect(shapeInput(patch.slice(patch.indexOf("@@")))).toMatch(/^‹a patch of/);
  });

  it("may end without a newline", () => {
    const open = [edit(before.slice(0, -1), `${before}more`)];
    const diff = createTwoFilesPatch(PATH, PATH, before.slice(0, -1), `${before}more`, "", "", {
      context: 20,
    });
    expect(shape({ content: open, rawInput: { diff } }).rawInput["diff"]).toMatch(/^‹a patch of/);
  });

  const patch = createTwoFilesPatch(PATH, PATH, before, after, "", "", { context: 10 });
  const first = createTwoFilesPatch("/w/both.txt", "/w/both.txt", before, after, "", "", {
    context: 10,
  });
  it.each([
    ["another text", `${after}more`],
    ["a patch of another file", patch.replaceAll(PATH, "/w/c.txt")],
    ["a patch with another line of context", patch.replace(/^ 501/m, " 50l")],
    ["a patch that removes another line", patch.replace(/^-500/m, "-50O")],
    ["a patch that adds another line", patch.replace("5OO", "S00")],
    ["a patch of the first of two changes", first],
    ["a patch with another place in the new text", patch.replace("+491,21", "+490,21")],
    ["a patch with another number of lines", patch.replace("-491,21", "-491,20")],
    ["a patch at another place", patch.replace("@@ -491,21 +491,21", "@@ -490,21 +490,21")],
    ["a patch that says more before", `rm -rf /\n${patch}`],
    ["a patch that says more after", `${patch}rm -rf /\n`],
    ["a patch that says more at its hunk", patch.replace(/@@$/m, "@@ rm -rf /")],
    ["a patch that is cut off", patch.slice(0, patch.lastIndexOf("\n", patch.length - 2))],
    ["a patch that promises more lines", patch.replace("@@ -491,21", "@@ -491,99")],
  ])("is not %s", (_, text) => {
    expect(text).not.toBe(patch);
    expect(shapeInput(text)).toBe(text);
  });

  it("is looked for in eight patches", () => {
    const { rawInput } = shape({ content, rawInput: Array.from({ length: 10 }, () => patch) });
    const isMarked = Object.values(rawInput).map((text) => text !== patch);
    expect(isMarked).toEqual([...Array.from({ length: 8 }, () => true), false, false]);
  });

  it("stays as sent in a small call", () => {
    const text = file(200);
    const sent = { content: [edit(null, text)], rawInput: { text } };
    expect(bytesOf(sent)).toBeGreaterThan(24_000);
    expect(shape(sent)).toEqual({ toolCallId: "t1", ...sent });
  });

  it("stays as sent where it is small", () => {
    const [small, large] = ["x".repeat(1_023), "y".repeat(1_024)];
    const blocks = [edit(null, small), edit(null, large), edit(null, file(1_000))];
    const { rawInput } = shape({ content: blocks, rawInput: { small, large } });
    expect(rawInput["small"]).toBe(small);
    expect(rawInput["large"]).toMatch(/1 024 bytes›$/);
  });

  it("stays as sent where its path is longer", () => {
    const text = "x".repeat(2_000);
    const blocks = [edit(null, text, "p".repeat(2_000)), edit(null, file(1_000))];
    expect(shape({ content: blocks, rawInput: { text } }).rawInput["text"]).toBe(text);
  });
});
