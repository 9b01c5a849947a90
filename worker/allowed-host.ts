import type { Env } from "./env.ts";
import { HttpError } from "./http-error.ts";

/**
 * A page elsewhere whose DNS name was turned to this machine reaches a local server under its own name: where ALLOWED_HOSTS is
 * set, the API answers only to those.
 * @throws HttpError `forbidden_host`
 */
export function requireAllowedHost(request: Request, env: Env): void {
  if (env.ALLOWED_HOSTS === undefined || env.ALLOWED_HOSTS === "") return;
  const allowed = env.ALLOWED_HOSTS.split(",").map((host) => host.trim().toLowerCase());
  // The local server lets a header of its own rewrite the URL: what the client named must be allowed as well.
  const host = request.headers.get("host");
  const named = [request.url, ...(host === null ? [] : [`http://${host}`])];
  if (named.every((url) => URL.canParse(url) && allowed.includes(new URL(url).hostname))) return;
  throw new HttpError("forbidden_host", "This server does not answer under this host name.");
}
