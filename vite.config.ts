import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const page = (file: string) => fileURLToPath(new URL(`./src/page/${file}`, import.meta.url));

/** The page, built to static files that the Worker's assets serve. Its CSP allows nothing inline: no data: URI, no polyfill. */
export default defineConfig({
  root: page("."),
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: fileURLToPath(new URL("./dist/page", import.meta.url)),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2023",
    reportCompressedSize: true,
    rolldownOptions: {
      input: { index: page("index.html"), r: page("r.html"), "404": page("404.html") },
    },
  },
});
