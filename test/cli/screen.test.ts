import { once } from "node:events";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { Screen } from "../../src/cli/watch/screen.ts";

/** A terminal whose keys a test presses. */
function makeTerminal() {
  const keyboard = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const display = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const lines: string[] = [];
  const ends: string[] = [];
  const screen = new Screen(keyboard, display, {
    onLine: (line) => lines.push(line),
    onEnd: () => ends.push("end"),
    onInterrupt: () => ends.push("interrupt"),
  });
  /** Presses keys, and waits until they have been read. */
  const press = async (keys: string): Promise<void> => {
    const read = once(keyboard, "data");
    keyboard.write(keys);
    await read;
  };
  return { screen, lines, ends, press, display };
}

describe("the terminal that cards are shown on", () => {
  it("gives back and forgets what was being typed, wherever the cursor stood", async () => {
    const { screen, lines, press } = makeTerminal();
    await press("12\u001B[D");
    expect(screen.discardTyped()).toBe("12");
    expect(screen.discardTyped()).toBe("");
    await press("\r");
    expect(lines).toEqual([""]);
    screen.close();
  });

  it("keeps what is being typed below what it prints", async () => {
    const { screen, lines, press, display } = makeTerminal();
    await press("sa");
    screen.print(["a line"]);
    await press("y hello\r");
    expect(lines).toEqual(["say hello"]);
    expect(String(display.read())).toContain("a line\n");
    screen.close();
  });

  it("brings no earlier line back by an arrow key", async () => {
    const { screen, lines, press } = makeTerminal();
    await press("1\r");
    await press("\u001B[A");
    await press("\r");
    expect(lines).toEqual(["1", ""]);
    screen.close();
  });

  it("ends on Ctrl-C and on Ctrl-D", async () => {
    for (const [key, end] of [
      ["\u0003", "interrupt"],
      ["\u0004", "end"],
    ] as const) {
      const { screen, ends, press } = makeTerminal();
      await press(key);
      expect(ends).toEqual([end]);
      screen.close();
    }
  });
});
