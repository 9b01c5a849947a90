import { once } from "node:events";
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../scripts/project.ts";
import { startServer } from "../../scripts/server.ts";
import { LiveServer } from "../support/live-server.ts";

const server = new LiveServer();

beforeAll(() => server.start());
afterAll(() => server.end());

/** A call with headers that `fetch` would not send. */
async function raw(
  path: string,
  headers: Record<string, string>,
  method = "GET",
): Promise<{ status: number; body: string }> {
  const call = request(`${server.url}${path}`, { method, headers });
  call.end(method === "POST" ? "{}" : undefined);
  const [response] = await once(call, "response");
  return { status: response.statusCode, body: await text(response) };
}

describe("the local server", () => {
  it("opens no other way to a Room's database than the API", async () => {
    for (const path of [
      "/cdn-cgi/explorer",
      "/cdn-cgi/explorer/",
      "/cdn-cgi/explorer/api/workers",
      "/cdn-cgi/explorer/api/workers/durable_objects/namespaces",
      "/cdn-cgi/explorer/api/workers/durable_objects/namespaces/handraise-Room/objects",
    ]) {
      for (const host of [new URL(server.url).host, "127.0.0.1", "localhost"]) {
        const { status, body } = await raw(path, { host });
        expect([404, 403]).toContain(status);
        expect(body).not.toMatch(/handraise-Room|"success"/);
      }
    }
  });

  // B68
  it("answers under its own names alone", async () => {
    const evil = { host: "evil.example", "content-type": "application/json" };
    const { status, body } = await raw("/api/rooms", evil, "POST");
    expect(status).toBe(403);
    expect(body).toContain("forbidden_host");
  });

  it("does not take what already listens on its port for itself", async () => {
    const other = createServer((_, response) => response.end('{"status":"ok"}'));
    other.listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    await expect(startServer({ port })).rejects.toThrow(`Port ${port} is taken`);
    other.close();
  });

  it("does not outlive whoever started it, even one that was killed", async () => {
    const script = `import { startServer } from ${JSON.stringify(`${ROOT}scripts/server.ts`)};
      const server = await startServer();
      console.log(server.url);
      setInterval(() => {}, 1000);`;
    const starter = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = await once(starter.stdout, "data");
    const url = String(line).trim();
    expect((await fetch(`${url}/api/health`)).status).toBe(200);
    starter.kill("SIGKILL");
    await expect
      .poll(
        () =>
          fetch(`${url}/api/health`).then(
            () => "up",
            () => "gone",
          ),
        { timeout: 10_000 },
      )
      .toBe("gone");
  });
});
