import {
  DEFAULT_LIFE,
  DEFAULT_TIMES,
  type LifeBounds,
  type TimeBounds,
} from "../src/approval/index.ts";
import type { Env } from "./env.ts";

/** What a deployment may set for itself. */
export interface Settings {
  readonly times: TimeBounds;
  readonly life: LifeBounds;
  /** Off under `npm run dev` and `npm start`, where only this machine calls. */
  readonly hasRateLimits: boolean;
}

const SECOND_MS = 1000;

/** Reads the Worker's variables. A setting that is no positive number counts as not set: never as "no limit". */
export function readSettings(env: Env): Settings {
  const max = milliseconds(env.EXPIRES_IN_MAX_S, DEFAULT_TIMES.max);
  const within = (most: number, ms: number): number =>
    Math.min(most, Math.max(DEFAULT_TIMES.min, ms));
  const bounded = within(DEFAULT_TIMES.max, max);
  return {
    times: {
      min: DEFAULT_TIMES.min,
      max: bounded,
      default: within(bounded, milliseconds(env.EXPIRES_IN_DEFAULT_S, DEFAULT_TIMES.default)),
    },
    life: { ...DEFAULT_LIFE, idleMs: milliseconds(env.ROOM_IDLE_S, DEFAULT_LIFE.idleMs) },
    hasRateLimits: env.RATE_LIMITS !== "off",
  };
}

function milliseconds(seconds: string | undefined, fallback: number): number {
  const value = Number(seconds);
  return seconds !== undefined && Number.isFinite(value) && value > 0
    ? Math.round(value * SECOND_MS)
    : fallback;
}
