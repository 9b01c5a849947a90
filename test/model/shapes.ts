import type {
  Delivery,
  ErrorCode,
  PermissionOption,
  ResidentWithdrawReason,
  Settlement,
} from "../../src/protocol/index.ts";

/** Participants go by short names, which are their ids and their names in the Room too: humans `h0…`, residents `r0…`. */
export type Who = string;

/** One thing that somebody does, or that happens, spelled out. */
export type Op = { who: Who } & (
  | { do: "connect" | "disconnect" | "view" | "history" | "leave" | "close" | "say" | "alarm" }
  | { do: "advance"; to: number }
  | { do: "evict"; cut: boolean }
  | { do: "resume"; parked: string[]; answered: [string, boolean][] }
  | { do: "remove"; target: Who }
  | Ask
  | CardOp
);
export type CardOp =
  | { do: "status"; requestId: string }
  | { do: "dismiss"; requestId: string }
  | { do: "decide"; requestId: string; optionId: string }
  | { do: "extend"; requestId: string; seen: number }
  | { do: "withdraw"; requestId: string; reason: ResidentWithdrawReason }
  | { do: "ack"; requestId: string; applied: boolean };
export interface Ask {
  do: "request";
  requestId: string;
  title: string;
  options: PermissionOption[];
  expiresInMs: number;
  maxExpiresInMs?: number | undefined;
  ifNoHuman: "wait" | "withdraw";
}

/** `stale`: a frame on a socket that the Room has replaced or seen closed. */
export type Via = "socket" | "http" | "stale";

export interface ModelCard {
  requestId: string;
  owner: Who;
  title: string;
  options: PermissionOption[];
  openedAt: number;
  expiresAt: number;
  maxExpiresAt?: number | undefined;
  /** The time to answer as asked for: one extension's worth. */
  each: number;
  /** When it is withdrawn unless a human is present then. */
  graceEndsAt?: number | undefined;
  settlement?: Settlement;
  delivery: Delivery;
}

export interface Answer {
  code: "ok" | "created" | ErrorCode;
  /** With `already_settled`. */
  settlement?: Settlement;
}

export function isHuman(who: Who): boolean {
  return who.startsWith("h");
}

export function newCard(
  owner: Who,
  ask: Pick<Ask, "requestId" | "expiresInMs"> & Partial<Ask>,
  now: number,
): ModelCard {
  const { requestId, title = "", options = [], expiresInMs: each, maxExpiresInMs } = ask;
  return {
    requestId,
    owner,
    title,
    options,
    openedAt: now,
    expiresAt: now + each,
    maxExpiresAt: maxExpiresInMs === undefined ? undefined : now + Math.max(each, maxExpiresInMs),
    each,
    delivery: { state: "none", at: now },
  };
}
