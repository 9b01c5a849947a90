import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeCard, makeWelcome, OPTIONS, WatchBench } from "./watch-bench.ts";

const OPENS_AFTER_MS = 500;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Until the card that is shown has been put to the person. */
async function putToPerson(): Promise<void> {
  await vi.advanceTimersByTimeAsync(OPENS_AFTER_MS + 1);
}

const settledByBen = {
  settlement: {
    state: "decided",
    at: 1_800_000_001_000,
    by: { participantId: "ben", name: "Ben", role: "human" },
    option: OPTIONS[2] ?? { optionId: "no", name: "Reject" },
  },
  outcome: { outcome: "selected", optionId: "no" },
  delivery: { state: "sent", at: 1_800_000_001_000 },
  serverTime: 1_800_000_001_000,
} as const;

describe("what is typed before a card was put to the person", () => {
  it.each(["1", "2", "3", "r", "y"])("“%s” with Enter presses nothing", async (line) => {
    const bench = new WatchBench();
    bench.watcher.takeLine(line);
    bench.watcher.takeWelcome(makeWelcome([makeCard("npm test")]));
    bench.watcher.takeLine(line);
    await vi.advanceTimersByTimeAsync(OPENS_AFTER_MS - 1);
    bench.watcher.takeLine(line);
    await putToPerson();
    expect(bench.sent).toEqual([]);
    expect(bench.text).toContain(`“${line}” was typed before this card was put to you`);
  });

  it("is taken off the line that is being typed, with a word", async () => {
    const bench = new WatchBench();
    bench.watcher.takeWelcome(makeWelcome([makeCard("first"), makeCard("second")]));
    await putToPerson();
    bench.typing = "1";
    bench.watcher.takeFrame({ type: "card_settled", requestId: "request-first", ...settledByBen });
    expect(bench.typing).toBe("");
    expect(bench.text).toContain("“1” was being typed before this was shown, and is not used.");
    bench.typing = "1";
    await putToPerson();
    expect(bench.typing).toBe("");
    expect(bench.sent).toEqual([]);
  });

  it("stays on the line while another card only announces itself", async () => {
    const bench = new WatchBench();
    bench.watcher.takeWelcome(makeWelcome([makeCard("first")]));
    await putToPerson();
    bench.typing = "1";
    bench.watcher.takeFrame({ type: "card_opened", card: makeCard("second"), serverTime: 0 });
    await putToPerson();
    expect(bench.typing).toBe("1");
    bench.watcher.takeLine("1");
    expect(bench.sent).toEqual([{ type: "decide", requestId: "request-first", optionId: "once" }]);
  });

  it("is not let in by the end of an earlier wait", async () => {
    const bench = new WatchBench();
    bench.watcher.takeWelcome(makeWelcome([makeCard("first"), makeCard("second")]));
    await vi.advanceTimersByTimeAsync(OPENS_AFTER_MS - 1);
    bench.watcher.takeLine("n");
    await vi.advanceTimersByTimeAsync(2);
    bench.watcher.takeLine("1");
    expect(bench.sent).toEqual([]);
    await putToPerson();
    bench.watcher.takeLine("1");
    expect(bench.sent).toEqual([{ type: "decide", requestId: "request-second", optionId: "once" }]);
  });
});

describe("what the agent may remember", () => {
  it.each(["2", "y"])("is pressed by a second “%s”, after the question", async (second) => {
    const bench = new WatchBench();
    bench.watcher.takeWelcome(makeWelcome([makeCard("npm test")]));
    await putToPerson();
    bench.watcher.takeLine("2");
    bench.watcher.takeLine(second);
    expect(bench.sent).toEqual([]);
    await putToPerson();
    expect(bench.text).toContain("2 = “Always allow” for “npm test”");
    bench.watcher.takeLine(second);
    expect(bench.sent).toEqual([
      { type: "decide", requestId: "request-npm test", optionId: "always" },
    ]);
  });

  it("is forgotten once anything else is typed or the card is shown anew", async () => {
    const bench = new WatchBench();
    bench.watcher.takeWelcome(makeWelcome([makeCard("npm test")]));
    for (const other of ["?", "s"]) {
      await putToPerson();
      bench.watcher.takeLine("2");
      await putToPerson();
      bench.watcher.takeLine(other);
      await putToPerson();
      bench.watcher.takeLine("y");
    }
    expect(bench.sent).toEqual([]);
  });
});

