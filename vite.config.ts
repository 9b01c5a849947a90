import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const page = (file: string) => fileURLToPath(new URL(`./src/page/${file}`, import.meta.url));

const JSON_SCHEMA_WRITER = /\/zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js$/;

/** The page checks frames by their schemas and never describes them: without zod's writer its script is a tenth smaller. */
const withoutJsonSchema: Plugin = {
  name: "without-json-schema",
  transform(code, id) {
    if (!JSON_SCHEMA_WRITER.test(id)) return null;
    const names = [...code.matchAll(/^export (?:function|const) (\w+)/gm)].map((found) => found[1]);
    const absent = "() => () => { throw new Error('the page writes no JSON Schema'); }";
    return names.map((name) => `export const ${name} = ${absent};`).join("\n");
  },
};

/** The page, built to static files that the Worker's assets serve. Its CSP allows nothing inline: no data: URI, no polyfill. */
export default defineConfig({
  root: page("."),
  plugins: [withoutJsonSchema],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: fileURLToPath(new URL("./dist/page", import.meta.url)),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2023",
    rolldownOptions: {
      input: { index: page("index.html"), r: page("r.html"), "404": page("404.html") },
    },
  },
});
