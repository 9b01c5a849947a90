import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildPageIfStale } from "../../scripts/build-page.ts";
import { LiveServer } from "../support/live-server.ts";

const server = new LiveServer();

beforeAll(async () => {
  await buildPageIfStale();
  await server.start();
});

afterAll(() => server.end());

it.each([
  ["permissions", "Agent permissions and approvals"],
  ["compatibility", "What agents do with an answer"],
])("/docs/%s is served, whole, as plain HTML under the page's own rules", async (name, title) => {
  const reply = await fetch(`${server.url}/docs/${name}`);
  expect(reply.status).toBe(200);
  expect(reply.headers.get("content-type")).toMatch(/^text\/html/);
  expect(reply.headers.get("content-security-policy")).toContain("default-src 'none'");
  const html = await reply.text();
  expect(html).not.toMatch(/<script|<style|\sstyle=|\son\w+=/);
  const markdown = readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8");
  const headings = [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading);
  expect(headings[0]).toBe(title);
  const shown = [...html.matchAll(/<h[1-6]>(.+)<\/h[1-6]>/g)].map(([, heading]) => heading);
  expect(shown).toEqual(headings);
});
