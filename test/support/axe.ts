import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { ROOT } from "../../scripts/project.ts";

const axe = readFileSync(`${ROOT}node_modules/axe-core/axe.min.js`, "utf8");

interface Finding {
  id: string;
  impact: string;
  nodes: { html: string }[];
}

/** Every document of this page brings axe along. */
export async function useAxe(page: Page): Promise<void> {
  await page.addInitScript(axe);
}

/** What axe calls serious or critical on the page as it stands. */
export async function findFaults(page: Page): Promise<string[]> {
  const findings = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: Finding[] }> } };
    return (await axe.run()).violations;
  });
  return findings
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
}
