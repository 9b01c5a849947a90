import { describe, expect, it } from "vitest";
import { ask, call, createRoom, ORIGIN, worker } from "../support/workerd/room.ts";

const FROM = { origin: "https://elsewhere.test" };

function preflight(path: string, method = "POST"): Promise<Response> {
  return worker().fetch(`${ORIGIN}${path}`, {
    method: "OPTIONS",
    headers: {
      ...FROM,
      "access-control-request-method": method,
      "access-control-request-headers": "authorization, content-type",
    },
  });
}

function corsHeaders(headers: Headers): string[] {
  return [...headers.keys()].filter((name) => name.startsWith("access-control-"));
}

describe("a page of another origin", () => {
  it("may call everything that needs a bearer, never with credentials of the browser", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const requestId = await ask(claude);
    const replies = [
      await call("GET", "/api/health", { headers: FROM }),
      await call("GET", "/api/room", { token: ana.token, headers: FROM }),
      await call("GET", `/api/room/permissions/${requestId}/tool-call`, {
        token: ana.token,
        headers: FROM,
      }),
      await call("GET", "/api/room/history", { token: ana.token, headers: FROM }),
      await call("POST", "/api/room/leave", { token: ana.token, body: {}, headers: FROM }),
    ];
    for (const { status, headers } of replies) {
      expect(status).toBeLessThan(300);
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("access-control-allow-credentials")).toBeNull();
      expect(headers.get("access-control-expose-headers")).toContain("retry-after");
    }
  });

  it("can read errors too", async () => {
    const room = await createRoom();
    const { token } = await room.human();
    for (const [method, path, options, status] of [
      ["GET", "/api/room", {}, 401],
      ["GET", "/api/nothing", {}, 404],
      ["DELETE", "/api/room", {}, 405],
      ["POST", "/api/room/leave", { token, raw: "{" }, 400],
      ["POST", "/api/room/permissions/request", { token, body: {} }, 400],
      ["GET", "/api/room/socket", { token }, 426],
      ["POST", "/api/room/participants/nobody/remove", { token, body: {} }, 404],
    ] as const) {
      const reply = await call(method, path, { ...options, headers: FROM });
      expect([path, reply.status]).toEqual([path, status]);
      expect(reply.headers.get("access-control-allow-origin")).toBe("*");
      expect(reply.headers.get("handraise-protocol")).toBe("1");
    }
  });

  it.each([
    "/api/room",
    "/api/room/join",
    "/api/room/permissions/request",
    "/api/room/history",
    "/api/health",
  ])("may ask first: %s", async (path) => {
    const response = await preflight(path);
    expect(response.status).toBe(204);
    expect(await response.text()).toBe("");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-methods")).toContain("POST");
    const allowed = response.headers.get("access-control-allow-headers") ?? "";
    for (const name of ["authorization", "content-type"]) expect(allowed).toContain(name);
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
  });

  it("may not create Rooms: that answers without any such header, whatever comes of it", async () => {
    const asked = await preflight("/api/rooms");
    expect(asked.status).toBe(405);
    const replies = [
      asked,
      await call("POST", "/api/rooms", { body: {}, headers: FROM }),
      await call("POST", "/api/rooms", { raw: "{", headers: FROM }),
      await call("GET", "/api/rooms", { headers: FROM }),
    ];
    for (const { headers } of replies) expect(corsHeaders(headers)).toEqual([]);
  });

  // B68
  it("that posts JSON as plain text, as a form can, is refused", async () => {
    for (const path of ["/api/rooms", "/api/room/join"]) {
      const room = await createRoom();
      const reply = await call("POST", path, {
        token: room.created.humanInvite,
        raw: '{"name":"x"}',
        headers: { ...FROM, "content-type": "text/plain" },
      });
      expect([reply.status, reply.body.error?.code]).toEqual([415, "unsupported_media_type"]);
    }
  });
});
