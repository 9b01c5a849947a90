import { decisionForOutcome } from "../gate/index.ts";
import type { FrameOf, Outcome, PermissionOption, ToolCall } from "../protocol/index.ts";
import type { RequestStatus, ResidentWithdrawReason, Settlement } from "../protocol/index.ts";
import type { Clock } from "./clock.ts";
import type { AnsweredBy, Emit } from "./events.ts";
import { type IncomingAsk, LateFlaw } from "./incoming-ask.ts";
import { isRecord } from "./json-record.ts";
import { judgeAsk, offeredOf } from "./judge-ask.ts";
import { NewestAnswers } from "./newest-answers.ts";
import { type AskedThing, type AskSettings, ParkedAsk } from "./parked-ask.ts";
import type { PolicyPort } from "./policy-port.ts";
import type { EndReason } from "./reasons.ts";
import { readRefused } from "./refused-ask.ts";
import type { PostResult, RoomHandlers, RoomPort } from "./room-port.ts";
import { answerOf, CANCELLED } from "./settled-answer.ts";
import { ToolCallMemory } from "./tool-calls.ts";
import { Turns } from "./turns.ts";
import { UnfinishedCalls } from "./unfinished-calls.ts";

export interface BridgeParts {
  room: Pick<RoomPort, "request" | "withdraw" | "acknowledge">;
  clock: Clock;
  newRequestId: () => string;
  settings: AskSettings;
  emit: Emit;
  /** `own`: only sessions opened with `openSession`, each in its turn. `any`: the agent is another client's. */
  accepts: "own" | "any";
  policy: PolicyPort;
  /** Shapes a tool call for people to read. */
  shape(toolCall: ToolCall): unknown;
}

/** How an ask ends. */
interface End {
  outcome: Outcome;
  reason: EndReason;
  answeredBy: AnsweredBy;
}

const NOBODY: AnsweredBy = { who: "nobody" };

/**
 * Holds every question of the agent from the moment that it is asked until its one answer. Every path but a Room's decision of an
 * option that was offered, and an operator's written policy, ends in a refusal.
 */
