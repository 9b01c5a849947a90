import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { docsPages } from "./scripts/docs-pages.ts";

const page = (file: string) => fileURLToPath(new URL(`./src/page/${file}`, import.meta.url));

const JSON_SCHEMA_WRITER = /\/zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js$/;
const ENGLISH_ISSUES = /\/zod\/v4\/locales\/en\.js$/;
const PATTERNS = /\/zod\/v4\/core\/regexes\.js$/;
/** Patterns of texts that are an e-mail address, an id of this or that kind and so on: no frame has any. */
const FORMATS =
  /^export const (?!anyString|bigint|integer|number|boolean|lowercase|uppercase|httpProtocol)(\w+) = \/.*;$/gm;
const SCHEMAS = /\/zod\/v4\/classic\/schemas\.js$/;
const PRELOADER = "\0vite/preload-helper.js";

/**
 * What the page's script can do without. It checks frames by their schemas, describes none and words no issue; and what it loads
 * later is small and has no stylesheet, so that nothing need be fetched ahead of it.
 */
export const lean: Plugin = {
  name: "lean",
  enforce: "pre",
  load(id) {
    return id === PRELOADER ? "export const __vitePreload = (load) => load();" : null;
  },
  transform(code, id) {
    if (ENGLISH_ISSUES.test(id)) {
      return "export default () => ({ localeError: () => 'not valid' });";
    }
    // Nothing matches: a format that somebody comes to use refuses every text.
    if (PATTERNS.test(id)) return code.replace(FORMATS, "export const $1 = /(?!)/;");
    // What compiles checks of objects, which the page's CSP forbids.
    if (SCHEMAS.test(id)) return code.replace("core.$ZodObjectJIT.init", "core.$ZodObject.init");
    if (!JSON_SCHEMA_WRITER.test(id)) return null;
    const names = [...code.matchAll(/^export (?:function|const) (\w+)/gm)].map((found) => found[1]);
    const absent = "() => () => { throw new Error('the page writes no JSON Schema'); }";
    return `const absent = ${absent};export { ${names.map((name) => `absent as ${name}`).join()} };`;
  },
};

/** The page, built to static files that the Worker's assets serve. Its CSP allows nothing inline: no data: URI, no polyfill. */
export default defineConfig({
  root: page("."),
  plugins: [lean, docsPages],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: fileURLToPath(new URL("./dist/page", import.meta.url)),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2023",
    rolldownOptions: {
      input: {
        index: page("index.html"),
        r: page("r.html"),
        offline: page("offline.html"),
        "404": page("404.html"),
        // At an address that never changes: a browser looks there for a newer one.
        sw: page("../page-worker/sw.ts"),
      },
      output: {
        entryFileNames: ({ name }) => (name === "sw" ? "sw.js" : "assets/[name]-[hash].js"),
      },
    },
  },
});
