import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { describeWaiting, fitWidth, LiveLine } from "../../src/cli/live-line.ts";

function makeOutput(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  return { written, output: { isTTY, columns, write: (text: string) => written.push(text) } };
}

describe("what a wait is told as", () => {
  it.each([
    [{ count: 0, names: [] }, "nobody is here"],
    [{ count: 1, names: [] }, "one person is here"],
    [{ count: 3, names: [] }, "3 people are here"],
    [{ count: 1, names: ["Ana"] }, "Ana is here"],
    [{ count: 2, names: ["Ana", "Ben"] }, "Ana and Ben are here"],
    [{ count: 3, names: ["Ana", "Ben", "Cleo"] }, "Ana, Ben and Cleo are here"],
    [{ count: 6, names: ["A", "B", "C", "D", "E", "F"] }, "A, B, C, D and 2 more are here"],
    [{ count: 1, names: ["A\u001B[2J\nB\u202E"] }, "A\\u{1b}[2J\\nB\\u{202e} is here"],
  ])("%o", (present, words) => {
    expect(describeWaiting(present, 271_000)).toBe(`Waiting, 4:31 left: ${words}`);
  });

  it("tells when the time is up", () => {
    expect(describeWaiting({ count: 0, names: [] }, 0)).toBe(
      "Waiting, the time is up: nobody is here",
    );
  });

  it("loses names to a narrow terminal, and never the time", () => {
    const names = ["A person with a long name", "Another one"];
    const { output, written } = makeOutput(true, 24);
    const line = new LiveLine(output, () => describeWaiting({ count: 2, names }, 271_000));
    line.start();
    line.stop();
    expect(written[0]).toBe("\r\u001B[2KWaiting, 4:31 left: A p");
  });
});

describe("the line itself", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("is rewritten every second on a terminal, and gone in the end", () => {
    const { output, written } = makeOutput(true);
    let seconds = 3;
    const line = new LiveLine(output, () => `${seconds} left`);
    line.start();
    seconds = 2;
    vi.advanceTimersByTime(1000);
    line.stop();
    vi.advanceTimersByTime(5000);
    expect(written).toEqual(["\r\u001B[2K3 left", "\r\u001B[2K2 left", "\r\u001B[2K"]);
  });

  it("is printed at once and then once a minute elsewhere, whatever is refreshed", () => {
    const { output, written } = makeOutput(false);
    const line = new LiveLine(output, () => "waiting");
    line.start();
    for (let second = 0; second < 119; second += 1) {
      vi.advanceTimersByTime(1000);
      line.refresh();
      line.start();
    }
    line.stop();
    expect(written).toEqual(["waiting\n", "waiting\n"]);
  });

  it("never grows beyond the terminal's width", () => {
    const { output, written } = makeOutput(true, 11);
    new LiveLine(output, () => "0123456789abc").start();
    expect(written).toEqual(["\r\u001B[2K0123456789"]);
    expect(fitWidth("漢字漢字", 5)).toBe("漢字");
  });
});
