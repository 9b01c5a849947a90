import { mkdirSync } from "node:fs";
import { type Browser, type Page, chromium } from "playwright-core";
import { requireChromium } from "./test-tools.ts";

const SCHEMES = ["light", "dark"] as const;
const WIDTHS = [1280, 375];
const PAGES = 3;
/** Rows are inert for half a second after the page has changed its size. */
const ARMED_MS = 650;

/** Takes a picture of each state in light and dark, wide and narrow: `NAME-WIDTH-SCHEME.png`. */
export async function shootCatalogue(
  url: string,
  directory: string,
  names: readonly string[],
): Promise<void> {
  mkdirSync(directory, { recursive: true });
  const browser = await chromium.launch({
    executablePath: await requireChromium(),
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  const left = [...names];
  try {
    await Promise.all(Array.from({ length: PAGES }, () => shootAll(browser, url, directory, left)));
  } finally {
    await browser.close();
  }
}

async function shootAll(
  browser: Browser,
  url: string,
  directory: string,
  left: string[],
): Promise<void> {
  const page = await browser.newPage({ reducedMotion: "reduce" });
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    await page.setViewportSize({ width: WIDTHS[0] ?? 0, height: 900 });
    await page.goto(`${url}?state=${name}`);
    await page.locator(`[data-acted="${name}"]`).waitFor({ state: "attached" });
    await shoot(page, `${directory}/${name}`);
  }
  await page.close();
}

async function shoot(page: Page, path: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width < 500 ? 812 : 900 });
    // The whole page in view before it is shot: a window that grows for the picture moves the cards, and they are inert again.
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({ width, height });
    await page.waitForTimeout(ARMED_MS);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${path}-${width}-${colorScheme}.png` });
    }
  }
}
