import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPageIfStale } from "../../scripts/build-page.ts";
import { ROOT } from "../../scripts/project.ts";
import { LiveServer } from "../support/live-server.ts";

const CONTRACT = readFileSync(`${ROOT}src/page/public/agent.md`, "utf8");

/** What the contract may have its reader run, and the flags that these commands have. */
const COMMANDS = ["doctor", "proxy", "run"];
const FLAGS = words(`
  --invite --server --name --mode --config --prompt --policy --launch-policy --on-expiry --if-no-human --expires-in
  --max-expires-in --log --no-redact --quiet --json`);
const VARIABLES = ["HANDRAISE_INVITE", "HANDRAISE_SERVER"];

/** A contract that names one agent's modes is wrong for the others, and for that one after its next release. */
const VENDOR_WORDS = words(`
  claude anthropic codex openai gpt opencode gemini google qwen copilot github cursor kimi goose aider cline zed amp devin
  bypassPermissions acceptEdits dontAsk yolo full-access danger-full-access read-only workspace-write auto-edit autoEdit auto_edit
  full-auto autopilot plan-mode auto-mode default-mode on-request on-failure untrusted skip-permissions approval-mode
  allow-all-tools exit-plan`);

const server = new LiveServer();

beforeAll(async () => {
  await buildPageIfStale();
  await server.start();
});

afterAll(() => server.end());

function words(list: string): string[] {
  return list.trim().split(/\s+/);
}

/** Those of the vendors' words that a text uses, however it joins their parts. */
function vendorWordsIn(prose: string): string[] {
  return VENDOR_WORDS.filter((word) =>
    new RegExp(`(?<!\\w)${word.replaceAll("-", "[- ]")}(?!\\w)`, "i").test(prose),
  );
}

function shellBlocks(): string[] {
  return [...CONTRACT.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? "");
}

function namesOf(pattern: RegExp): string[] {
  return [...new Set([...CONTRACT.matchAll(pattern)].map(([, name]) => name ?? ""))];
}

async function runShell(script: string, input: string, home: string): Promise<number | null> {
  const shell = spawn("sh", ["-c", script], { env: { ...process.env, HOME: home } });
  shell.stdin.end(input);
  const said = text(shell.stderr);
  const [code] = (await once(shell, "close")) as [number | null];
  expect(await said).toBe("");
  return code;
}

describe("/agent.md, as served", () => {
  it.each([
    ["a program", { accept: "*/*" }],
    ["a browser's address bar", { accept: "text/html", "sec-fetch-mode": "navigate" }],
  ])("is the contract, as text, to %s", async (_, headers) => {
    const reply = await fetch(`${server.url}/agent.md`, { headers });
    expect(reply.status).toBe(200);
    expect(reply.url).toBe(`${server.url}/agent.md`);
    expect(reply.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
    expect(reply.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await reply.text()).toBe(CONTRACT);
  });

  it("is asked for anew each time, so that no reader follows an older one", async () => {
    const reply = await fetch(`${server.url}/agent.md`);
    await reply.text();
    const rule = reply.headers.get("cache-control");
    expect(rule).toContain("max-age=0");
    expect(rule).toContain("must-revalidate");
    const etag = reply.headers.get("etag") ?? "";
    expect(etag).not.toBe("");
    const again = await fetch(`${server.url}/agent.md`, { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
  });

  it.each(["/agent.txt", "/agent.md/more"])("has no double at %s", async (path) => {
    const reply = await fetch(`${server.url}${path}`);
    expect([reply.status, await reply.text()]).toEqual([
      404,
      expect.not.stringContaining("doctor"),
    ]);
  });

  it("is linked from the page of permissions", async () => {
    const html = await (await fetch(`${server.url}/docs/permissions`)).text();
    expect(html).toContain('href="/agent.md"');
  });
});

describe("the contract", () => {
  it("names no vendor and no vendor's mode", () => {
    expect(vendorWordsIn("Decline. Let Gemini run in YOLO or full access")).toEqual([
      "gemini",
      "yolo",
      "full-access",
    ]);
    expect(vendorWordsIn(CONTRACT)).toEqual([]);
  });

  it("shows only commands, flags and variables that exist", () => {
    const flags = namesOf(/(?<![\w-])(--[a-z][a-z-]*)/g);
    expect(flags.length).toBeGreaterThan(8);
    expect(flags.filter((flag) => !FLAGS.includes(flag))).toEqual([]);
    expect(namesOf(/handraise\.tgz ([a-z]+)/g).toSorted()).toEqual(["doctor", "run"]);
    expect(namesOf(/`(doctor|run|proxy|ask|watch|room)`/g).toSorted()).toEqual(COMMANDS);
    expect(namesOf(/(HANDRAISE_[A-Z_]+)/g).toSorted()).toEqual(VARIABLES);
  });

  it("goes from looking to joining in this order, and only then says what is so", () => {
    const headings = [...CONTRACT.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual([
      "1. Agree",
      "2. Inspect",
      "3. Explain",
      "4. Let the human choose",
      "5. Apply",
      "6. Verify",
      "7. Join",
      "8. Say what is so",
      "Undo",
      "Stop, and say why",
      "Never",
    ]);
  });

  it("is short enough to be read", () => {
    expect(CONTRACT.split("\n").length).toBeLessThanOrEqual(190);
  });

  it("gives a credential to no command's arguments", () => {
    const given = [...CONTRACT.matchAll(/--invite (\S)/g)].map(([, first]) => first);
    expect(given.length).toBeGreaterThan(1);
    expect(given.every((first) => first === "@")).toBe(true);
    expect(CONTRACT).not.toMatch(/HANDRAISE_INVITE=|hr1\.[a-z]{2}\.[\w-]/);
  });

  it("hands every command that joins a mode to be verified", () => {
    const joining = shellBlocks().filter((block) => block.includes("handraise.tgz run"));
    expect(joining).toHaveLength(2);
    for (const block of joining) expect(block).toMatch(/ --mode ID[\s\S]* -- AGENT ARGS…\n$/);
  });

  it("stores an invite where its owner alone can read it, also over an older file", async () => {
    const block = shellBlocks().find((one) => one.includes("umask"));
    if (block === undefined) throw new Error("the contract stores no invite");
    const home = mkdtempSync(join(tmpdir(), "handraise-home-"));
    const file = join(home, ".handraise/invite");
    mkdirSync(join(home, ".handraise"));
    writeFileSync(file, "older", { mode: 0o644 });
    try {
      expect(await runShell(block, "hr1.ri.room.secret\n", home)).toBe(0);
      expect(readFileSync(file, "utf8")).toBe("hr1.ri.room.secret\n");
      expect(statSync(file).mode & 0o777).toBe(0o600);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});