describe("a press", () => {
  it.each([
    { what: "a number beyond the options", line: "4", says: /no option 4/ },
    { what: "a word", line: "yes", says: /Not understood/ },
    { what: "an option's name", line: "Allow once", says: /Not understood/ },
    { what: "a number with more", line: "1 2", says: /Not understood/ },
    { what: "nothing", line: "", says: /Your answer/ },
    { what: "zero", line: "0", says: /Not understood/ },
  ])("is no $what", async ({ line, says }) => {
    const bench = new WatchBench();
    bench.watcher.takeWelcome(makeWelcome([makeCard("npm test")]));
    await putToPerson();
    bench.watcher.takeLine(line);
    expect(bench.sent).toEqual([]);
    expect(bench.text).toMatch(says);
  });

  it("is sent once, however often it is typed", async () => {
    const bench = new WatchBench();
    bench.watcher.takeWelcome(makeWelcome([makeCard("npm test")]));
    await putToPerson();
    for (const line of ["1", "1", "3", "r"]) bench.watcher.takeLine(line);
    expect(bench.sent).toHaveLength(1);
    expect(bench.text).toContain("A press is on its way. “3” was not used.");
  });

  it("whose answer was lost is not known yet, until the Room says", async () => {
    const card = makeCard("npm test");
    const { settlement, delivery } = settledByBen;
    const ended = { ...card, state: "decided" as const, settlement, delivery };
    for (const [welcome, truth] of [
      [makeWelcome([], [ended]), "“npm test”: decided by Ben: “Reject”"],
      [makeWelcome([card]), "Your press for “npm test” did not reach the Room"],
    ] as const) {
      const bench = new WatchBench();
      bench.watcher.takeWelcome(makeWelcome([card]));
      await putToPerson();
      bench.cutBeforeAnswer();
      bench.watcher.takeLine("1");
      await vi.advanceTimersByTimeAsync(0);
      expect(bench.text).toContain("not known yet");
      bench.watcher.takeLine("1");
      expect(bench.sent).toHaveLength(1);
      bench.watcher.takeWelcome(welcome);
      expect(bench.text).toContain(truth);
    }
  });
});

describe("the question under a card", () => {
  it.each([
    [1, "? 1, r dismiss"],
    [2, "? 1 or 2, r dismiss"],
    [3, "? 1 to 3, r dismiss"],
  ])("of %i options names their numbers", async (count, numbers) => {
    const bench = new WatchBench();
    bench.watcher.takeWelcome(
      makeWelcome([makeCard("npm test", { options: OPTIONS.slice(0, count) })]),
    );
    await putToPerson();
    expect(bench.text).toContain(`Your answer to “npm test”${numbers}`);
  });
});

describe("a request that came by reference", () => {
  const card = makeCard("npm test", {
    evidence: { inline: false, bytes: 90_000, sha256: "0".repeat(64), cut: ["rawInput"] },
  });

  it("can only be refused where what was loaded is not what the Room stored", async () => {
    const toolCall = new TextEncoder().encode('{"toolCallId":"1"}');
    const bench = new WatchBench({ toolCall: async () => toolCall });
    bench.watcher.takeWelcome(makeWelcome([card]));
    await putToPerson();
    expect(bench.text).toContain("its hash differs. Allowing stays locked.");
    bench.watcher.takeLine("1");
    bench.watcher.takeLine("2");
    expect(bench.sent).toEqual([]);
    bench.watcher.takeLine("3");
    expect(bench.sent).toEqual([{ type: "decide", requestId: card.requestId, optionId: "no" }]);
  });

  it("is loaded again on s where it could not be", async () => {
    let calls = 0;
    const bench = new WatchBench({
      toolCall: async () => {
        calls += 1;
        throw new Error("no connection");
      },
    });
    bench.watcher.takeWelcome(makeWelcome([card]));
    await putToPerson();
    bench.watcher.takeLine("s");
    await putToPerson();
    expect(calls).toBe(2);
  });
});
