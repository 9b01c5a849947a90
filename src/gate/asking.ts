import { type RoomApi, type RoomRefusal, RoomUnreachable } from "../client/index.ts";
import {
  limits,
  type PermissionRequest,
  type RequestStatus,
  type ResidentWithdrawReason,
  type WithdrawReason,
} from "../protocol/index.ts";
import type { Acknowledgements } from "./acknowledgements.ts";
import { answerOf, type GateAnswer, type GateEnd } from "./answer.ts";
import { Patience } from "./patience.ts";
import { pause, repeat, type Repeated, within } from "./repeat.ts";
import { type OnWaiting, WaitingTeller } from "./waiting.ts";

/** A withdrawal and a departure may take this long: nobody's answer depends on them. */
export const FAREWELL_MS = 2_000;
/** From one poll to the next, however soon the Room replies. */
const POLL_INTERVAL_MS = 1_000;

/** By these the Room says of a question that was open that it withdrew it: the Room has ended, or whoever asked is out of it. */
const WITHDREW: ReadonlyMap<string, WithdrawReason> = new Map([
  ["room_closed", "room_closed"],
  ["room_not_found", "room_closed"],
  ["unauthorized", "resident_removed"],
]);

export interface AskingParts {
  api: Pick<RoomApi, "request" | "status">;
  /** Its calls end within FAREWELL_MS. */
  briefApi: Pick<RoomApi, "room" | "withdraw">;
  acknowledgements: Acknowledgements;
  request: PermissionRequest;
  signal: AbortSignal | undefined;
  onWaiting: OnWaiting | undefined;
}

/** One question, from its first post to its answer. */
export class Asking {
  readonly #parts: AskingParts;
  readonly #patience: Patience;
  readonly #finished = new AbortController();
  /** Aborts when the Room's answer is not waited for any longer. */
  readonly #stop: AbortSignal;
  readonly #teller: WaitingTeller;
  #lastStatus: RequestStatus | undefined;

  constructor(parts: AskingParts) {
    this.#parts = parts;
    const { signal, request, briefApi, onWaiting } = parts;
    this.#patience = new Patience(request.expiresInMs ?? limits.EXPIRES_IN_DEFAULT_MS);
    const ends = [this.#patience.signal, this.#finished.signal];
    this.#stop = AbortSignal.any(signal === undefined ? ends : [...ends, signal]);
    this.#teller = new WaitingTeller(briefApi, onWaiting, this.#stop);
  }

  /** Resolves to the answer, whatever the network does. */
  async answer(): Promise<GateAnswer> {
    try {
      const heard = await this.#hear();
      // Whoever has stopped asking is not approved any more.
      if (this.#parts.signal?.aborted === true) return await this.#giveUp("aborted");
      if (heard.kind === "stopped") return await this.#giveUp("unreachable");
      if (heard.kind === "refused") return this.#refused(heard.refusal);
      return this.#settled(heard.value);
    } finally {
      this.#patience.end();
      this.#finished.abort();
    }
  }

  /** Posts until the card is open, then polls until it is settled. */
  async #hear(): Promise<Repeated<RequestStatus>> {
    const { api, request } = this.#parts;
    const { requestId } = request;
    let heard = await this.#repeat(() => api.request(this.#requestNow(), this.#stop));
    while (heard.kind === "answered" && heard.value.settlement === undefined) {
      const { value: status } = heard;
      this.#patience.takeRemaining(status.expiresAt - status.serverTime);
      this.#teller.tell(status);
      const next = pause(POLL_INTERVAL_MS, this.#stop);
      const wait = { waitMs: limits.WAIT_MAX_MS };
      heard = await this.#repeat(() => api.status(requestId, wait, this.#stop));
      if (heard.kind === "answered" && heard.value.settlement === undefined) await next;
    }
    return heard;
  }

  #repeat(call: () => Promise<RequestStatus>): Promise<Repeated<RequestStatus>> {
    return repeat(async () => {
      const status = await call();
      // Whoever speaks of another request is not the Room that was asked.
      if (status.requestId !== this.#parts.request.requestId) throw new RoomUnreachable(200);
      this.#lastStatus = status;
      return status;
    }, this.#stop);
  }

  /** The request as it is to be posted now: the time to answer it runs from when it was asked. */
  #requestNow(): PermissionRequest {
    const { request } = this.#parts;
    const { expiresInMs, maxExpiresInMs } = request;
    const waitedMs = Math.round(this.#patience.waitedMs);
    const left = (ms: number) => Math.max(limits.EXPIRES_IN_MIN_MS, ms - waitedMs);
    return {
      ...request,
      ...(expiresInMs === undefined ? {} : { expiresInMs: left(expiresInMs) }),
      ...(maxExpiresInMs === undefined ? {} : { maxExpiresInMs: left(maxExpiresInMs) }),
    };
  }

  // The ways out.

  #settled(status: RequestStatus): GateAnswer {
    const { acknowledgements, request } = this.#parts;
    const { settlement } = status;
    if (settlement === undefined) return this.#teardown("unreachable");
    const { answer, applied } = answerOf(status, settlement, request.options);
    if (applied !== undefined) acknowledgements.send(request.requestId, applied);
    return answer;
  }

  #refused({ code }: RoomRefusal): GateAnswer {
    const reason = this.#lastStatus === undefined ? undefined : WITHDREW.get(code);
    if (reason === undefined) return { ...this.#teardown("refused"), code };
    // What was heard last says that it is open, which is over.
    return { reply: { kind: "teardown" }, end: "withdrawn", reason };
  }

  /** Ends the question from this side. The withdrawal may overtake the request: the Room remembers it. */
  async #giveUp(end: "aborted" | "unreachable"): Promise<GateAnswer> {
    await this.#withdraw(end === "aborted" ? "resident_stopped" : "resident_deadline");
    return this.#teardown(end);
  }

  async #withdraw(reason: ResidentWithdrawReason): Promise<void> {
    const { briefApi, acknowledgements, request } = this.#parts;
    const { requestId } = request;
    const heard = await within(FAREWELL_MS, (signal) =>
      repeat(() => briefApi.withdraw(requestId, reason), signal),
    );
    if (heard?.kind === "answered") this.#lastStatus = heard.value;
    else if (heard?.kind === "refused" && heard.refusal.code === "already_settled") {
      acknowledgements.send(requestId, false);
    }
  }

  #teardown(end: GateEnd): GateAnswer {
    const status = this.#lastStatus === undefined ? {} : { status: this.#lastStatus };
    return { reply: { kind: "teardown" }, end, ...status };
  }
}