export class PermissionBridge implements RoomHandlers {
  readonly #parts: BridgeParts;
  readonly #parked = new Map<string, ParkedAsk>();
  readonly #answers = new NewestAnswers();
  readonly #toolCalls = new ToolCallMemory();
  readonly #unfinished = new UnfinishedCalls();
  readonly #sessions = new Set<string>();
  readonly #turns = new Turns();
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
    this.#turns.start(sessionId, turnId);
  }

  /** After `session/cancel`: everything held for this session, and all that it still asks in this turn, ends. */
  cancelTurn(sessionId: string): void {
    this.#turns.cancel(sessionId);
    this.#withdrawOf(sessionId, "turn_cancelled");
  }

  /** The prompt has settled, however it did: agents leave asks dangling. `turnId`: which, where several run in the session. */
  endTurn(sessionId: string, turnId?: string): void {
    const turn = this.#turns.end(sessionId, turnId);
    const reason = turn?.cancelling === true ? "turn_cancelled" : "turn_ended";
    if (this.#turns.get(sessionId) !== undefined) {
      if (turn !== undefined) this.#withdrawOf(sessionId, reason, turn.turnId);
      return;
    }
    this.#withdrawOf(sessionId, reason);
    this.#toolCalls.forget(sessionId);
    this.#unfinished.forget(sessionId);
    if (this.#turns.sessions.length > 0) return;
    // What no turn of its own asked, a sub-agent's session say, was asked for one that has ended now.
    this.#withdrawAll("turn_ended");
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

  /** Takes the raw params of one `session/update`. `findFlaw`: what of it could not be kept as it was sent. */
  noteUpdate(params: unknown, findFlaw?: () => string | undefined): void {
    if (!isRecord(params) || !isRecord(params["update"])) return;
    const { sessionId, update } = params;
    const { sessionUpdate, toolCallId, status } = update;
    if (typeof sessionId !== "string" || typeof toolCallId !== "string") return;
    if (sessionUpdate !== "tool_call" && sessionUpdate !== "tool_call_update") return;
    this.#toolCalls.note(sessionId, update, findFlaw?.());
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
    const requestId = this.#parts.newRequestId();
    if (this.#over !== undefined) {
      this.#refuse(requestId, incoming, this.#over);
      return;
    }
    const judged = judgeAsk(incoming, this.#parked.size, {
      ...this.#parts,
      sessions: this.#sessions,
      turns: this.#turns,
      toolCalls: this.#toolCalls,
    });
    switch (judged.kind) {
      case "refused":
        this.#refuse(requestId, incoming, judged.reason);
        this.#diagnose(requestId, judged.reason, judged.diagnostic);
        break;
      case "automatic": {
        const { asked, outcome, reason, by, diagnostic } = judged;
        const end = { outcome, reason, answeredBy: { who: "policy", ...by } } as const;
        incoming.give({ outcome: { ...outcome } }).catch(() => undefined);
        this.#tell(requestId, asked, end);
        this.#diagnose(requestId, reason, diagnostic);
        break;
      }
      case "held":
        this.#hold(requestId, incoming, judged.asked);
        break;
    }
  }

  #hold(requestId: string, { signal, give }: IncomingAsk, asked: AskedThing): void {
    const { settings, clock } = this.#parts;
    const ask = new ParkedAsk(requestId, asked, give, settings, clock, () => {
      const reason = ask.isKnownToRoom ? "resident_deadline" : "room_unreachable";
      this.#withdraw(ask, "resident_deadline", reason);
    });
    this.#parked.set(requestId, ask);
    signal.addEventListener("abort", () => this.#takeBack(ask, signal.reason), {
      signal: ask.settled,
    });
    void this.#bringToRoom(ask);
  }

  #takeBack(ask: ParkedAsk, why: unknown): void {
    if (!(why instanceof LateFlaw)) {
      this.#withdraw(ask, "request_cancelled");
      return;
    }
    this.#withdraw(ask, "request_cancelled", "unreadable");
    const text = `A permission request was given up: ${why.text}.`;
    this.#diagnose(ask.requestId, "unreadable", text);
  }

  /** What people are asked now: milliseconds that they have left, by request. */
  waiting(): { requestId: string; toolKind: string; remainingMs: number }[] {
    return [...this.#parked.values()]
      .filter((ask) => ask.isKnownToRoom)
      .map(({ requestId, asked, remainingMs }) => ({
        requestId,
        toolKind: asked.toolKind,
        remainingMs,
      }));
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
  #act(ask: ParkedAsk, told: Outcome, settlement: Settlement): void {
    const { room, settings } = this.#parts;
    const answer = answerOf(ask.asked.options, told, settlement, settings.onExpiry);
    const { acknowledge, diagnostic, outcome, reason, by } = answer;
    const answeredBy: AnsweredBy =
      by === undefined ? NOBODY : { who: "human", participantId: by.participantId, name: by.name };
    const given = this.#settle(ask, { outcome, reason, answeredBy }, acknowledge === "when_given");
    if (acknowledge === "when_given") void this.#acknowledge(ask, given);
    else if (acknowledge === "not_applied") room.acknowledge(ask.requestId, false);
    this.#diagnose(ask.requestId, reason, diagnostic);
  }

  async #acknowledge({ requestId }: ParkedAsk, applied: Promise<boolean>): Promise<void> {
    this.#parts.room.acknowledge(requestId, await applied);
  }

  // The ways out.

  /** `turnId`: of that turn alone. */
  #withdrawOf(sessionId: string, reason: ResidentWithdrawReason, turnId?: string): void {
    for (const ask of this.#parked.values()) {
      const { asked } = ask;
      if (asked.sessionId !== sessionId) continue;
      if (turnId === undefined || asked.turnId === turnId) this.#withdraw(ask, reason);
    }
  }

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
    void this.#settle(ask, { outcome: CANCELLED, reason, answeredBy: NOBODY }, false);
  }

  /** Gives the agent its one answer. Resolves to whether it was the Room's, and the agent has it. */
  #settle(ask: ParkedAsk, end: End, isTheRooms: boolean): Promise<boolean> {
    const { requestId, asked } = ask;
    this.#parked.delete(requestId);
    ask.settle();
    const given = ask.give({ outcome: { ...end.outcome } }).then(
      () => isTheRooms,
      () => false,
    );
    this.#answers.remember(requestId, given);
    this.#tell(requestId, asked, end);
    return given;
  }

  /** Answers an ask that was never parked. */
  #refuse(requestId: string, incoming: IncomingAsk, reason: EndReason): void {
    incoming.give({ outcome: { ...CANCELLED } }).catch(() => undefined);
    const end = { outcome: CANCELLED, reason, answeredBy: NOBODY };
    const { asked, toolKind } = readRefused(incoming, this.#toolCalls);
    if (asked === undefined) this.#emitEnd(requestId, toolKind, [], end);
    else this.#tell(requestId, asked, end);
  }

  #tell(requestId: string, asked: AskedThing, end: End): void {
    this.#unfinished.keep(requestId, asked);
    this.#emitEnd(requestId, asked.toolKind, asked.options, end);
  }

  #emitEnd(requestId: string, toolKind: string, options: PermissionOption[], end: End): void {
    const offered = offeredOf(options);
    const reading = decisionForOutcome(end.outcome, options).kind;
    this.#parts.emit({ type: "settled", requestId, toolKind, offered, ...end, reading });
  }

  #diagnose(requestId: string, reason: EndReason, text: string | undefined): void {
    if (text !== undefined) this.#parts.emit({ type: "diagnostic", requestId, reason, text });
  }
}

function reasonWithdrawn(reason: ResidentWithdrawReason): EndReason {
  return reason === "answered_elsewhere" ? "tool_settled" : reason;
}

/** What kind of failure it was: its message could hold what the agent sent. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
