import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildPageIfStale } from "../../scripts/build-page.ts";
import { LiveServer } from "../support/live-server.ts";

const server = new LiveServer();

beforeAll(async () => {
  await buildPageIfStale();
  await server.start();
});

afterAll(() => server.end());

/** Status, media type, and the code of an error. Calls as a browser's address bar does, which is what static files are for. */
async function answer(method: string, path: string): Promise<unknown[]> {
  const headers = { "sec-fetch-mode": "navigate", accept: "text/html" };
  const body = method === "POST" ? "{}" : undefined;
  const call = request(server.url + path, {
    method,
    headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
  });
  call.end(body);
  const [reply] = (await once(call, "response")) as [IncomingMessage];
  const said = JSON.parse(await text(reply)) as { error?: { code: string } };
  return [reply.statusCode, reply.headers["content-type"], said.error?.code];
}

const JSON_TYPE = "application/json; charset=utf-8";

// B114: in a deployment static files stand beside the API, and a wrong rule lets the page answer in its place.
it("every documented route reaches the API in what `wrangler dev` serves, pages and all", async () => {
  const document = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    ["get", "post"].filter((method) => method in methods).map((method) => [method, path] as const),
  );
  expect(routes.length).toBeGreaterThan(10);
  const open = ["/api/rooms", "/api/health", "/api/openapi.json", "/api/frames.json"];
  for (const [method, path] of routes) {
    const at = path.replaceAll(/\{\w+\}/g, "request-000001");
    const answered = await answer(method.toUpperCase(), at);
    expect([path, answered[1]]).toEqual([path, JSON_TYPE]);
    if (open.includes(path)) continue;
    // Without an upgrade that route has something else to say first.
    const refusal = path.endsWith("/socket") ? [426, "upgrade_required"] : [401, "unauthorized"];
    expect([path, answered[0], answered[2]]).toEqual([path, ...refusal]);
  }
});

it.each([
  ["GET", "/api/nothing"],
  ["POST", "/api/nothing"],
  ["GET", "/api/room/nothing.html"],
  ["GET", "/api/"],
])("%s %s is a 404 in JSON there, not the page's own", async (method, path) => {
  expect(await answer(method, path)).toEqual([404, JSON_TYPE, "not_found"]);
});
