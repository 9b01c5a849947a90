import {
  type Decider,
  type FrameOf,
  limits,
  type Outcome,
  type PermissionOption,
  type PermissionRequest,
  type RequestStatus,
  type ResidentWithdrawReason,
  type Settlement,
  type ToolCall,
} from "../protocol/index.ts";
import { judgeAsk, type JudgedAsk } from "./ask.ts";
import type { Clock } from "./clock.ts";
import type { Emit } from "./events.ts";
import { isRecord } from "./json-record.ts";
import { type EndReason, reasonOfKind, reasonOfSettlement, toolKindOf } from "./reasons.ts";
import { NewestAnswers } from "./newest-answers.ts";
import type { PostResult, RoomHandlers, RoomPort } from "./room-port.ts";
import { ToolCallMemory } from "./tool-calls.ts";

/** The only two things that an agent is ever answered: ACP `RequestPermissionResponse`. */
export interface Answer {
  outcome: Outcome;
}

/** One `session/request_permission` as it came from the agent. */
export interface IncomingAsk {
  /** Raw, never a validated copy. */
  params: unknown;
  /** Aborts when the agent takes its own request back. */
  signal: AbortSignal;
  /** Called exactly once. Resolves when the agent has the answer, rejects when it could not be given. */
  give(answer: Answer): Promise<void>;
}

/** How requests are asked. */
export interface AskSettings {
  expiresInMs: number;
  maxExpiresInMs?: number;
  ifNoHuman?: "wait" | "withdraw";
}

export interface BridgeParts {
  room: RoomPort;
  clock: Clock;
  newRequestId: () => string;
  settings: AskSettings;
  emit: Emit;
}

interface Parked {
  requestId: string;
  sessionId: string;
  toolCall: ToolCall;
  toolKind: string;
  options: PermissionOption[];
  give: IncomingAsk["give"];
  askedAt: number;
  /** Aborted when the ask is settled: no further attempt to bring it to the Room. */
  settled: AbortController;
  /** When this process stops waiting for a silent Room, on its own clock; undefined until the Room named its deadline. */
  silentAt: number | undefined;
  stopTimer: () => void;
}

type Judged =
  | (Extract<JudgedAsk, { kind: "askable" }> & { sessionId: string; turnId: string })
  | { kind: "refused"; reason: EndReason; text: string | undefined };

function refused(reason: EndReason, text?: string): Judged {
  return { kind: "refused", reason, text };
}

/** How an ask ends. */
interface End {
  outcome: Outcome;
  reason: EndReason;
  by?: Decider | undefined;
  /** Whether this is what the Room settled: that it was given is then worth an acknowledgement. */
  isTheRooms: boolean;
}

interface Unfinished {
  sessionId: string;
  toolCallId: string;
  toolKind: string;
}

interface Turn {
  sessionId: string;
  turnId: string;
  cancelling: boolean;
}

/**
 * Holds every question of the agent from the moment that it is asked until its one answer. Every path but a Room's decision of an
 * option that was offered ends in `cancelled`.
 */
export class PermissionBridge implements RoomHandlers {
  readonly #parts: BridgeParts;
  readonly #parked = new Map<string, Parked>();
  readonly #answers = new NewestAnswers();
  readonly #toolCalls = new ToolCallMemory();
  readonly #sessions = new Set<string>();
  /** Settled asks whose tool has not reported its own end yet. */
  readonly #unfinished = new Map<string, Unfinished>();
  #turn: Turn | undefined;
  /** Why nothing will be asked any more. */
  #over: EndReason | undefined;

  constructor(parts: BridgeParts) {
    this.#parts = parts;
  }

  // The agent's side.

  openSession(sessionId: string): void {
    this.#sessions.add(sessionId);
  }

  startTurn(sessionId: string, turnId: string): void {
    this.#turn = { sessionId, turnId, cancelling: false };
  }

