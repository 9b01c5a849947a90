import { describe, expect, it } from "vitest";
import { findWarnings } from "../../src/page/model/warnings.ts";
import { readToolCall } from "../../src/page/model/evidence.ts";
import { lostLine, toolKindWords, WITHDRAWN } from "../../src/page/text/index.ts";
import { countdown, since, size } from "../../src/page/view/time-words.ts";
import { WITHDRAW_REASONS } from "../../src/protocol/index.ts";

describe("words", () => {
  it("has its own for each reason to withdraw, and calls none a denial", () => {
    const texts = WITHDRAW_REASONS.map((reason) => WITHDRAWN[reason].text);
    expect(new Set(texts).size).toBe(WITHDRAW_REASONS.length);
    for (const { text, more } of Object.values(WITHDRAWN))
      expect(text + more).not.toMatch(/den(y|ied)/i);
  });

  it("answers a lost click with who was first, with what, and how much earlier", () => {
    const by = { participantId: "p", name: "Ben", role: "human" } as const;
    const option = { optionId: "no", name: "Reject", kind: "reject_once" };
    const settlement = { state: "decided", at: 0, by, option } as const;
    expect(lostLine(settlement, 1_200, "Ben", "Reject").join("")).toBe(
      "Ben chose “Reject” 1 s earlier; your click was not used.",
    );
    expect(lostLine(settlement, -50, "Ben", "Reject").join("")).toContain("a moment earlier");
    expect(lostLine({ state: "expired", at: 0 }, 0, "", "").join("")).toBe(
      "The time was up; your click was not used.",
    );
  });

  it("names a tool kind in its own words, or as untrusted text", () => {
    expect(toolKindWords("execute")).toEqual({ words: "Run a command" });
    expect(toolKindWords("other")).toEqual({ words: "Use a tool" });
    expect(toolKindWords(undefined)).toEqual({ words: "Use a tool" });
    expect(toolKindWords("<b>")).toEqual({ words: "Other: ", other: "<b>" });
    expect(toolKindWords("constructor")).toEqual({ words: "Other: ", other: "constructor" });
  });

  it("counts time", () => {
    expect(countdown(252_000)).toBe("4:12");
    expect(countdown(3_729_000)).toBe("1:02:09");
    expect(countdown(-5)).toBe("0:00");
    expect([since(0, 1_000), since(0, 48_000), since(0, 120_000)]).toEqual([
      "now",
      "48 s ago",
      "2 min ago",
    ]);
    expect([size(1_234), size(819_000)]).toEqual(["1.2 kB", "819 kB"]);
  });
});

describe("warnings", () => {
  it("count what is hidden anywhere on a card, names of options included", () => {
    const read = readToolCall({
      toolCallId: "t",
      title: "a\u202E",
      rawInput: { command: "ls", extra: "\u200B" },
      locations: [{ path: "/a\u2066" }],
    });
    const options = [{ optionId: "o", name: "No\u200B", kind: "allow_once" }];
    const warnings = findWarnings(read, options, "claude");
    expect(warnings.hidden.characters).toBe(4);
    expect(warnings.claims).toEqual([{ place: 1, refuses: false }]);
  });
});
