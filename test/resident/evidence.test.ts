import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "../../src/protocol/index.ts";
import { fitAsk, readAsk } from "../../src/resident/ask.ts";
import { shapeEvidence } from "../../src/resident/evidence.ts";
import { bytesOf, edit, PATH, shape, type Shaped } from "../support/evidence-bench.ts";
import { applyHunks, file, numbered } from "../support/file-changes.ts";
import { recordedAsks, recordings } from "../support/recorded-asks.ts";

function hunksOf(content: readonly Record<string, unknown>[]) {
  return content.map((block) => {
    const { hunk } = (block["_meta"] as { handraise: { hunk: Record<string, number> } }).handraise;
    const { oldText, newText } = block as { oldText: string; newText: string };
    return { ...hunk, oldText, newText } as Parameters<typeof applyHunks>[1][number];
  });
}

describe("recorded requests of real agents", () => {
  it.each(recordings())("are small and stay as they are: %s", (name) => {
    for (const { toolCall, options } of recordedAsks(name)) {
      expect(shapeEvidence(toolCall, [])).toEqual(toolCall);
      const read = readAsk(toolCall, options);
      expect(read.kind).toBe("read");
    }
  });

  it.each([
    [
      "codex-edit",
      { oldText: "alpha\nbeta\n", newText: "alpha\ngamma\n", path: "/workspace/notes.txt" },
    ],
    ["codex-write", { oldText: null, newText: "hello\nworld\n", path: "/workspace/new.txt" }],
  ])("show the diff that only an earlier update had: %s", (name, diff) => {
    const [ask] = recordedAsks(name);
    const read = readAsk(ask?.toolCall, ask?.options);
    if (read.kind !== "read") throw new Error(read.detail);
    const fitting = fitAsk(shapeEvidence(read.toolCall, []), read.options);
    expect(fitting).toMatchObject({
      kind: "fits",
      toolCall: { kind: "edit", content: [{ type: "diff", ...diff }] },
      options: ask?.options,
    });
  });

  it("keep a title that is not the command, and the command", () => {
    const [ask] = recordedAsks("copilot-shell");
    expect(shapeEvidence(ask?.toolCall, [])).toMatchObject({
      title: "Run the scripted command",
      rawInput: { command: "echo ran-shell >> ran.txt" },
    });
  });
});