  /** After `session/cancel`: everything held, and all that still comes in this turn, ends. */
  cancelTurn(): void {
    if (this.#turn === undefined) return;
    this.#turn.cancelling = true;
    this.#withdrawAll("turn_cancelled");
  }

  /** The prompt has settled, however it did: agents leave asks dangling. */
  endTurn(): void {
    this.#withdrawAll(this.#turn?.cancelling === true ? "turn_cancelled" : "turn_ended");
    this.#turn = undefined;
    this.#toolCalls.forget();
    this.#unfinished.clear();
  }

  endAgent(): void {
    this.#over ??= "agent_ended";
    this.#withdrawAll("agent_ended");
  }

  /** Nothing will be asked any more. Resolves when the agent has every answer, or cannot be given it. */
  async stop(): Promise<void> {
    this.#over ??= "resident_stopped";
    this.#withdrawAll("resident_stopped");
    await this.#answers.allGiven();
  }

  /** Takes the raw params of one `session/update`. */
  noteUpdate(params: unknown): void {
    if (!isRecord(params) || !isRecord(params["update"])) return;
    const { sessionId, update } = params;
    const { sessionUpdate, toolCallId, status } = update;
    if (typeof sessionId !== "string" || typeof toolCallId !== "string") return;
    if (sessionUpdate !== "tool_call" && sessionUpdate !== "tool_call_update") return;
    this.#toolCalls.note(sessionId, update);
    if (status !== "completed" && status !== "failed") return;
    for (const held of this.#parked.values()) {
      if (held.sessionId !== sessionId || held.toolCall.toolCallId !== toolCallId) continue;
      this.#withdraw(held, "tool_settled");
    }
    for (const [requestId, ask] of this.#unfinished) {
      if (ask.sessionId !== sessionId || ask.toolCallId !== toolCallId) continue;
      this.#unfinished.delete(requestId);
      this.#parts.emit({ type: "tool_finished", requestId, toolKind: ask.toolKind, status });
    }
  }

  /** Takes one question. Never throws, and never leaves it without an answer. */
  ask(incoming: IncomingAsk): void {
    const requestId = this.#parts.newRequestId();
    const judged = this.#judge(incoming);
    if (judged.kind === "refused") {
      this.#refuse(requestId, incoming, judged.reason);
      if (judged.text !== undefined) this.#diagnose(requestId, judged.reason, judged.text);
      return;
    }
    const { signal, give } = incoming;
    const { sessionId, toolCall, options, toolKind, turnId } = judged;
    const held: Parked = {
      requestId,
      sessionId,
      toolCall,
      options,
      toolKind,
      give,
      askedAt: this.#parts.clock.now(),
      settled: new AbortController(),
      silentAt: undefined,
      stopTimer: () => undefined,
    };
    this.#parked.set(requestId, held);
    this.#armTimer(held, this.#parts.settings.expiresInMs + limits.SILENT_ROOM_GRACE_MS);
    signal.addEventListener("abort", () => this.#withdraw(held, "request_cancelled"), {
      signal: held.settled.signal,
    });
    void this.#bringToRoom(held, turnId);
  }

