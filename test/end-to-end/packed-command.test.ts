import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildCommand, PACKED } from "../../scripts/build-command.ts";
import { buildPageIfStale } from "../../scripts/build-page.ts";
import { parseInvite } from "../../src/client/index.ts";
import { Handraise } from "../support/handraise.ts";
import { LiveMember } from "../support/live-member.ts";
import { LiveServer } from "../support/live-server.ts";

const server = new LiveServer();
const folder = mkdtempSync(join(tmpdir(), "handraise-packed-"));

beforeAll(async () => {
  await buildPageIfStale();
  await server.start();
});
afterAll(async () => {
  await server.end();
  rmSync(folder, { recursive: true, force: true });
});

async function fetchPacked(): Promise<{ headers: Headers; bytes: Buffer }> {
  const response = await fetch(`${server.url}/handraise.tgz`);
  expect(response.status).toBe(200);
  return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

describe("/handraise.tgz", () => {
  it("is served as a file that is asked for anew, and runs no script in a browser", async () => {
    const { headers, bytes } = await fetchPacked();
    expect([...bytes.subarray(0, 2)]).toEqual([0x1f, 0x8b]);
    // No type at all, or one that no browser runs or shows.
    expect(headers.get("content-type") ?? "").not.toMatch(/text|html|script|xml/);
    expect(headers.get("cache-control")).toMatch(/must-revalidate/);
    expect(headers.get("etag")).toBeTruthy();
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("comes out the same from the same sources", async () => {
    await buildCommand();
    const before = readFileSync(PACKED);
    await buildCommand();
    expect(readFileSync(PACKED).equals(before)).toBe(true);
  });

  it("is what the copied command runs, from an empty folder and with nothing but this server", async () => {
    const making = new Handraise(["room", "--server", server.url]);
    expect(await making.exitCode()).toBe(0);
    const [copied = ""] = /HANDRAISE_INVITE=\S+ npx -y \S+ ask .*/.exec(making.stdout) ?? [];
    const link = /http\S+\/r#hr1\.hi\.[\w.-]+/.exec(making.stdout)?.[0] ?? "";
    const ana = await LiveMember.join(server.url, parseInvite(link)?.invite ?? "", "Ana");
    await ana.connect();
    const asking = new Handraise(["-c", copied], {
      command: { file: "bash", args: [] },
      cwd: mkdtempSync(join(folder, "empty-")),
      env: {
        npm_config_cache: join(folder, "cache"),
        // Nothing listens there: whatever else were fetched would fail.
        npm_config_registry: "http://127.0.0.1:9",
        npm_config_fetch_retries: "0",
      },
    });
    const { card } = await ana.next("card_opened");
    expect(card.toolCall["title"]).toBe("Deploy 4.2 to production?");
    await ana.send({ type: "decide", requestId: card.requestId, optionId: "allow_once" });
    expect(await asking.exitCode()).toBe(0);
    expect(asking.stdout).toBe("Allowed by Ana: Allow once\ndeploying\n");
    ana.disconnect();
  });

  it("tells an old Node what it needs, in one line", async () => {
    const { bytes } = await fetchPacked();
    spawnSync("tar", ["-xz", "-C", folder], { input: bytes });
    const script = join(folder, "package/bin/handraise.js");
    const pretend = join(folder, "pretend.cjs");
    writeFileSync(
      pretend,
      'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.1.0" } });',
    );
    const run = spawnSync(process.execPath, ["--require", pretend, script, "--help"], {
      encoding: "utf8",
    });
    expect(run.status).toBe(3);
    expect(run.stdout).toBe("");
    expect(run.stderr).toMatch(
      /^handraise needs Node 22\.12 or newer; this is Node 20\.1\.0\. .*\n$/,
    );
  });
});
