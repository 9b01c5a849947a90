import type { MiddlewareHandler } from "hono";
import type { Env } from "./env.ts";

/** Creating Rooms is for pages of this origin and for programs; everything else needs a bearer and may come from anywhere. */
const WITHOUT_CORS: ReadonlySet<string> = new Set(["/api/rooms"]);

const EXPOSED = "handraise-protocol, retry-after, allow";
const PREFLIGHT = {
  "access-control-allow-methods": "GET, HEAD, POST",
  "access-control-allow-headers": "authorization, content-type",
  "access-control-max-age": "86400",
};

/**
 * `/api/*` answers any origin, and never with credentials: there are no cookies, a bearer is always needed, and an Origin is no
 * authority.
 */
export const cors: MiddlewareHandler<{ Bindings: Env }> = async (call, next) => {
  if (WITHOUT_CORS.has(call.req.path)) return next();
  const isPreflight =
    call.req.method === "OPTIONS" && call.req.header("access-control-request-method") !== undefined;
  if (isPreflight) {
    call.res = new Response(null, { status: 204, headers: PREFLIGHT });
  } else {
    await next();
  }
  if (call.res.status === 101) return undefined;
  call.res.headers.set("access-control-allow-origin", "*");
  call.res.headers.set("access-control-expose-headers", EXPOSED);
  return undefined;
};
