import type { Env } from "./env.ts";
import { HttpError } from "./http-error.ts";

/**
 * A page elsewhere whose DNS name was turned to this machine reaches a local server under its own name: where ALLOWED_HOSTS is
 * set, the API answers only to those.
 * @throws HttpError `forbidden_host`
 */
export function requireAllowedHost(url: string, env: Env): void {
  if (env.ALLOWED_HOSTS === undefined || env.ALLOWED_HOSTS === "") return;
  const { hostname } = new URL(url);
  const allowed = env.ALLOWED_HOSTS.split(",").map((host) => host.trim().toLowerCase());
  if (allowed.includes(hostname)) return;
  throw new HttpError("forbidden_host", "This server does not answer under this host name.");
}
