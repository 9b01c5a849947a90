import {
  limits,
  type PermissionOption,
  type PermissionRequest,
  type ToolCall,
} from "../protocol/index.ts";
import type { Clock } from "./clock.ts";
import type { IncomingAsk } from "./incoming-ask.ts";

/** How requests are asked. */
export interface AskSettings {
  expiresInMs: number;
  maxExpiresInMs?: number | undefined;
  ifNoHuman?: "wait" | "withdraw" | undefined;
  /** What an expiry answers: `cancelled` (the default), or the only `reject_once` that was offered. */
  onExpiry?: "cancel" | "reject" | undefined;
}

export interface AskedThing {
  sessionId: string;
  /** Undefined where no turn of that session is known. */
  turnId: string | undefined;
  toolCall: ToolCall;
  toolKind: string;
  options: PermissionOption[];
}

/** One question that is held until its answer, with the time that it may take. */
export class ParkedAsk {
  readonly requestId: string;
  readonly asked: AskedThing;
  readonly give: IncomingAsk["give"];
  readonly #settings: AskSettings;
  readonly #clock: Clock;
  readonly #askedAt: number;
  readonly #onSilence: () => void;
  readonly #settled = new AbortController();
  /** When this process stops waiting for a silent Room, on its own clock. */
  #silentAt: number | undefined;
  #stopTimer: () => void = () => undefined;

  constructor(
    requestId: string,
    asked: AskedThing,
    give: IncomingAsk["give"],
    settings: AskSettings,
    clock: Clock,
    onSilence: () => void,
  ) {
    this.requestId = requestId;
    this.asked = asked;
    this.give = give;
    this.#settings = settings;
    this.#clock = clock;
    this.#askedAt = clock.now();
    this.#onSilence = onSilence;
    this.#arm(settings.expiresInMs + limits.SILENT_ROOM_GRACE_MS);
  }

  /** Aborts when the ask is settled: nothing more is to be done for it. */
  get settled(): AbortSignal {
    return this.#settled.signal;
  }

  /** Whether the Room has named its deadline. */
  get isKnownToRoom(): boolean {
    return this.#silentAt !== undefined;
  }

  settle(): void {
    this.#stopTimer();
    this.#settled.abort();
  }

  /**
   * The fallback for a Room that says nothing: the Room alone judges deadlines. They only ever move later, and never beyond what
   * a Room may give.
   */
  waitUntil(remainingMs: number): void {
    const longestMs = this.#askedAt + limits.EXPIRES_IN_MAX_MS - this.#clock.now();
    const boundedMs = Math.max(0, Math.min(remainingMs, longestMs));
    const waitMs = boundedMs + limits.SILENT_ROOM_GRACE_MS;
    const silentAt = this.#clock.now() + waitMs;
    if (this.#silentAt !== undefined && this.#silentAt >= silentAt) return;
    this.#silentAt = silentAt;
    this.#arm(waitMs);
  }

  /** The request as it is to be posted now: the time to answer it runs from when the agent asked. */
  request(): PermissionRequest {
    const { toolCall, options, turnId } = this.asked;
    const { expiresInMs, maxExpiresInMs, ifNoHuman } = this.#settings;
    const waited = this.#clock.now() - this.#askedAt;
    const left = (ms: number) => Math.max(limits.EXPIRES_IN_MIN_MS, Math.round(ms - waited));
    return {
      requestId: this.requestId,
      toolCall,
      options,
      expiresInMs: left(expiresInMs),
      ...(maxExpiresInMs === undefined ? {} : { maxExpiresInMs: left(maxExpiresInMs) }),
      ...(ifNoHuman === undefined ? {} : { ifNoHuman }),
      ...(turnId === undefined ? {} : { turnId }),
    };
  }

  /** Milliseconds until this process stops waiting, less the grace for a silent Room: what people have left. */
  get remainingMs(): number {
    const endsAt = (this.#silentAt ?? this.#clock.now()) - limits.SILENT_ROOM_GRACE_MS;
    return Math.max(0, endsAt - this.#clock.now());
  }

  #arm(waitMs: number): void {
    this.#stopTimer();
    this.#stopTimer = this.#clock.after(waitMs, this.#onSilence);
  }
}
