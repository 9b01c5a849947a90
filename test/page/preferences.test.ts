import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { between } from "../support/page-line.ts";
import { command, PageBench, type RoomScene } from "../support/page-bench.ts";

let bench: PageBench;
let scene: RoomScene;

beforeAll(async () => {
  bench = await PageBench.start();
});
afterAll(() => bench.end());
beforeEach(async () => {
  scene = await bench.openRoom();
});
afterEach(() => bench.clearAfterPeace());

const long = "echo one step\n".repeat(40);

describe("where motion is unwanted", () => {
  it("nothing moves, and a card that has just come is inert as long as ever", async () => {
    const tab = await scene.openPage("Ana", { reducedMotion: "reduce" }, async (page) => {
      await between(page);
    });
    const id = await scene.ask(command("ls"));
    const allow = tab.option(id, "allow-1");
    await allow.waitFor();
    const cameAt = Date.now();
    await tab.ready(id, "allow-1");
    // What passes between two processes may be late, but never early by more than a few frames.
    expect(Date.now() - cameAt).toBeGreaterThan(250);
    await allow.click();
    await tab.card(id).locator(".is-sending").waitFor();
    const moving = await tab.page.evaluate(() => document.getAnimations().length);
    expect(moving).toBe(0);
    const durations = await tab.page.evaluate(() =>
      [...document.querySelectorAll("*")].flatMap((element) => {
        const { transitionDuration, animationDuration, scrollBehavior } = getComputedStyle(element);
        const times = `${transitionDuration}, ${animationDuration}`.split(", ");
        return [...times.filter((time) => Number.parseFloat(time) > 0), scrollBehavior];
      }),
    );
    expect([...new Set(durations)]).toEqual(["auto"]);
  });
});

describe("with forced colours", () => {
  it("raised and flat rows, the chosen and the warned are still told apart", async () => {
    const tab = await scene.openPage("Ana", { forcedColors: "active" });
    const ready = await scene.ask(command("echo a\u200Bb"));
    const locked = await scene.ask(command(long));
    await tab.ready(ready, "allow-1");
    await tab.card(locked).getByText("not seen yet").waitFor();
    const border = (id: string, option: string) =>
      tab.option(id, option).evaluate((row) => getComputedStyle(row).borderTopStyle);
    expect(await border(ready, "allow-1")).toBe("solid");
    expect(await border(locked, "allow-1")).toBe("dashed");
    expect(await border(locked, "no-2")).toBe("solid");
    // A raised row has an edge and a text that its ground does not swallow.
    const seen = await tab.option(ready, "allow-1").evaluate((row) => {
      const { color, backgroundColor, borderTopColor } = getComputedStyle(row);
      return { color, backgroundColor, borderTopColor };
    });
    expect(seen.color).not.toBe(seen.backgroundColor);
    expect(seen.borderTopColor).not.toBe(seen.backgroundColor);
    const icons = await tab
      .card(ready)
      .locator(".opt .icon")
      .evaluateAll((all) => all.map((icon) => [getComputedStyle(icon).stroke, icon.innerHTML]));
    for (const [stroke] of icons) expect(stroke).not.toBe(seen.backgroundColor);
    // Kinds are told by their shape, where colours are the reader's own.
    expect(new Set(icons.map(([, shape]) => shape)).size).toBe(3);
    await tab.option(ready, "allow-1").focus();
    await tab.page.keyboard.press("Tab");
    const outline = await tab.option(ready, "always-9").evaluate((row) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(row);
      return [outlineStyle, Number.parseFloat(outlineWidth) >= 2];
    });
    expect(outline).toEqual(["solid", true]);
  });
});
