import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { command, PageBench, type RoomScene, RoomTab } from "../support/page-bench.ts";

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

/** Presses Tab until the focus stands on what matches. @throws where it never does */
async function tabTo(page: Page, selector: string, key = "Tab"): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press(key);
    if (await page.evaluate((is) => document.activeElement?.matches(is), selector)) return;
  }
  throw new Error(`${key} never came to ${selector}`);
}

/** Joins without a pointer. */
async function join(): Promise<RoomTab> {
  const page = await (await bench.newContext()).newPage();
  const tab = new RoomTab(page);
  await page.goto(scene.room.humanUrl);
  await page.getByLabel("Your name").waitFor();
  await tabTo(page, "input#name");
  await page.keyboard.type("Ana");
  await page.keyboard.press("Enter");
  await tab.connected();
  return tab;
}

const long = "echo one step\n".repeat(40);

describe("with a keyboard alone", () => {
  it("somebody joins, goes to what waits, reads it to its end, and allows it", async () => {
    const tab = await join();
    const { page } = tab;
    const id = await scene.ask(command(long));
    const allow = tab.option(id, "allow-1");
    await allow.waitFor();
    await tabTo(page, ".skip");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("waiting");
    await tabTo(page, `[data-card="${id}"]`);
    await page.keyboard.press("1");
    expect(tab.decided).toEqual([]);
    await tabTo(page, ".ev-scroll");
    await page.keyboard.press("End");
    await tab.card(id).getByText("Read to its end: every option is open.").waitFor();
    await tabTo(page, '[data-option="allow-1"]');
    await tab.ready(id, "allow-1");
    await page.keyboard.press("Enter");
    await tab.card(id).getByText("You chose “Allow once”").waitFor();
    const decision = await scene.claude.next("decision");
    expect(decision).toMatchObject({ requestId: id, outcome: { optionId: "allow-1" } });
    // The focus stands where its row was, not at the top of the page.
    expect(await page.evaluate(() => document.activeElement?.id)).toBe(`card-${id}`);
  });

  it("somebody takes the second press of a durable option, or goes back from it", async () => {
    const tab = await join();
    const { page } = tab;
    const id = await scene.ask(command("ls"));
    await tab.ready(id, "always-9");
    await tabTo(page, '[data-option="always-9"]');
    await page.keyboard.press("Enter");
    const second = tab.card(id).locator(".btn-durable");
    await second.waitFor();
    await tabTo(page, ".second-acts .btn-quiet");
    await page.keyboard.press("Enter");
    await second.waitFor({ state: "detached" });
    expect(tab.decided).toEqual([]);
    await tabTo(page, `[data-card="${id}"]`, "Shift+Tab");
    await tab.ready(id, "always-9");
    await page.keyboard.press("2");
    await second.and(page.locator("[aria-disabled=false]")).waitFor();
    expect(await second.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press("Enter");
    await tab.card(id).getByText("You chose “Always allow”").waitFor();
    expect(tab.decided).toEqual([{ requestId: id, optionId: "always-9" }]);
  });

  it("somebody refuses, opens the settled row, talks, and opens and closes a panel", async () => {
    const tab = await join();
    const { page } = tab;
    const id = await scene.ask(command("ls"));
    await tab.option(id, "no-2").waitFor();
    await tabTo(page, `[data-card="${id}"]`);
    await page.keyboard.press("3");
    await tab.card(id).getByText("You chose “Reject”").waitFor();
    // Out of the card: only then does it go to the timeline.
    await page.keyboard.press("Escape");
    await tab.settled(id).waitFor();
    await tabTo(page, `[data-settled-card="${id}"] summary`);
    await page.keyboard.press("Enter");
    await tab
      .settled(id)
      .getByText("What will be done", { exact: false })
      .or(tab.settled(id).locator(".entry-more .options"))
      .first()
      .waitFor();
    await tabTo(page, ".composer textarea, .composer input");
    await page.keyboard.type("thanks");
    await page.keyboard.press("Enter");
    await page.locator(".msg").getByText("thanks").waitFor();
    await tabTo(page, '[aria-controls="panel"][aria-expanded]', "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.locator("#panel .panel").waitFor();
    await page.keyboard.press("Escape");
    expect(tab.decided).toEqual([{ requestId: id, optionId: "no-2" }]);
  });
});
