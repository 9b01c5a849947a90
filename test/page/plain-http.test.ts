import type { Page } from "playwright-core";
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
afterEach(() => bench.clear());

/** As a page over plain http in a local network: no `crypto.subtle`. */
async function withoutSubtle(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(Crypto.prototype, "subtle", { value: undefined });
  });
}

const large = command("x".repeat(40_000), { title: "Do it" });

describe("a request too large for a frame, where the browser cannot hash", () => {
  it("is checked by a hash of the page's own, loaded only then", async () => {
    const loaded: string[] = [];
    const tab = await scene.openPage("Ana", {}, async (page) => {
      await withoutSubtle(page);
      page.on("request", (request) => loaded.push(request.url()));
    });
    expect(await tab.page.evaluate(() => typeof crypto.subtle)).toBe("undefined");
    expect(loaded.filter((url) => url.includes("sha2"))).toEqual([]);
    const id = await scene.ask(large);
    await tab.card(id).getByRole("button", { name: "Show all" }).click();
    await (await tab.ready(id, "allow-1")).click();
    await tab.card(id).getByText("You chose “Allow once”").waitFor();
    expect(loaded.filter((url) => url.includes("sha2"))).toHaveLength(1);
  });

  it("stays locked where what was loaded is not what the Room stored", async () => {
    const tab = await scene.openPage("Ana", {}, withoutSubtle);
    await tab.page.route("**/tool-call", (route) =>
      route.fulfill({ json: { toolCallId: "t1", rawInput: { command: "echo harmless" } } }),
    );
    const id = await scene.ask(large);
    await tab.card(id).getByText("its hash differs").waitFor();
    expect(await tab.card(id).getByText("harmless").count()).toBe(0);
    expect(await tab.option(id, "allow-1").getAttribute("aria-disabled")).toBe("true");
  });

  it("stays locked where that hash could not be loaded, and can be tried again", async () => {
    const tab = await scene.openPage("Ana", {}, withoutSubtle);
    await tab.page.route("**/sha2-*.js", (route) => route.abort());
    const id = await scene.ask(large);
    await tab.card(id).getByText("could not check that this is what the Room stored").waitFor();
    await tab.card(id).getByRole("button", { name: "Show all" }).click();
    await tab.ready(id, "no-2");
    expect(await tab.option(id, "allow-1").getAttribute("aria-disabled")).toBe("true");
    expect(await tab.card(id).getByRole("button", { name: "Load it again" }).count()).toBe(1);
  });
});

describe("what a summary leaves out", () => {
  it("is named until it is here", async () => {
    const tab = await scene.openPage("Ana");
    let goOn = (): void => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    await tab.page.route("**/tool-call", async (route) => {
      await held;
      await route.continue();
    });
    const id = await scene.ask({ ...large, "odd\u202Ename": 1 });
    const cut = tab.card(id).locator(".ev-none", { hasText: "Not in this summary" });
    await cut.waitFor();
    expect(await cut.innerText()).toMatch(/rawInput/);
    expect(await cut.innerText()).toContain("odd⟨U+202E⟩name");
    expect(await tab.option(id, "allow-1").getAttribute("aria-disabled")).toBe("true");
    goOn();
    await cut.waitFor({ state: "detached" });
    await tab.card(id).getByRole("button", { name: "Show all" }).waitFor();
  });
});
