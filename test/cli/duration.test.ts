import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  describeDuration,
  describeTimeLeft,
  parseDuration,
  readTimeToAnswer,
} from "../../src/cli/duration.ts";

describe("a time to answer", () => {
  it.each([
    ["5m", 300_000],
    ["90s", 90_000],
    ["2h", 7_200_000],
    ["300", 300_000],
    [" 1s ", 1000],
    ["24h", 86_400_000],
  ])("%s", (text, ms) => {
    expect(readTimeToAnswer(text)).toBe(ms);
  });

  it.each(["", "5 m", "-5m", "1.5h", "5d", "m", "1e3", "0x10", "5mm", "Infinity", "9999999999"])(
    "“%s” is none",
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
      expect(() => readTimeToAnswer(text)).toThrow(/Write a time such as 90s, 5m or 2h/);
    },
  );

  it.each(["0", "0h", "25h", "86401"])("%s is beyond what the Room takes, and says so", (text) => {
    expect(() => readTimeToAnswer(text)).toThrow("It must be from 1s to 24h.");
  });

  it("reads back what it writes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 86_400 }), (seconds) => {
        expect(parseDuration(describeDuration(seconds * 1000))).toBe(seconds * 1000);
      }),
    );
  });

  it.each([
    [271_000, "4:31"],
    [270_001, "4:31"],
    [3_723_000, "1:02:03"],
    [1, "0:01"],
    [0, "0:00"],
    [-5, "0:00"],
  ])("%i ms left reads %s", (ms, text) => {
    expect(describeTimeLeft(ms)).toBe(text);
  });
});
