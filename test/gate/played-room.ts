import { onTestFinished, vi } from "vitest";
import { RoomGate } from "../../src/gate/index.ts";
import type { PermissionRequest, RequestStatus } from "../../src/protocol/index.ts";

const ROOM_ID = "A".repeat(43);
export const SECRET = "c2VjcmV0".repeat(5) + "c2U";
export const INVITE = `hr1.ri.${ROOM_ID}.${SECRET}`;
export const TOKEN = `hr1.rt.${ROOM_ID}.${SECRET}`;
export const ANA = { participantId: "p-ana", name: "Ana", role: "human" } as const;
const SERVER_TIME = 1_700_000_000_000;

export interface Played {
  method: string;
  /** Without the query. */
  path: string;
  query: string;
  body: unknown;
  /** When it came, on the caller's clock. */
  at: number;
}
export type Play = (call: Played) => Response | "silence" | "cut";

export function json(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

export function refusal(status: number, code: string, headers?: Record<string, string>): Response {
  return json(status, { error: { code, message: "No." } }, headers);
}

export function html(status: number): Response {
  return new Response("<h1>Somebody else</h1>", {
    status,
    headers: { "content-type": "text/html" },
  });
}

/** A Room that does what its test says, behind the real client's `fetch`; it keeps what it was asked. */
export class PlayedRoom {
  readonly calls: Played[] = [];
  /** Milliseconds that it gives people to answer. */
  expiresInMs = 60_000;
  humansPresent = 1;
  settled: Partial<RequestStatus> | undefined;
  /** Answers a call in place of the Room's own way; undefined: as the Room would. */
  play: (call: Played) => ReturnType<Play> | undefined = () => undefined;
  #posted: PermissionRequest | undefined;
  #wake: () => void = () => undefined;

  get posted(): PermissionRequest {
    if (this.#posted === undefined) throw new Error("nothing was posted");
    return this.#posted;
  }

  callsTo(ending: string): Played[] {
    return this.calls.filter(({ path }) => path.endsWith(ending));
  }

  gate(): RoomGate {
    return new RoomGate({ server: "http://room.example", token: TOKEN, fetch: this.fetch });
  }

  /** Settles the request and answers whoever polls. */
  settle(settled: Partial<RequestStatus>): void {
    this.settled = settled;
    this.answerPoll();
  }

  /** Ends the wait of whoever polls, as when its time is up. */
  answerPoll(): void {
    this.#wake();
  }

  status(requestId = this.posted.requestId): RequestStatus {
    return {
      requestId,
      state: "pending",
      openedAt: SERVER_TIME,
      expiresAt: SERVER_TIME + this.expiresInMs,
      serverTime: SERVER_TIME,
      humansPresent: this.humansPresent,
      delivery: { state: "none", at: SERVER_TIME },
      ...this.settled,
    };
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const url = new URL(String(input));
    const call: Played = {
      method: init?.method ?? "GET",
      path: url.pathname,
      query: url.search,
      body: typeof init?.body === "string" ? JSON.parse(init.body) : undefined,
      at: performance.now(),
    };
    this.calls.push(call);
    if (call.path.endsWith("/request")) this.#posted = call.body as PermissionRequest;
    const played = this.play(call) ?? this.#answer(call);
    if (played === "cut") throw new TypeError("fetch failed");
    if (played !== "silence") return played;
    return new Promise((resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(new Error("aborted")));
      if (call.query !== "") this.#wake = () => resolve(json(200, this.status()));
    });
  };

  #answer({ path, query }: Played): Response | "silence" {
    if (path === "/api/room/leave") return new Response(null, { status: 204 });
    if (path === "/api/room") return json(200, this.#view());
    const isPolled = query !== "" && this.settled === undefined;
    return isPolled ? "silence" : json(200, this.status());
  }

  #view(): object {
    const at = { participantId: "p-bot", role: "resident", name: "bot" };
    return {
      protocol: 1,
      serverTime: SERVER_TIME,
      you: at,
      room: { roomId: ROOM_ID, name: "Room" },
      participants: [
        { ...at, present: true },
        { ...ANA, present: true },
        { participantId: "p-ben", role: "human", name: "Ben", present: false },
      ],
      cards: [],
      recent: [],
      messages: [],
      limits: {
        bodyBytes: 1,
        frameBytes: 1,
        toolCallBytes: 1,
        messageBytes: 1,
        expiresInMs: { default: 1, min: 1, max: 1 },
        pendingPerResident: 1,
      },
    };
  }
}

export function decidedAs(optionId: string, kind: string): Partial<RequestStatus> {
  return {
    state: "decided",
    outcome: { outcome: "selected", optionId },
    settlement: { state: "decided", at: 1, by: ANA, option: { optionId, name: "Option", kind } },
    delivery: { state: "sent", at: 1 },
  };
}

/** Time that moves only when told to; `fetch` of a played Room needs no other. */
export function stopTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

/** What a promise has come to, without waiting for it. */
export function watch<T>(promise: Promise<T>): { value?: T } {
  const seen: { value?: T } = {};
  void promise.then((value) => Object.assign(seen, { value }));
  return seen;
}
