import { type Decider, type FrameOf, limits, type Outcome } from "../protocol/index.ts";
import type { RequestStatus, ResidentWithdrawReason, Settlement } from "../protocol/index.ts";
import { judgeAsk } from "./ask.ts";
import type { Clock } from "./clock.ts";
import type { Emit } from "./events.ts";
import type { IncomingAsk } from "./incoming-ask.ts";
import { isRecord } from "./json-record.ts";
import { NewestAnswers } from "./newest-answers.ts";
import { type AskedThing, type AskSettings, ParkedAsk } from "./parked-ask.ts";
import { type EndReason, toolKindOf } from "./reasons.ts";
import type { PostResult, RoomHandlers, RoomPort } from "./room-port.ts";
import { answerOf, CANCELLED } from "./settled-answer.ts";
import { ToolCallMemory } from "./tool-calls.ts";
import { UnfinishedCalls } from "./unfinished-calls.ts";

export interface BridgeParts {
  room: RoomPort;
  clock: Clock;
  newRequestId: () => string;
  settings: AskSettings;
  emit: Emit;
}

/** What an ask is: something to hold, or something to cancel at once. */
type Judged =
  | { kind: "askable"; asked: AskedThing }
  | { kind: "refused"; reason: EndReason; diagnostic: string | undefined };

/** How an ask ends. */
interface End {
  outcome: Outcome;
  reason: EndReason;
  by?: Decider;
}

/**
 * Holds every question of the agent from the moment that it is asked until its one answer. Every path but a Room's decision of an
 * option that was offered ends in `cancelled`.
 */
