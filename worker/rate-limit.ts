import type { Env } from "./env.ts";
import { HttpError } from "./http-error.ts";
import { readSettings } from "./settings.ts";

/**
 * Holds back who calls too often, by the platform's own approximate count. Without the binding nothing is held back.
 * @throws HttpError `rate_limited`
 */
export async function limitRate(
  env: Env,
  name: "LIMIT_CREATE" | "LIMIT_JOIN" | "LIMIT_CALLS",
  key: string,
): Promise<void> {
  const limit = env[name];
  if (limit === undefined || !readSettings(env).hasRateLimits) return;
  const { success } = await limit.limit({ key });
  if (!success) {
    throw new HttpError(
      "rate_limited",
      "Too many calls. Nothing was changed; wait a moment and try again.",
    );
  }
}
