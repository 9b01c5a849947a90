import { describe, expect, it } from "vitest";
import { SlowStart, type StartStep } from "../../src/cli/run/slow-start.ts";
import { FakeClock } from "../support/fake-clock.ts";

describe("a start that takes long", () => {
  const saidIn = (steps: readonly StartStep[]): string[] => {
    const said: string[] = [];
    const clock = new FakeClock();
    const slow = new SlowStart((line) => said.push(line), clock);
    for (const step of steps) {
      slow.waitFor(step);
      clock.advance(step === steps.at(-1) ? 10_000 : 9_999);
    }
    slow.end();
    clock.advance(60_000);
    return said;
  };

  it.each<[string, StartStep[], RegExp]>([
    ["the session", ["session"], /the agent to open a session/],
    ["what was chosen", ["session", "settings"], /the agent to set what --mode and --config chose/],
    ["the Room", ["session", "settings", "room"], /to join the Room/],
  ])("says once that it waits for %s, and nothing of what came before", (_, steps, words) => {
    expect(saidIn(steps)).toEqual([expect.stringMatching(words)]);
  });

  it("says nothing where it ends in time", () => {
    const said: string[] = [];
    const clock = new FakeClock();
    const slow = new SlowStart((line) => said.push(line), clock);
    slow.waitFor("room");
    slow.end();
    clock.advance(60_000);
    expect(said).toEqual([]);
  });
});
