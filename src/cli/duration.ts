import { InvalidArgumentError } from "commander";
import { EXPIRES_IN_MAX_MS, EXPIRES_IN_MIN_MS } from "../protocol/limits.ts";

const UNITS: Readonly<Record<string, number>> = { "": 1000, s: 1000, m: 60_000, h: 3_600_000 };

/** `90s`, `5m`, `2h`, or seconds as in `300`, in milliseconds; undefined where it is none of these. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9})([smh]?)$/.exec(text.trim());
  if (match === null) return undefined;
  return Number(match[1]) * (UNITS[match[2] ?? ""] ?? 0);
}

/** Reads how long people have to answer. @throws InvalidArgumentError where the Room would take another time. */
export function readTimeToAnswer(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) {
    throw new InvalidArgumentError("Write a time such as 90s, 5m or 2h; a bare number is seconds.");
  }
  if (ms < EXPIRES_IN_MIN_MS || ms > EXPIRES_IN_MAX_MS) {
    throw new InvalidArgumentError(
      `It must be from ${describeDuration(EXPIRES_IN_MIN_MS)} to ${describeDuration(EXPIRES_IN_MAX_MS)}.`,
    );
  }
  return ms;
}

/** `90000` as `90s`, `7200000` as `2h`: the largest unit that says it exactly. */
export function describeDuration(ms: number): string {
  if (ms >= 3_600_000 && ms % 3_600_000 === 0) return `${ms / 3_600_000}h`;
  if (ms >= 60_000 && ms % 60_000 === 0) return `${ms / 60_000}m`;
  return `${Math.round(ms / 1000)}s`;
}

/** Time left, as a clock shows it: `4:31`, `1:02:03`. A second that has begun counts. */
export function describeTimeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const two = (value: number): string => String(value).padStart(2, "0");
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}
