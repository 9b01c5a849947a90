import { limits } from "../protocol/index.ts";

/**
 * How long people have to answer, in milliseconds. @param configured seconds, as a positive integer or its digits; anything else
 * means EXPIRES_IN_DEFAULT_MS, and never "never"
 */
export function askTimeoutMs(configured: unknown): number {
  const seconds =
    typeof configured === "string" && /^\d+$/.test(configured) ? Number(configured) : configured;
  if (typeof seconds !== "number" || !Number.isInteger(seconds) || seconds <= 0) {
    return limits.EXPIRES_IN_DEFAULT_MS;
  }
  return Math.min(seconds * 1000, limits.EXPIRES_IN_MAX_MS);
}
