import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { LiveMember } from "../support/live-member.ts";
import { command, PageBench, type RoomScene, STD } from "../support/page-bench.ts";

let bench: PageBench;
let scene: RoomScene;

beforeAll(async () => {
  bench = await PageBench.start();
  scene = await bench.openRoom();
});
afterAll(() => bench.end());
afterEach(() => bench.clearAfterPeace());

const PENDING = 256;
const SETTLED = 1_000;
const AT_ONCE = 8;
/** From a press to the frame that shows what came of it. */
const INPUT_TO_PAINT_MS = 100;

async function fill(): Promise<void> {
  const residents = [scene.claude];
  for (const name of ["codex", "gemini", "qwen"]) {
    residents.push(await bench.join(scene.room.residentInvite, name));
  }
  const ask = (resident: LiveMember, n: number, more: object) =>
    resident.api.request({
      requestId: randomUUID(),
      toolCall: command(`npm run build -- --only package-${n}\nnpm test`),
      options: STD,
      ...more,
    });
  const resident = (n: number) => residents[n % residents.length] as LiveMember;
  // Nobody is here yet: each is settled as it comes.
  await inTurns(SETTLED, (n) => ask(resident(n), n, { ifNoHuman: "withdraw" }));
  await inTurns(PENDING, (n) => ask(resident(n), n, { expiresInMs: 3_600_000 }));
}

async function inTurns(count: number, act: (n: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - n) }, (_, k) => act(n + k)));
  }
}

/** What the browser itself says of each event that a person's input made: how long until the next paint. */
async function timed(page: Page, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate(() => {
    const seen: number[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.push(entry.duration);
    });
    observer.observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
    Object.assign(window, { seen, observer });
  });
  await act();
  return page.evaluate(async () => {
    const { seen, observer } = window as unknown as {
      seen: number[];
      observer: PerformanceObserver;
    };
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)));
    seen.push(...observer.takeRecords().map((entry) => entry.duration));
    observer.disconnect();
    return Math.max(0, ...seen);
  });
}

/** Other work on the machine only ever adds to a time: the least of several tries is the page's own. */
async function leastOf(page: Page, tries: number, act: (n: number) => Promise<unknown>) {
  const times: number[] = [];
  for (let n = 0; n < tries; n += 1) times.push(await timed(page, () => act(n)));
  return Math.min(...times);
}

describe("a Room with 256 cards that wait and 1 000 that are settled", () => {
  it("answers typing, pressing and opening within 100 ms, from input to paint", async () => {
    await fill();
    const tab = await scene.openPage("Ana");
    const { page } = tab;
    await page.getByText("256 waiting").first().waitFor();
    const ids = await page
      .locator("[data-card]")
      .evaluateAll((cards) => cards.map((card) => card.getAttribute("data-card") ?? ""));
    await tab.ready(ids[0] as string, "allow-1");
    const end = (n: number) => {
      const id = ids[n] as string;
      return tab.card(id).or(tab.settled(id)).getByText("You chose").first();
    };
    const box = page.getByLabel("Message", { exact: true });
    await box.click();
    const typing = await leastOf(page, 5, () => page.keyboard.press("a"));
    await tab.card(ids[0] as string).focus();
    const moving = await leastOf(page, 5, () => page.keyboard.press("j"));
    const pressing = await leastOf(page, 5, async (n) => {
      const option = await tab.ready(ids[n] as string, "allow-1");
      await option.click();
      await end(n).waitFor();
    });
    await page.mouse.move(2, 2);
    const opening = await leastOf(page, 5, (n) =>
      page
        .locator("[data-settled-card] summary")
        .nth(10 + n)
        .click(),
    );
    for (const time of [typing, moving, pressing, opening]) {
      expect(time).toBeLessThan(INPUT_TO_PAINT_MS);
    }
  }, 240_000);
});
