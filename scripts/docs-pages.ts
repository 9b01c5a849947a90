// Vite plugin: pages of text. `src/page/docs/NAME.html` is the frame, and the Markdown of `docs/NAME.md` takes the place of its
// comment that says so. It is our own text, rendered when the page is built: no script, no inline style.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { marked } from "marked";
import type { Plugin } from "vite";

const FRAMES = new URL("../src/page/docs/", import.meta.url);
const TEXTS = new URL("../docs/", import.meta.url);
const PLACE = /<!-- docs\/([a-z-]+\.md) -->/;

export const docsPages: Plugin = {
  name: "docs-pages",
  config: () => {
    const names = readdirSync(FRAMES).filter((file) => file.endsWith(".html"));
    const input = names.map((file) => [
      `docs/${file.replace(/\.html$/, "")}`,
      fileURLToPath(new URL(file, FRAMES)),
    ]);
    return { build: { rolldownOptions: { input: Object.fromEntries(input) } } };
  },
  transformIndexHtml: {
    order: "pre",
    handler: (html) => html.replace(PLACE, (_, file: string) => render(file)),
  },
};

function render(file: string): string {
  return marked.parse(readFileSync(new URL(file, TEXTS), "utf8"), { async: false });
}
