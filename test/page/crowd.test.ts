import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
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

describe("many cards at once", () => {
  it("are drawn thirty at a time, oldest first, and every one can be reached and answered", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 40; n += 1) ids.push(await scene.ask(command(`echo ${n}`)));
    const tab = await scene.openPage("Ana");
    const cards = tab.page.locator("[data-card]");
    await tab.card(ids[29] as string).waitFor();
    expect(await cards.count()).toBe(30);
    await tab.page.getByText("40 waiting").first().waitFor();
    const more = tab.page.getByRole("button", { name: "Show 10 more of the 10" });
    await more.click();
    const last = ids[39] as string;
    await tab.card(last).waitFor();
    expect(await cards.count()).toBe(40);
    expect(await more.count()).toBe(0);
    await (await tab.ready(last, "no-2")).click();
    const decision = await scene.claude.next("decision");
    expect(decision).toMatchObject({ requestId: last, outcome: { optionId: "no-2" } });
  });

  it("that are not drawn leave as they are settled elsewhere", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 32; n += 1) ids.push(await scene.ask(command(`echo ${n}`)));
    const tab = await scene.openPage("Ana");
    await tab.page.getByRole("button", { name: "Show 2 more of the 2" }).waitFor();
    const last = ids[31] as string;
    await scene.claude.api.withdraw(last, "turn_ended");
    await tab.settled(last).waitFor();
    await tab.page.getByRole("button", { name: "Show 1 more of the 1" }).waitFor();
    expect(await tab.page.locator("[data-card]").count()).toBe(30);
  });

  it("move up as those before them are answered", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 31; n += 1) ids.push(await scene.ask(command(`echo ${n}`)));
    const tab = await scene.openPage("Ana");
    const last = ids[30] as string;
    await tab.card(ids[29] as string).waitFor();
    expect(await tab.card(last).count()).toBe(0);
    await scene.claude.api.withdraw(ids[0] as string, "turn_ended");
    await tab.card(last).waitFor();
  });
});
