import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { NpmStart } from "../support/npm-start.ts";

let browser: Browser;
let running: NpmStart | undefined;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());
afterEach(() => running?.kill());

async function openLink(link: string, name: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(link);
  await page.getByLabel("Your name").fill(name);
  await page.getByRole("button", { name: "Join the Room" }).click();
  return page;
}

describe("npm start", () => {
  it("prints a link through which a person lets the demo agent go on, and stops it", async () => {
    running = new NpmStart();
    const page = await openLink(await running.link(), "Ana");
    const card = page.getByRole("group", { name: /Run a command/ });
    await card.getByText("echo Hello from the demo agent > greeting.txt").first().waitFor();
    await card.getByRole("button", { name: /^Allow once/ }).click();
    await running.printed(/The command ended with exit code 0/);
    const second = page.getByRole("group", { name: /Edit a file/ });
    await second.getByRole("button", { name: /^Reject/ }).click();
    await running.printed(/I did not write notes\.txt/);
    // What was allowed was done, what was refused was not.
    await running.printed(/The folder held: greeting\.txt\./);
    await running.printed(/ended its turn: end_turn/);
    await page.getByText("Decided by Ana").or(page.getByText("You chose")).first().waitFor();

    running.pressEnter();
    await page
      .getByRole("group", { name: /Run a command/ })
      .first()
      .waitFor();
    const took = await running.interrupt();
    expect(took).toBeLessThan(5000);
    expect(running.output).not.toMatch(/hr1\.(ht|rt)\./);
  });
});