  #judge({ params, signal }: IncomingAsk): Judged {
    if (this.#over !== undefined) return refused(this.#over);
    if (!isRecord(params) || typeof params["sessionId"] !== "string") {
      return refused("unreadable", "A permission request names no session.");
    }
    const { sessionId, options } = params;
    if (!this.#sessions.has(sessionId)) {
      const text = "A permission request names a session that this resident did not open.";
      return refused("unknown_session", text);
    }
    if (signal.aborted) return refused("request_cancelled");
    // Nobody waits for the end of what is asked between turns.
    if (this.#turn?.sessionId !== sessionId) return refused("turn_ended");
    if (this.#turn.cancelling) return refused("turn_cancelled");
    if (this.#parked.size >= limits.RESUME_IDS) {
      return refused("over_limit", `Not asked: ${limits.RESUME_IDS} requests are open already.`);
    }
    const judged = judgeAsk(this.#toolCalls.merge(sessionId, params["toolCall"]), options);
    if (judged.kind !== "askable") {
      return refused(judged.kind, `A permission request was not asked: ${judged.detail}.`);
    }
    return { ...judged, sessionId, turnId: this.#turn.turnId };
  }

  // The Room's side.

  parked(): string[] {
    return [...this.#parked.keys(), ...this.#answers.beingGiven()];
  }

  onDecision(decision: FrameOf<"decision">): void {
    const { requestId, outcome, settlement } = decision;
    const held = this.#parked.get(requestId);
    if (held !== undefined) {
      this.#act(held, outcome, settlement);
      return;
    }
    if (settlement.state === "withdrawn") return;
    const answered = this.#answers.get(requestId);
    // While the answer is on its way to the agent, what became of it is not known yet: the acknowledgement follows.
    if (answered instanceof Promise) return;
    this.#parts.room.acknowledge(requestId, answered ?? false);
  }

  onExtended({ requestId, expiresAt, serverTime }: FrameOf<"card_extended">): void {
    const held = this.#parked.get(requestId);
    if (held !== undefined) this.#waitUntil(held, expiresAt - serverTime);
  }

  onLost(reason: EndReason): void {
    this.#over ??= reason;
    for (const held of this.#parked.values()) this.#cancel(held, reason);
  }

  async #bringToRoom(held: Parked, turnId: string): Promise<void> {
    const { room, settings, clock } = this.#parts;
    const build = (): PermissionRequest => {
      const waited = clock.now() - held.askedAt;
      const remaining = (ms: number) => Math.max(limits.EXPIRES_IN_MIN_MS, Math.round(ms - waited));
      return {
        requestId: held.requestId,
        toolCall: held.toolCall,
        options: held.options,
        expiresInMs: remaining(settings.expiresInMs),
        ...(settings.maxExpiresInMs === undefined
          ? {}
          : { maxExpiresInMs: remaining(settings.maxExpiresInMs) }),
        ...(settings.ifNoHuman === undefined ? {} : { ifNoHuman: settings.ifNoHuman }),
        turnId,
      };
    };
    try {
      this.#takeResult(held, await room.request(build, held.settled.signal));
    } catch (error) {
      if (!this.#isHeld(held)) return;
      this.#withdraw(held, "resident_deadline", "room_unreachable");
      this.#diagnose(held.requestId, "room_unreachable", `Could not ask: ${nameOf(error)}.`);
    }
  }

  #takeResult(held: Parked, result: PostResult): void {
    if (!this.#isHeld(held) || result.kind === "aborted") return;
    if (result.kind === "refused") {
      this.#cancel(held, result.reason);
      this.#diagnose(held.requestId, result.reason, `The Room refused: ${result.detail}.`);
      return;
    }
    const { status } = result;
    if (status.settlement !== undefined) {
      this.#act(held, status.outcome ?? CANCELLED, status.settlement);
      return;
    }
    this.#noteOpen(held, status);
  }

  #noteOpen(held: Parked, status: RequestStatus): void {
    this.#waitUntil(held, status.expiresAt - status.serverTime);
    const { requestId, toolKind } = held;
    const { humansPresent } = status;
    this.#parts.emit({ type: "asked", requestId, toolKind, humansPresent });
  }

  /** Acts on a settlement, whether it came as a frame or as an HTTP reply. */
  #act(held: Parked, outcome: Outcome, settlement: Settlement): void {
    const { requestId, options } = held;
    if (settlement.state === "withdrawn") {
      // It needs no acknowledgement.
      this.#cancel(held, reasonOfSettlement(settlement));
      return;
    }
    if (settlement.state !== "decided") {
      const by = settlement.state === "dismissed" ? settlement.by : undefined;
      const reason = reasonOfSettlement(settlement);
      void this.#apply(held, { outcome: CANCELLED, reason, by, isTheRooms: true });
      return;
    }
    if (outcome.outcome === "cancelled") {
      this.#cancel(held, "too_late");
      this.#parts.room.acknowledge(requestId, false);
      return;
    }
    const option = options.find(({ optionId }) => optionId === outcome.optionId);
    if (option === undefined || settlement.option.optionId !== option.optionId) {
      this.#cancel(held, "unreadable");
      this.#parts.room.acknowledge(requestId, false);
      const offered = options.map(({ optionId }) => inAscii(optionId)).join(", ");
      const text = `The Room decided ${inAscii(outcome.optionId)}, but offered were ${offered}.`;
      this.#diagnose(requestId, "unreadable", text);
      return;
    }
    void this.#apply(held, {
      outcome: { outcome: "selected", optionId: option.optionId },
      reason: reasonOfKind(option.kind),
      by: settlement.by,
      isTheRooms: true,
    });
  }

  async #apply(held: Parked, end: End): Promise<void> {
    this.#parts.room.acknowledge(held.requestId, await this.#settle(held, end));
  }

  #cancel(held: Parked, reason: EndReason): void {
    void this.#settle(held, { outcome: CANCELLED, reason, isTheRooms: false });
  }

