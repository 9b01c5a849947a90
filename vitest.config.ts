import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";

/** Pure and fast tests, on Node. */
const node = ["protocol", "approval", "policy", "gate", "client", "resident", "cli", "demo-agent"];

function workerd(bindings: Record<string, string>) {
  return cloudflareTest({
    wrangler: { configPath: "./wrangler.toml" },
    miniflare: { bindings },
  });
}

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
        plugins: [workerd({ RATE_LIMITS: "off" })],
        test: {
          name: "worker",
          include: ["test/worker/**/*.test.ts"],
          testTimeout: 60_000,
        },
      },
      {
        // As deployed: the limits on rates hold.
        plugins: [workerd({})],
        test: {
          name: "worker-limits",
          include: ["test/worker-limits/**/*.test.ts"],
          testTimeout: 30_000,
        },
      },
      {
        // The reference model's own clock moves by minutes: real alarms lie far ahead of it.
        plugins: [
          workerd({
            RATE_LIMITS: "off",
            MODEL_RUNS: process.env["MODEL_RUNS"] ?? "2000",
            MODEL_SEED: process.env["MODEL_SEED"] ?? "",
          }),
        ],
        test: {
          name: "model",
          include: ["test/model/**/*.test.ts"],
          // One for each shard: vitest would leave one core of two to itself.
          maxWorkers: 2,
          testTimeout: 3_600_000,
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
