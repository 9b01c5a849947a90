// Draws the icons of the installed page from src/page/public/icon.svg: run it by hand where that has changed.
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { ROOT } from "./project.ts";
import { requireChromium } from "./test-tools.ts";

const PUBLIC = `${ROOT}src/page/public`;

interface IconFile {
  name: string;
  side: number;
  /** Of the side, how much the hand takes; a maskable icon may lose all that is further out than a circle of 80 %. */
  share: number;
  /** Of the side. */
  radius: number;
}

const ICONS: readonly IconFile[] = [
  { name: "icon-192", side: 192, share: 0.6, radius: 0.22 },
  { name: "icon-512", side: 512, share: 0.6, radius: 0.22 },
  { name: "icon-maskable-512", side: 512, share: 0.48, radius: 0 },
];

const source = readFileSync(`${PUBLIC}/icon.svg`, "utf8");
const colour = /stroke="(#\w+)"/.exec(source)?.[1];
if (colour === undefined) throw new Error("icon.svg has no stroke colour.");

const browser = await chromium.launch({
  executablePath: await requireChromium(),
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
try {
  const page = await browser.newPage();
  for (const icon of ICONS) {
    await page.setViewportSize({ width: icon.side, height: icon.side });
    await page.setContent(drawingOf(icon, colour));
    await page.$eval("svg", (svg: SVGSVGElement) => {
      // The hand alone, in the middle.
      const { x, y, width, height } = svg.getBBox();
      const side = Math.max(width, height) + 2;
      svg.setAttribute(
        "viewBox",
        [x - (side - width) / 2, y - (side - height) / 2, side, side].join(" "),
      );
    });
    const path = `${PUBLIC}/${icon.name}.png`;
    await page.screenshot({ path, omitBackground: true });
  }
} finally {
  await browser.close();
}

/** The hand in white on a tile of its own colour: seen on light and dark. */
function drawingOf({ side, share, radius }: IconFile, colour: string): string {
  const hand = source.replace(colour, "#ffffff");
  return `<style>
    body { margin: 0; }
    div { display: grid; place-items: center; width: ${side}px; height: ${side}px; border-radius: ${side * radius}px; background: ${colour}; }
    svg { width: ${side * share}px; }
  </style><div>${hand}</div>`;
}
