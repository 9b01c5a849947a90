import { type Browser, chromium } from "playwright-core";
import { requireChromium } from "../../scripts/test-tools.ts";

/** A Chromium that speaks to nobody but the pages it is shown. */
export async function launchBrowser(): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: await requireChromium(),
    args: [
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-gpu",
      "--no-first-run",
      ...(isRoot ? ["--no-sandbox"] : []),
    ],
  });
}
