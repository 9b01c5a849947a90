import { describe, expect, it } from "vitest";
import { RunEvents } from "../../src/cli/run/run-events.ts";
import { SlowStart, type StartStep } from "../../src/cli/run/slow-start.ts";
import type { ResidentEvent, TurnEnd } from "../../src/resident/events.ts";
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

describe("what a run tells of its turns", () => {
  const ended = (end: TurnEnd): ResidentEvent => ({ type: "turn_ended", end });
  const stopped = ended({ kind: "not_run", reason: "stopped" });
  const failed = ended({ kind: "failed", message: "closed" });

  const bench = (asJson = false) => {
    const emitted: ResidentEvent[] = [];
    const said: string[] = [];
    const reporter = {
      emit: (event: ResidentEvent) => void emitted.push(event),
      say: (line: string) => void said.push(line),
    };
    return { emitted, said, events: new RunEvents(reporter, asJson) };
  };

  it("once it ends the agent: how many prompts did not run, and nothing of the turn that it stopped", () => {
    const { emitted, said, events } = bench();
    events.end();
    for (const event of [failed, stopped, stopped, stopped]) events.emit(event);
    events.sayUnrunPrompts();
    expect(emitted).toEqual([]);
    expect(said).toEqual(["3 prompts that waited did not run: this resident is ending."]);
  });

  it("is nothing of prompts where none waited, and every failure before", () => {
    const { emitted, said, events } = bench();
    events.emit(failed);
    events.sayUnrunPrompts();
    expect(emitted).toEqual([failed]);
    expect(said).toEqual([]);
  });

  it("is an event for each prompt that did not run where events are printed", () => {
    const { emitted, said, events } = bench(true);
    events.end();
    for (const event of [failed, stopped, stopped]) events.emit(event);
    events.sayUnrunPrompts();
    expect(emitted).toEqual([stopped, stopped]);
    expect(said).toEqual([]);
  });
});
