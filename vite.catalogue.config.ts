import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import deployed, { lean } from "./vite.config.ts";

const at = (path: string) => fileURLToPath(new URL(`./${path}`, import.meta.url));

/** The headers of every path of the deployed page; but here its pages may stand in a frame of the overview. */
function pageHeaders(): Record<string, string> {
  const lines = readFileSync(at("src/page/public/_headers"), "utf8").split("\n").slice(1);
  const own = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith(" ")),
  );
  const headers = Object.fromEntries(own.map((line) => line.trim().split(/:\s*(.*)/, 2)));
  const policy = headers["Content-Security-Policy"].replace("'none'; require", "'self'; require");
  return {
    ...headers,
    "X-Frame-Options": "SAMEORIGIN",
    "Content-Security-Policy": `${policy}; frame-src 'self'`,
  };
}

/** Every state of the page on one page: built as the page is, apart from it, and never deployed. */
export default defineConfig({
  ...deployed,
  root: at("src/page-catalogue"),
  publicDir: at("src/page/public"),
  plugins: [lean],
  build: {
    ...deployed.build,
    outDir: at("dist/page-catalogue"),
    rolldownOptions: { input: at("src/page-catalogue/index.html") },
  },
  preview: { headers: pageHeaders(), open: false },
});
