import type { Settlement } from "../../../src/protocol/index.ts";
import { closeAs, decideAs, extendAs } from "./commands.ts";
import { withdrawAs } from "./room.ts";
import type { Scene } from "./scene.ts";
import { vi } from "vitest";

/** How long a raced card lives: short enough that no socket falls silent meanwhile. */
export const LIVE_MS = 1000;

export interface Start {
  readonly requestId: string;
  readonly deadline: number;
  /** Which of the races this is, and which place at the start: they take turns in everything. */
  readonly n: number;
  readonly place: number;
}

export type Racer = "withdraw" | "decide" | "extend" | "expire" | "close";

/** What somebody was told: an answer over either transport, or nothing. */
export type Told = unknown;

export const RACERS: Readonly<Record<Racer, (scene: Scene, start: Start) => Promise<Told>>> = {
  async withdraw({ claude, r }, start) {
    const { requestId } = start;
    await step(start);
    return isByFrame(start)
      ? r.ask({ type: "withdraw", requestId, reason: "turn_cancelled" })
      : (await withdrawAs(claude, requestId, "turn_cancelled")).body;
  },
  async decide({ ana, b }, start) {
    const { requestId } = start;
    await step(start);
    return isByFrame(start)
      ? b.ask({ type: "decide", requestId, optionId: "allow-1" })
      : (await decideAs(ana, requestId, "allow-1")).body;
  },
  async extend({ ben, a }, start) {
    const { requestId, deadline } = start;
    await step(start);
    return isByFrame(start)
      ? a.ask({ type: "extend", requestId, expiresAt: deadline })
      : (await extendAs(ben, requestId, deadline)).body;
  },
  async expire({ room }, start) {
    // The clock moves at once, where a call takes a few turns to arrive.
    await turns(start.n % 12);
    vi.setSystemTime(start.deadline);
    await room.alarm();
    return undefined;
  },
  async close({ ana }, start) {
    await step(start);
    return (await closeAs(ana)).body;
  },
};

/** In every second race the other one starts first. */
export function shuffled<T>(n: number, pair: readonly [T, T]): T[] {
  return n % 2 === 0 ? [...pair] : [pair[1], pair[0]];
}

/** A few turns of the event loop, now more and now less, for the first to start: so neither always arrives first. */
function step({ n, place }: Start): Promise<void> {
  return turns(place === 0 ? Math.floor(n / 4) % 8 : 0);
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((go) => setTimeout(go));
}

function isByFrame({ n, place }: Start): boolean {
  return (n + place) % 3 === 0;
}

/** The settlement that an answer of either transport names, refused or not. */
export function settlementIn(told: Told): Settlement | undefined {
  if (typeof told !== "object" || told === null) return undefined;
  const { settlement, status, error } = told as Record<"settlement" | "status" | "error", unknown>;
  return (settlement as Settlement | undefined) ?? settlementIn(status) ?? settlementIn(error);
}