  /** The fallback for a Room that says nothing: the Room alone judges deadlines. They only ever move later. */
  #waitUntil(held: Parked, remainingMs: number): void {
    const waitMs = Math.max(0, remainingMs) + limits.SILENT_ROOM_GRACE_MS;
    const silentAt = this.#parts.clock.now() + waitMs;
    if (held.silentAt !== undefined && held.silentAt >= silentAt) return;
    held.silentAt = silentAt;
    this.#armTimer(held, waitMs);
  }

  #armTimer(held: Parked, waitMs: number): void {
    held.stopTimer();
    held.stopTimer = this.#parts.clock.after(waitMs, () => {
      const reason = held.silentAt === undefined ? "room_unreachable" : "resident_deadline";
      this.#withdraw(held, "resident_deadline", reason);
    });
  }

  // The one way out.

  #withdrawAll(reason: ResidentWithdrawReason): void {
    for (const held of this.#parked.values()) this.#withdraw(held, reason);
  }

  /** Ends an ask from this side. The withdrawal may overtake the request: the Room remembers it. */
  #withdraw(held: Parked, reason: ResidentWithdrawReason, shown?: EndReason): void {
    if (!this.#isHeld(held)) return;
    this.#cancel(held, shown ?? reasonWithdrawn(reason));
    this.#parts.room.withdraw(held.requestId, reason);
  }

  /** Gives the agent its one answer; resolves to whether it was the Room's and the agent has it. */
  #settle(held: Parked, { outcome, reason, by, isTheRooms }: End): Promise<boolean> {
    const { requestId, toolKind } = held;
    this.#parked.delete(requestId);
    held.stopTimer();
    held.settled.abort();
    const given = held.give({ outcome: { ...outcome } }).then(
      () => isTheRooms,
      () => false,
    );
    this.#answers.remember(requestId, given);
    this.#keepUnfinished(held);
    this.#parts.emit({
      type: "settled",
      requestId,
      toolKind,
      offered: held.options.map(({ optionId, kind }) =>
        kind === undefined ? { optionId } : { optionId, kind },
      ),
      outcome,
      reason,
      ...(by === undefined ? {} : { by }),
    });
    return given;
  }

  /** Answers an ask that was never parked. */
  #refuse(requestId: string, incoming: IncomingAsk, reason: EndReason): void {
    incoming.give({ outcome: { ...CANCELLED } }).catch(() => undefined);
    const { params } = incoming;
    const toolCall = isRecord(params) ? params["toolCall"] : undefined;
    const toolKind = toolKindOf(isRecord(toolCall) ? toolCall["kind"] : undefined);
    const outcome = CANCELLED;
    this.#parts.emit({ type: "settled", requestId, toolKind, offered: [], outcome, reason });
  }

  #keepUnfinished({ requestId, sessionId, toolCall, toolKind }: Parked): void {
    const { toolCallId } = toolCall;
    this.#unfinished.set(requestId, { sessionId, toolCallId, toolKind });
    const oldest = this.#unfinished.keys().next();
    if (this.#unfinished.size > limits.RESUME_IDS && oldest.done !== true) {
      this.#unfinished.delete(oldest.value);
    }
  }

  #isHeld(held: Parked): boolean {
    return this.#parked.get(held.requestId) === held;
  }

  #diagnose(requestId: string, reason: EndReason, text: string): void {
    this.#parts.emit({ type: "diagnostic", requestId, reason, text });
  }
}

const CANCELLED: Outcome = { outcome: "cancelled" };

function reasonWithdrawn(reason: ResidentWithdrawReason): EndReason {
  return reason === "answered_elsewhere" ? "tool_settled" : reason;
}

/** An opaque id for a terminal: no character of it can act there. */
function inAscii(text: string): string {
  return JSON.stringify(text).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** What kind of failure it was: its message could hold what the agent sent. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
