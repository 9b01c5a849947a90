import type { Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { command, PageBench, type RoomScene, type RoomTab, STD } from "../support/page-bench.ts";

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

const seat = (tab: RoomTab): Locator => tab.page.locator(".roster > li", { hasText: "claude" });

describe("the roster", () => {
  // B90
  it("says who waits for a person, for what, and how long it may", async () => {
    const tab = await scene.openPage("Ana");
    await seat(tab).getByText("Online, waits for nothing").waitFor();
    await scene.ask(command("ls"), STD, { expiresInMs: 40_000 });
    await scene.ask(command("pwd"));
    const waits = seat(tab).getByRole("button");
    await waits.waitFor();
    expect(await waits.textContent()).toMatch(/claude0:[34]\d2 wait for a person: Run a command$/);
  });

  it.each(["allowed", "refused", "dismissed", "expired", "withdrawn", "agent removed"])(
    "stops saying so within a second of its end: %s",
    async (how) => {
      const tab = await scene.openPage("Ana");
      const ben = await scene.joinHuman("Ben");
      const times = how === "expired" ? { expiresInMs: 1_500 } : {};
      const requestId = await scene.ask(command("ls"), STD, times);
      await tab.page.locator(".seat-waits").waitFor();
      if (how === "expired") {
        await ben.next("card_settled");
      } else if (how === "withdrawn") await scene.claude.api.withdraw(requestId, "turn_ended");
      else if (how === "agent removed") await ben.api.remove(scene.claude.participantId);
      else if (how === "dismissed") await ben.send({ type: "dismiss", requestId });
      else {
        const optionId = how === "allowed" ? "allow-1" : "no-2";
        await ben.send({ type: "decide", requestId, optionId });
      }
      await tab.page.locator(".seat-waits").waitFor({ state: "detached", timeout: 1_000 });
      expect(await tab.page.getByText("1 waiting").count()).toBe(0);
    },
  );
});

describe("a phone", () => {
  // B89
  it("shows what waits from the end of a long talk, and leads to it", async () => {
    const ben = await scene.joinHuman("Ben");
    for (let n = 0; n < 100; n += 1) await ben.send({ type: "say", text: `message ${n}` });
    const tab = await scene.openPage("Ana", { viewport: { width: 375, height: 667 } });
    await tab.page.getByText("message 99").waitFor();
    await tab.page.getByText("message 60", { exact: true }).scrollIntoViewIfNeeded();
    const id = await scene.ask(command("ls"));
    const waiting = tab.page.getByRole("button", { name: "Waiting for a person 1" });
    await waiting.waitFor();
    expect(await waiting.evaluate((button) => button.getBoundingClientRect().bottom)).toBeLessThan(
      130,
    );
    const isInView = () =>
      tab.card(id).evaluate((card) => {
        const { top } = card.getBoundingClientRect();
        return top > 0 && top < innerHeight;
      });
    expect(await isInView()).toBe(false);
    await waiting.click();
    expect(await isInView()).toBe(true);
  });
});
