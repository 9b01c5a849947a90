import { Hono } from "hono";
import { type Health, PROTOCOL_VERSION } from "../src/protocol/index.ts";
import { version } from "../package.json";
import type { Env } from "./env.ts";
import { requireAllowedHost } from "./allowed-host.ts";
import { errorResponse, HttpError, jsonResponse } from "./http-error.ts";
import { logFault } from "./log.ts";
import { cors } from "./cors.ts";
import { refuseOtherMethods } from "./methods.ts";
import { docsRoutes } from "./routes/docs.ts";
import { historyRoutes } from "./routes/history.ts";
import { permissionRoutes } from "./routes/permissions.ts";
import { roomRoutes } from "./routes/rooms.ts";
import { socketRoutes } from "./routes/socket.ts";

const api = new Hono<{ Bindings: Env }>()
  .get("/health", () => {
    const health: Health = { status: "ok", version, protocol: PROTOCOL_VERSION };
    return jsonResponse(200, JSON.stringify(health));
  })
  .route("/", docsRoutes)
  .route("/", roomRoutes)
  .route("/", socketRoutes)
  .route("/", historyRoutes)
  .route("/room/permissions", permissionRoutes);

export const app = new Hono<{ Bindings: Env }>();

app.use("/api/*", async (call, next) => {
  await next();
  // A 101 is handed on as it is: its headers are fixed, and it carries the socket.
  if (call.res.status === 101) return;
  const { headers } = call.res;
  headers.set("cache-control", "no-store");
  headers.set("x-content-type-options", "nosniff");
  headers.set("handraise-protocol", String(PROTOCOL_VERSION));
});

// Inside the above, so that this refusal carries the same headers.
app.use("/api/*", async (call, next) => {
  requireAllowedHost(call.req.raw, call.env);
  await next();
});

app.use("/api/*", cors);
app.route("/api", api);
refuseOtherMethods(app);

app.notFound(() =>
  errorResponse(new HttpError("not_found", "There is no such route. See the README for the API.")),
);

app.onError((error) => {
  if (error instanceof HttpError) return errorResponse(error);
  logFault("call_failed", error);
  return errorResponse(
    new HttpError(
      "internal",
      "The server failed to handle this. Nothing more is known; try again.",
    ),
  );
});
