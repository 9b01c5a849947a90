import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { findAddressee } from "../../src/cli/watch/addressee.ts";
import { readTyped } from "../../src/cli/watch/typed.ts";
import type { Participant } from "../../src/protocol/index.ts";
import { makeCard, makeWelcome, WatchBench } from "./watch-bench.ts";

function makeAgent(name: string, participantId: string, present = true): Participant {
  return { participantId, role: "resident", name, present };
}

const CLAUDE = makeAgent("Claude Code", "agent-aaaaaa");
const CODEX = makeAgent("Codex", "agent-bbbbbb");
const OTHER_CODEX = makeAgent("Codex", "agent-cccccc");
const CODEX_TWO = makeAgent("Codex 2", "agent-dddddd");

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function watchWith(...participants: Participant[]): WatchBench {
  const bench = new WatchBench();
  const welcome = makeWelcome([makeCard("npm test")]);
  bench.watcher.takeWelcome({
    ...welcome,
    participants: [...welcome.participants, ...participants],
  });
  return bench;
}

describe("a line for one participant", () => {
  it.each([
    ["to Codex go on", "Codex", "go on"],
    ["to @Codex  go on ", "Codex", "go on"],
    ['to "Claude Code" go on', "Claude Code", "go on"],
    ["to @“Claude Code” go on", "Claude Code", "go on"],
    ["to 'Claude Code' \"1\"", "Claude Code", '"1"'],
    ["to Codex", "Codex", ""],
  ])("%s", (line, name, text) => {
    expect(readTyped(line)).toEqual({ type: "to", name, text });
  });

  it.each(["to", "to ", "tomorrow", 'to "Claude', 'to "" x', "To Codex x"])(
    "is not “%s”",
    (line) => {
      expect(readTyped(line)).toEqual({ type: "unknown" });
    },
  );
});

describe("whom a typed name means", () => {
  it.each([
    ["Claude Code", [CLAUDE, CODEX], CLAUDE],
    ["claude code", [CLAUDE, CODEX], CLAUDE],
    ["cl", [CLAUDE, CODEX], CLAUDE],
    // A whole name goes before one that only begins so.
    ["Codex", [CODEX, CODEX_TWO], CODEX],
    ["bbbbbb", [CODEX, OTHER_CODEX], CODEX],
  ])("“%s”", (typed, others, participant) => {
    expect(findAddressee(typed, others)).toEqual({ type: "one", participant });
  });

  it.each([
    ["c", [CLAUDE, CODEX], /not clear.*Claude Code \(aaaaaa\), Codex \(bbbbbb\)/],
    ["Codex", [CODEX, OTHER_CODEX], /not clear.*\(bbbbbb\), Codex \(cccccc\)/],
    // A name that is another's id decides nothing.
    ["bbbbbb", [CODEX, makeAgent("bbbbbb", "agent-eeeeee")], /not clear/],
    ["Ben", [CLAUDE], /Nobody of that name is here\. Here: Claude Code \(aaaaaa\)/],
    ["Ben", [], /Here: nobody else/],
    [" ", [CLAUDE], /to NAME TEXT/],
    ["x", [makeAgent("A\u001B[2J", "agent-ffffff")], /Here: A\\u\{1b\}\[2J/],
  ])("“%s” is refused where that is not certain", (typed, others, why) => {
    expect(findAddressee(typed, others)).toEqual({
      type: "none",
      why: expect.stringMatching(why) as string,
    });
  });
});

describe("what is written to the Room", () => {
  it("goes to whom it names, and presses nothing", async () => {
    const bench = watchWith(CLAUDE, CODEX);
    await vi.advanceTimersByTimeAsync(501);
    bench.watcher.takeLine("to cod 1");
    expect(bench.sent).toEqual([{ type: "say", text: "1", to: CODEX.participantId }]);
  });

  it.each(["to Ben hello", "to gone hello", "to Ana hello", "to Codex"])(
    "goes nowhere for “%s”, and says why",
    (line) => {
      const bench = watchWith(CODEX, makeAgent("gone", "agent-eeeeee", false));
      bench.watcher.takeLine(line);
      expect(bench.sent).toEqual([]);
      expect(bench.printed.at(-1)).toMatch(/^Not said/);
    },
  );

  it("is talk to everybody with say, with a hint where it seems to address one", () => {
    const bench = watchWith(CLAUDE);
    bench.watcher.takeLine("say hello");
    expect(bench.text).not.toMatch(/to NAME TEXT/);
    bench.watcher.takeLine("say @Claude go on");
    expect(bench.sent).toEqual([
      { type: "say", text: "hello" },
      { type: "say", text: "@Claude go on" },
    ]);
    expect(bench.printed.at(-1)).toMatch(/goes to everybody.*to NAME TEXT/);
  });
});
