import { existsSync, readFileSync, readdirSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPageIfStale } from "../../scripts/build-page.ts";
import { type CatalogueServer, serveCatalogue } from "../../scripts/catalogue-server.ts";
import { ROOT } from "../../scripts/project.ts";
import { CATALOGUE } from "../../src/page-catalogue/catalogue.ts";
import { findFaults, useAxe } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";

let server: CatalogueServer;
let browser: Browser;
let page: Page;
const problems: string[] = [];

beforeAll(async () => {
  [server, browser] = await Promise.all([serveCatalogue(), launchBrowser()]);
  page = await browser.newPage({ reducedMotion: "reduce" });
  await useAxe(page);
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

async function open(name: string): Promise<void> {
  problems.length = 0;
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${server.url}?state=${name}`);
  await page.locator(`[data-acted="${name}"]`).waitFor({ state: "attached" });
  // What a page fetches later belongs to its state.
  await page.waitForLoadState("networkidle");
}

const textOfPage = () => page.evaluate(() => document.body.textContent ?? "");

describe("every state of the page", () => {
  it("has a name of its own", () => {
    const names = CATALOGUE.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(CATALOGUE)(
    "$name: readable by all, in both themes, and 320 px wide",
    async ({ name }) => {
      await open(name);
      expect((await page.locator("#page").innerText()).trim()).not.toBe("");
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await findFaults(page)).toEqual([]);
      }
      await page.setViewportSize({ width: 320, height: 700 });
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(sideways).toBeLessThanOrEqual(0);
      expect(problems).toEqual([]);
      // Whether somebody refused or nobody answered: the page's own words never call it so.
      expect(await textOfPage()).not.toMatch(/\bdenied\b/i);
    },
  );

  it("is told from the others by its words alone", async () => {
    const told = new Map<string, string>();
    for (const { name } of CATALOGUE.filter(({ name }) => /^(withdrawn|stop)-/.test(name))) {
      await open(name);
      const text = await textOfPage();
      expect(told.get(text), `${name} reads as another`).toBeUndefined();
      told.set(text, name);
    }
  });

  it("stands on the overview", async () => {
    problems.length = 0;
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(server.url);
    await page.getByRole("heading", { name: "Every state of the page" }).waitFor();
    expect(await page.locator(".catalogue-states > li").count()).toBe(CATALOGUE.length);
    await page.locator('[data-acted="second-press"]').waitFor();
    await page.frameLocator('iframe[title^="Inert"]').locator(".card").waitFor();
    expect(problems).toEqual([]);
  });
});

describe("what the words of a state claim", () => {
  const claims = /\b(decided|chose|chosen|applied|dismissed)\b/i;

  it.each(["ready", "inert", "sending", "not-sent", "not-known-yet", "not-arrived", "checking"])(
    "%s: nothing is called decided before the Room said so",
    async (name) => {
      await open(name);
      const options = await page.locator(".card .choose").innerText();
      expect(options).not.toMatch(claims);
      expect(await page.locator(".card .outcome").count()).toBe(0);
    },
  );

  it.each(["connecting", "not-connected-empty", "closed-empty"])(
    "%s: that nobody is asking is said by the Room alone",
    async (name) => {
      await open(name);
      expect(await page.locator("#waiting h2").innerText()).not.toBe("");
      expect(await textOfPage()).not.toMatch(/Nobody is asking|Online, waits for nothing/);
      expect(await page.locator(".banner").count()).toBe(name === "connecting" ? 0 : 1);
    },
  );

  it("closed-room: nothing waits for a person any more", async () => {
    await open("closed-room");
    await page.getByRole("region", { name: "What was waiting here" }).waitFor();
    expect(await page.locator(".waits").count()).toBe(0);
    expect(await page.title()).toBe("Release 4.2 · Handraise");
  });

  it("reference-loading: a summary does not say that no command came", async () => {
    await open("reference-loading");
    expect(await textOfPage()).toContain("Agent’s title: Migrate the database");
    expect(await textOfPage()).not.toContain("no command came");
  });

  it.each([
    ["locked", "Read what stands above to its end"],
    ["not-sent", "not connected"],
    ["reference-altered", "Allowing stays locked"],
  ])("%s: a flat row says why", async (name, words) => {
    await open(name);
    const row = page.locator('.card button[data-option][aria-disabled="true"]').first();
    await row.waitFor();
    const described = await row.evaluate((row) => {
      const ids = row.getAttribute("aria-describedby")?.split(" ") ?? [];
      const notes = ids.map((id) => document.getElementById(id)?.textContent ?? "");
      return [row.textContent, ...notes].join(" ");
    });
    expect(described).toContain(words);
  });

  it.each(["last-seconds", "ready"])("%s: red is for the last seconds alone", async (name) => {
    await open(name);
    const red = await page.evaluate(() => {
      const probe = document.createElement("i");
      document.body.append(probe);
      probe.style.color = "var(--urgent)";
      const urgent = getComputedStyle(probe).color;
      probe.remove();
      return [...document.querySelectorAll("#page *")]
        .filter(
          (element) =>
            element.checkVisibility() &&
            element.closest("svg") === null &&
            getComputedStyle(element).color === urgent,
        )
        .map((element) => element.closest(".left") !== null);
    });
    expect(red.every(Boolean)).toBe(true);
    expect(red.length > 0).toBe(name === "last-seconds");
  });

  it("keeps a card inert for as long as it moves, while refusing is live", async () => {
    await open("inert");
    await page.locator('[data-option="reject"][aria-disabled=false]').waitFor();
    expect(await page.locator("button[data-option][aria-disabled=true]").count()).toBe(2);
  });
});

it("is no part of the deployed page", async () => {
  await buildPageIfStale();
  const assets = `${ROOT}dist/page/assets`;
  const scripts = readdirSync(assets).filter((name) => name.endsWith(".js"));
  const all = scripts.map((name) => readFileSync(`${assets}/${name}`, "utf8")).join("\n");
  expect(all).not.toContain("data-acted");
  expect(existsSync(`${ROOT}dist/page/page-catalogue`)).toBe(false);
});
