import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, it } from "vitest";
import { buildPageIfStale } from "../../scripts/build-page.ts";
import { ROOT } from "../../scripts/project.ts";

const FIRST_LOAD_BYTES = 60_000;
const PAGE = `${ROOT}dist/page`;

beforeAll(() => buildPageIfStale());

/** The scripts that a page names, and all that they import before they run. */
function firstScripts(html: string): string[] {
  const found = new Set<string>();
  const follow = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    const code = readFileSync(path, "utf8");
    for (const [, name] of code.matchAll(/(?:\bfrom|\bimport)\s*["'](\.\/[^"']+)["']/g)) {
      follow(join(path, "..", name ?? ""));
    }
  };
  const tags = readFileSync(html, "utf8").matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g);
  for (const [, path] of tags) follow(join(PAGE, path ?? ""));
  return [...found];
}

it("the Room's page comes with at most 60 kB of compressed script", () => {
  const scripts = firstScripts(`${PAGE}/r.html`);
  expect(scripts.length).toBeGreaterThan(1);
  const sizes = scripts.map((path) => gzipSync(readFileSync(path)).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(FIRST_LOAD_BYTES);
});

it("loads talk, panels, diffs and a hash of its own only when they are wanted", () => {
  const names = firstScripts(`${PAGE}/r.html`).join(" ");
  expect(names).not.toMatch(/talk-|panel-|history-|keys-|sha2-|change-list-/);
});
