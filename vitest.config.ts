import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";

/** Pure and fast tests, on Node. */
const node = ["protocol", "approval", "client", "resident", "demo-agent"];

export default defineConfig({
  test: {
    silent: "passed-only",
    projects: [
      {
        test: {
          name: "node",
          include: node.map((topic) => `test/${topic}/**/*.test.ts`),
          testTimeout: 15_000,
        },
      },
      {
        plugins: [cloudflareTest({ wrangler: { configPath: "./wrangler.toml" } })],
        test: {
          name: "worker",
          include: ["test/worker/**/*.test.ts"],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: "page",
          include: ["test/page/**/*.test.{ts,tsx}"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "end-to-end",
          include: ["test/end-to-end/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
