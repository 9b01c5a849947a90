import { Hono } from "hono";
import type { Env } from "../env.ts";
import { jsonResponse } from "../http-error.ts";
import { openApiDocument } from "../openapi/document.ts";
import { framesDocument } from "../openapi/frames.ts";

export const docsRoutes = new Hono<{ Bindings: Env }>()
  .get("/openapi.json", serveOnceBuilt(openApiDocument))
  .get("/frames.json", serveOnceBuilt(framesDocument));

/** Built for the first call that an isolate gets, because few isolates ever get one. */
function serveOnceBuilt(build: () => object): () => Response {
  let text: string | undefined;
  return () => jsonResponse(200, (text ??= JSON.stringify(build())));
}