describe("a diff of a whole file", () => {
  it.each([
    ["at its beginning", "line 1\n"],
    ["in the middle", "line 15000\n"],
    ["at its end", "line 31000\n"],
  ])("shows a change of 31 000 lines %s, and asks for it", (_, line) => {
    const before = numbered(31_000);
    const after = before.replace(line, "rm -rf /\n");
    const { content } = shape({ content: [edit(before, after)], rawInput: { file_path: PATH } });
    expect(content).toHaveLength(1);
    expect(content[0]).toMatchObject({ type: "diff", path: PATH });
    expect(bytesOf(content)).toBeLessThan(400);
    expect(applyHunks(before, hunksOf(content))).toBe(after);
  });

  it("becomes a block for each hunk, and keeps what else the agent said of it", () => {
    const before = numbered(10_000);
    const after = before.replace("line 100\n", "").replace("line 9000\n", "line x\n");
    const note = { type: "content", content: { type: "text", text: "why" } };
    const block = { ...edit(before, after), _meta: { kind: "update" }, extra: 1 };
    const { content } = shape({ content: [note, block] });
    expect(content).toEqual([
      note,
      expect.objectContaining({
        extra: 1,
        _meta: {
          kind: "update",
          handraise: { hunk: { number: 1, of: 2, oldStart: 97, newStart: 97 } },
        },
      }),
      expect.objectContaining({
        _meta: {
          kind: "update",
          handraise: { hunk: { number: 2, of: 2, oldStart: 8_997, newStart: 8_996 } },
        },
      }),
    ]);
    expect(applyHunks(before, hunksOf(content.slice(1)))).toBe(after);
  });

  it("names every file that changes", () => {
    const before = numbered(5_000);
    const paths = Array.from({ length: 12 }, (_, n) => `/w/${n}.txt`);
    const blocks = paths.map((path, n) =>
      edit(before, before.replace(`line ${n + 7}\n`, ""), path),
    );
    const { content } = shape({ content: blocks });
    expect(content.map((block) => block["path"])).toEqual(paths);
    expect(bytesOf(content)).toBeLessThan(limits.INLINE_TOOL_CALL_BYTES);
  });

  it("is cut into few enough hunks to be drawn", () => {
    const before = file(10_000);
    const after = before.replaceAll(/^(\d+)00-/gm, "$1oo-");
    const { content } = shape({ content: [edit(before, after)] });
    expect(content).toHaveLength(64);
    expect(applyHunks(before, hunksOf(content)) === after).toBe(true);
  });

  const long = file(1_000);
  const CROWDED = { _meta: { handraise: "x".repeat(1_000) } };
  it.each([
    ["a new file", [edit(null, long)]],
    ["a new file, as some agents say it", [edit("", long)]],
    ["an emptied file", [edit(long, "")]],
    ["a new file with much in our place", [{ ...edit("", long), ...CROWDED }]],
    ["an emptied file with much in our place", [{ ...edit(long, ""), ...CROWDED }]],
    ["a binary file", [edit(`${long}\0`, `${long}\0\n`)]],
    ["a file that stays as it is", [edit(long, long)]],
    ["one line, changed", [edit(long.replaceAll("\n", ""), long.replaceAll("\n", "."))]],
    ["a file rewritten", [edit(long, long.replaceAll("-", "+"))]],
    ["a diff of another shape", [{ type: "diff", path: 7, oldText: long, newText: `${long}x` }]],
    ["an unknown block", [{ type: "blob", path: PATH, oldText: long, newText: `${long}x` }]],
  ])("stays whole: %s", (_, content) => {
    expect(shape({ content }).content).toEqual(content);
  });

  it("never loses a change, never changes what the agent sent", () => {
    const text = fc.array(fc.constantFrom("a", "b", "", "{"), { minLength: 1, maxLength: 30 });
    const pieces = fc.tuple(
      text,
      fc.array(fc.tuple(fc.nat(1_030), fc.nat(4), text), { maxLength: 5 }),
    );
    fc.assert(
      fc.property(pieces, ([start, edits]) => {
        const lines = [...start, ...file(1_000).split("\n")];
        const changed = [...lines];
        for (const [at, gone, come] of edits) changed.splice(at, gone, ...come);
        const [before, after] = [lines.join("\n"), changed.join("\n")];
        fc.pre(before !== after);
        const sent = { toolCallId: "t1", content: [edit(before, after)], rawInput: { after } };
        const copy = structuredClone(sent);
        const { content, rawInput } = shapeEvidence(sent, []) as Shaped;
        expect(sent).toEqual(copy);
        expect(applyHunks(before, hunksOf(content))).toBe(after);
        expect(rawInput["after"]).toMatch(/^‹the new text of/);
      }),
      { numRuns: 100 },
    );
  });
});

describe("what is never cut", () => {
  it.each([20_000, 200_000, 900_000])("a command of %d characters", (length) => {
    const command = `${"echo x; ".repeat(length / 8)}rm -rf "$HOME"`;
    const toolCall = { toolCallId: "t1", title: command.slice(0, 80), rawInput: { command } };
    expect(shapeEvidence(toolCall, [])).toEqual(toolCall);
  });

  it.each([
    ["no object", "text"],
    ["a list", [1]],
    ["nothing", undefined],
    ["nested too deep", { rawInput: JSON.parse(`${"[".repeat(64)}${"]".repeat(64)}`) as unknown }],
    [
      "nested without end",
      { rawInput: JSON.parse(`${"[".repeat(1e5)}${"]".repeat(1e5)}`) as unknown },
    ],
    ["of too many nodes", { rawInput: Array.from({ length: 20_000 }, () => "12345678") }],
    ["ill-formed", { rawInput: "12345678\ud800" }],
  ])("a call that is %s comes back as it is", (_, toolCall) => {
    expect(shapeEvidence(toolCall, [{ name: "KEY", value: "12345678" }])).toBe(toolCall);
  });

  it("a call that hunks would give too many nodes", () => {
    const before = numbered(30);
    const block = edit(before, before.replace("line 3\n", ""));
    const content = Array.from({ length: 3_990 }, () => block);
    const toolCall = { toolCallId: "t1", content };
    const shaped = shapeEvidence(toolCall, []);
    expect(shaped).toEqual(toolCall);
    expect(shapeEvidence({ ...toolCall, content: content.slice(0, 500) }, [])).not.toEqual({
      ...toolCall,
      content: content.slice(0, 500),
    });
  });
});
