import { describe, expect, test } from "vitest";
import { showToolCall, summarise } from "../../src/approval/index.ts";
import { limits } from "../../src/protocol/index.ts";

function parse(json: string): Record<string, unknown> {
  return JSON.parse(json);
}

/** A location whose JSON has exactly so many bytes. */
function locationOf(bytes: number): { path: string } {
  return { path: "p".repeat(bytes - JSON.stringify({ path: "" }).length) };
}

const TITLE = limits.REFERENCE_TITLE_BYTES;
const KIND = limits.REFERENCE_KIND_BYTES;

describe("a summary", () => {
  test.each<[string, Record<string, unknown>, Record<string, unknown>, string[]]>([
    ["nothing but an id", {}, {}, []],
    [
      "what fits",
      { title: "T", kind: "edit", locations: [] },
      { title: "T", kind: "edit", locations: [] },
      [],
    ],
    ["a title at its limit", { title: "t".repeat(TITLE) }, { title: "t".repeat(TITLE) }, []],
    ["a title past it", { title: "t".repeat(TITLE + 1) }, {}, ["title"]],
    ["a title past it in bytes", { title: "é".repeat(TITLE / 2 + 1) }, {}, ["title"]],
    ["an empty title", { title: "" }, { title: "" }, []],
    ["a title of the wrong type", { title: { a: 1 } }, {}, ["title"]],
    ["a title that is null", { title: null }, {}, ["title"]],
    ["a kind at its limit", { kind: "k".repeat(KIND) }, { kind: "k".repeat(KIND) }, []],
    ["a kind past it", { kind: "k".repeat(KIND + 1) }, {}, ["kind"]],
    ["a kind of the wrong type", { kind: 1 }, {}, ["kind"]],
    ["an unknown kind", { kind: "launch" }, { kind: "launch" }, []],
    ["locations that are no list", { locations: { path: "/" } }, {}, ["locations"]],
    [
      "everything else",
      { content: [], rawInput: {}, rawOutput: 1, status: "pending", _meta: null },
      {},
      ["content", "rawInput", "rawOutput", "status", "_meta"],
    ],
    ["an empty rawInput", { rawInput: undefined, content: "" }, {}, ["content"]],
  ])("of %s", (_, whole, kept, cut) => {
    expect(summarise({ toolCallId: "t", ...whole })).toEqual({
      toolCall: { toolCallId: "t", ...kept },
      cut,
    });
  });

  test("has 20 locations, and says where there were more", () => {
    const locations = Array.from({ length: 21 }, (_, n) => ({ path: `/${n}` }));
    expect(summarise({ toolCallId: "t", locations: locations.slice(0, 20) })).toEqual({
      toolCall: { toolCallId: "t", locations: locations.slice(0, 20) },
      cut: [],
    });
    expect(summarise({ toolCallId: "t", locations })).toEqual({
      toolCall: { toolCallId: "t", locations: locations.slice(0, 20) },
      cut: ["locations"],
    });
  });

  test("leaves out a location that is too long, and says so", () => {
    const fits = locationOf(limits.REFERENCE_LOCATION_BYTES);
    const tooLong = locationOf(limits.REFERENCE_LOCATION_BYTES + 1);
    expect(summarise({ toolCallId: "t", locations: [fits] }).cut).toEqual([]);
    expect(summarise({ toolCallId: "t", locations: [tooLong, fits] })).toEqual({
      toolCall: { toolCallId: "t", locations: [fits] },
      cut: ["locations"],
    });
  });

  test("keeps locations as the agent sent them, whatever they are", () => {
    const locations = [{ path: "/a", line: 3, _meta: { x: 1 } }, "/b", null, 4];
    expect(summarise({ toolCallId: "t", locations })).toEqual({
      toolCall: { toolCallId: "t", locations },
      cut: [],
    });
  });

  test("names a field that is called __proto__, and takes nothing from it", () => {
    const whole = parse('{"toolCallId":"t","__proto__":{"title":"No"},"constructor":1}');
    const { toolCall, cut } = summarise(whole);
    expect(JSON.stringify(toolCall)).toBe('{"toolCallId":"t"}');
    expect(toolCall["title"]).toBeUndefined();
    expect(cut).toEqual(["__proto__", "constructor"]);
  });
});

describe("a tool call is shown", () => {
  const text = JSON.stringify({ toolCallId: "t", title: "T", rawInput: "x".repeat(100) });
  const stored = { bytes: text.length, sha256: "ab", isDropped: false };

  test("whole up to the limit, as the very text that was stored", () => {
    const shown = showToolCall({ ...stored, text }, text.length);
    expect(shown).toEqual({ json: text, evidence: { inline: true, bytes: text.length } });
  });

  test("by reference beyond it, with a summary that is made then where none was stored", () => {
    const shown = showToolCall({ ...stored, text }, text.length - 1);
    expect(parse(shown.json)).toEqual({ toolCallId: "t", title: "T" });
    expect(shown.evidence).toEqual({
      inline: false,
      bytes: text.length,
      sha256: "ab",
      cut: ["rawInput"],
    });
  });

  test("by the summary that was stored with it", () => {
    const summary = { toolCall: { toolCallId: "t" }, cut: ["content"] };
    const shown = showToolCall({ ...stored, summary }, 0);
    expect(parse(shown.json)).toEqual({ toolCallId: "t" });
    expect(shown.evidence).toMatchObject({ inline: false, cut: ["content"] });
    expect(shown.evidence).not.toHaveProperty("available");
  });

  test("as no longer available once it was dropped", () => {
    const summary = { toolCall: { toolCallId: "t" }, cut: ["content"] };
    const shown = showToolCall({ ...stored, summary, isDropped: true }, 1_000);
    expect(shown.evidence).toMatchObject({ inline: false, available: false });
  });
});

test("names of what was cut are few and short, and the rest is counted", () => {
  const wide = Object.fromEntries(
    Array.from({ length: 19_000 }, (_, n) => [`field-${n}`.padEnd(n % 2 === 0 ? 40 : 65, "x"), 1]),
  );
  const summary = summarise({ toolCallId: "t1", ...wide });
  expect(summary.cut).toHaveLength(32);
  expect(summary.cutMore).toBe(19_000 - 32);
  expect(JSON.stringify(summary).length).toBeLessThan(4_000);
  expect(summarise({ toolCallId: "t1", rawInput: 1 })).not.toHaveProperty("cutMore");
});
