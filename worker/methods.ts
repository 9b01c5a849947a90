import type { Hono } from "hono";
import type { Env } from "./env.ts";
import { HttpError } from "./http-error.ts";

/** A resident's look at a request takes its settlement: a HEAD has no body that could. */
function isTaking(path: string): boolean {
  return path.startsWith("/api/room/permissions/");
}

/**
 * Answers a known path with a wrong method: `method_not_allowed`, with `Allow`. What is allowed is read from the routes
 * themselves, so that no second list can go stale. Call it after the routes are mounted.
 */
export function refuseOtherMethods(app: Hono<{ Bindings: Env }>): void {
  const allowed = new Map<string, Set<string>>();
  for (const { path, method } of app.routes) {
    if (method === "ALL") continue;
    const methods = allowed.get(path) ?? new Set();
    allowed.set(path, methods.add(method));
    if (method === "GET" && !isTaking(path)) methods.add("HEAD");
  }
  for (const [path, methods] of allowed) {
    const allow = [...methods].sort().join(", ");
    app.all(path, () => {
      throw new HttpError("method_not_allowed", `This route takes ${allow}.`, {}, { allow });
    });
  }
}