export class PermissionBridge implements RoomHandlers {
  readonly #parts: BridgeParts;
  readonly #parked = new Map<string, ParkedAsk>();
  readonly #answers = new NewestAnswers();
  readonly #toolCalls = new ToolCallMemory();
  readonly #unfinished = new UnfinishedCalls();
  readonly #sessions = new Set<string>();
  #turn: { sessionId: string; turnId: string; cancelling: boolean } | undefined;
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
    this.#unfinished.forget();
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
    for (const ask of this.#parked.values()) {
      const { asked } = ask;
      if (asked.sessionId !== sessionId || asked.toolCall.toolCallId !== toolCallId) continue;
      this.#withdraw(ask, "tool_settled");
    }
    for (const finished of this.#unfinished.finish(sessionId, toolCallId)) {
      this.#parts.emit({ type: "tool_finished", ...finished, status });
    }
  }

  /** Takes one question. Never throws, and never leaves it without an answer. */
  ask(incoming: IncomingAsk): void {
    const { newRequestId, settings, clock } = this.#parts;
    const requestId = newRequestId();
    const judged = this.#judge(incoming);
    if (judged.kind === "refused") {
      this.#refuse(requestId, incoming, judged.reason);
      this.#diagnose(requestId, judged.reason, judged.diagnostic);
      return;
    }
    const { signal, give } = incoming;
    const ask = new ParkedAsk(requestId, judged.asked, give, settings, clock, () => {
      const reason = ask.isKnownToRoom ? "resident_deadline" : "room_unreachable";
      this.#withdraw(ask, "resident_deadline", reason);
    });
    this.#parked.set(requestId, ask);
    signal.addEventListener("abort", () => this.#withdraw(ask, "request_cancelled"), {
      signal: ask.settled,
    });
    void this.#bringToRoom(ask);
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
    const { turnId, cancelling } = this.#turn;
    if (cancelling) return refused("turn_cancelled");
    if (this.#parked.size >= limits.RESUME_IDS) {
      return refused("over_limit", `Not asked: ${limits.RESUME_IDS} requests are open already.`);
    }
    const judged = judgeAsk(this.#toolCalls.merge(sessionId, params["toolCall"]), options);
    if (judged.kind !== "askable") {
      return refused(judged.kind, `A permission request was not asked: ${judged.detail}.`);
    }
    const { toolCall, toolKind } = judged;
    const asked = { sessionId, turnId, toolCall, toolKind, options: judged.options };
    return { kind: "askable", asked };
  }

  // The Room's side.

  parked(): string[] {
    return [...this.#parked.keys(), ...this.#answers.beingGiven()];
  }

  onDecision({ requestId, outcome, settlement }: FrameOf<"decision">): void {
    const ask = this.#parked.get(requestId);
    if (ask !== undefined) {
      this.#act(ask, outcome, settlement);
      return;
    }
    if (settlement.state === "withdrawn") return;
    const answered = this.#answers.get(requestId);
    // While the answer is on its way to the agent, what became of it is not known yet: the acknowledgement follows.
    if (answered instanceof Promise) return;
    this.#parts.room.acknowledge(requestId, answered ?? false);
  }

  onExtended({ requestId, expiresAt, serverTime }: FrameOf<"card_extended">): void {
    this.#parked.get(requestId)?.waitUntil(expiresAt - serverTime);
  }

  onLost(reason: EndReason): void {
    this.#over ??= reason;
    for (const ask of this.#parked.values()) this.#cancel(ask, reason);
  }

  async #bringToRoom(ask: ParkedAsk): Promise<void> {
    const { room } = this.#parts;
    try {
      this.#takeResult(ask, await room.request(() => ask.request(), ask.settled));
    } catch (error) {
      if (ask.settled.aborted) return;
      this.#withdraw(ask, "resident_deadline", "room_unreachable");
      this.#diagnose(ask.requestId, "room_unreachable", `Could not ask: ${nameOf(error)}.`);
    }
  }

  #takeResult(ask: ParkedAsk, result: PostResult): void {
    if (ask.settled.aborted || result.kind === "aborted") return;
    if (result.kind === "refused") {
      this.#cancel(ask, result.reason);
      this.#diagnose(ask.requestId, result.reason, `The Room refused: ${result.detail}.`);
      return;
    }
    const { outcome, settlement } = result.status;
    if (settlement === undefined) this.#noteOpen(ask, result.status);
    else this.#act(ask, outcome ?? CANCELLED, settlement);
  }

  #noteOpen(ask: ParkedAsk, { expiresAt, serverTime, humansPresent }: RequestStatus): void {
    ask.waitUntil(expiresAt - serverTime);
    const { requestId, asked } = ask;
    this.#parts.emit({ type: "asked", requestId, toolKind: asked.toolKind, humansPresent });
  }

  /** Acts on a settlement, whether it came as a frame or as an HTTP reply. */
  #act(ask: ParkedAsk, outcome: Outcome, settlement: Settlement): void {
    const { room } = this.#parts;
    const { acknowledge, diagnostic, ...end } = answerOf(ask.asked.options, outcome, settlement);
    if (acknowledge === "when_given") {
      void this.#acknowledge(ask, this.#settle(ask, end, true));
      return;
    }
    void this.#settle(ask, end, false);
    if (acknowledge === "not_applied") room.acknowledge(ask.requestId, false);
    this.#diagnose(ask.requestId, end.reason, diagnostic);
  }

  async #acknowledge({ requestId }: ParkedAsk, applied: Promise<boolean>): Promise<void> {
    this.#parts.room.acknowledge(requestId, await applied);
  }

  // The ways out.

  #withdrawAll(reason: ResidentWithdrawReason): void {
    for (const ask of this.#parked.values()) this.#withdraw(ask, reason);
  }

  /** Ends an ask from this side. The withdrawal may overtake the request: the Room remembers it. */
  #withdraw(ask: ParkedAsk, reason: ResidentWithdrawReason, shown?: EndReason): void {
    if (ask.settled.aborted) return;
    this.#cancel(ask, shown ?? reasonWithdrawn(reason));
    this.#parts.room.withdraw(ask.requestId, reason);
  }

  #cancel(ask: ParkedAsk, reason: EndReason): void {
    void this.#settle(ask, { outcome: CANCELLED, reason }, false);
  }

  /** Gives the agent its one answer. Resolves to whether it was the Room's, and the agent has it. */
  #settle(ask: ParkedAsk, end: End, isTheRooms: boolean): Promise<boolean> {
    const { requestId, asked } = ask;
    const { toolKind, options } = asked;
    this.#parked.delete(requestId);
    ask.settle();
    const given = ask.give({ outcome: { ...end.outcome } }).then(
      () => isTheRooms,
      () => false,
    );
    this.#answers.remember(requestId, given);
    this.#unfinished.keep(requestId, asked);
    const offered = options.map(({ optionId, kind }) =>
      kind === undefined ? { optionId } : { optionId, kind },
    );
    this.#parts.emit({ type: "settled", requestId, toolKind, offered, ...end });
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

  #diagnose(requestId: string, reason: EndReason, text: string | undefined): void {
    if (text !== undefined) this.#parts.emit({ type: "diagnostic", requestId, reason, text });
  }
}

function refused(reason: EndReason, diagnostic?: string): Judged {
  return { kind: "refused", reason, diagnostic };
}

function reasonWithdrawn(reason: ResidentWithdrawReason): EndReason {
  return reason === "answered_elsewhere" ? "tool_settled" : reason;
}

/** What kind of failure it was: its message could hold what the agent sent. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
