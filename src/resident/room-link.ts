import {
  RoomApi,
  RoomRefusal,
  RoomSocket,
  type ConnectionState,
  type RoomSocketOptions,
} from "../client/index.ts";
import {
  type FrameOf,
  limits,
  type PermissionRequest,
  type ResidentWithdrawReason,
  type RoomFrame,
} from "../protocol/index.ts";
import { type Clock, monotonicClock, settledWithin } from "./clock.ts";
import type { Emit } from "./events.ts";
import { type Insisted, Insistence } from "./insistence.ts";
import { reasonOfClose } from "./refusals.ts";
import type { EndReason } from "./reasons.ts";
import type { PostResult, RoomHandlers, RoomPort, RoomTalk } from "./room-port.ts";
import { AddressedTalk, PeopleThere } from "./room-talk.ts";
import { SpokenLines } from "./spoken-lines.ts";

/** How long `resume` may wait for withdrawals that are owed: it withdraws what they name as well, with a poorer reason. */
const WITHDRAW_BEFORE_RESUME_MS = 5_000;

type LinkApi = Pick<RoomApi, "request" | "withdraw">;
type LinkSocket = Pick<RoomSocket, "send" | "close">;
type SocketEvents = Pick<RoomSocketOptions, "onWelcome" | "onFrame"> & {
  onState(state: ConnectionState): void;
};

export interface RoomLinkParts {
  api: LinkApi;
  openSocket(events: SocketEvents): LinkSocket;
  handlers: RoomHandlers;
  talk?: RoomTalk | undefined;
  emit: Emit;
  clock: Clock;
  random: () => number;
}

/** A resident's line to its Room: requests and withdrawals by HTTP, decisions and acknowledgements by socket. */
export class RoomLink implements RoomPort {
  readonly #parts: RoomLinkParts;
  readonly #socket: LinkSocket;
  readonly #insistence: Insistence;
  /** Acknowledgements that no `accepted` has come for. */
  readonly #acks = new Map<string, boolean>();
  readonly #acksUnderWay = new Set<Promise<void>>();
  /** Withdrawals that the Room does not know of yet, each until it does. */
  readonly #withdrawals = new Map<string, Promise<unknown>>();
  readonly #ended = new AbortController();
  readonly #ready = Promise.withResolvers<void>();
  readonly #speech: SpokenLines;
  readonly #people = new PeopleThere();
  readonly #prompts = new AddressedTalk();
  /** Counts sockets: what began for one must not go on with another. */
  #welcomes = 0;

  constructor(parts: RoomLinkParts) {
    this.#parts = parts;
    const { clock, random, emit } = parts;
    this.#insistence = new Insistence({ clock, random, emit, onLost: (r) => this.#lose(r) });
    this.#ready.promise.catch(() => undefined);
    this.#speech = new SpokenLines({
      send: (line) => this.#socket.send({ type: "say", ...line }),
      clock,
    });
    this.#socket = parts.openSocket({
      onWelcome: (welcome) => this.#welcome(welcome),
      onFrame: (frame) => this.#take(frame),
      onState: (state) => this.#noteState(state),
    });
  }

  static connect(
    { server, token }: { server: string; token: string },
    handlers: RoomHandlers,
    emit: Emit,
    talk?: RoomTalk,
  ): RoomLink {
    return new RoomLink({
      api: new RoomApi({ server, token }),
      openSocket: (events) => new RoomSocket({ server, token, ...events }),
      handlers,
      talk,
      emit,
      clock: monotonicClock,
      random: Math.random,
    });
  }

  /** Resolves with the first welcome; rejects where the Room will not have this resident. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  async request(build: () => PermissionRequest, signal: AbortSignal): Promise<PostResult> {
    const ended = AbortSignal.any([signal, this.#ended.signal]);
    const post = await this.#insistence.repeat(
      () => this.#parts.api.request(build(), ended),
      ended,
    );
    switch (post.kind) {
      case "answered":
        return { kind: "status", status: post.status };
      case "refused":
        return { kind: "refused", reason: post.reason, detail: detailOf(post) };
      case "aborted":
        return { kind: "aborted" };
    }
  }

  withdraw(requestId: string, reason: ResidentWithdrawReason): void {
    if (this.#ended.signal.aborted || this.#withdrawals.has(requestId)) return;
    // Beyond this, cards are left to their deadlines and to `resume`.
    if (this.#withdrawals.size >= limits.TOMBSTONES_PER_RESIDENT) return;
    const done = this.#bringWithdrawal(requestId, reason)
      // A call that cannot even be made leaves the card to its deadline and to `resume`.
      .catch(() => undefined)
      .finally(() => this.#withdrawals.delete(requestId));
    this.#withdrawals.set(requestId, done);
  }

  acknowledge(requestId: string, applied: boolean): void {
    if (this.#ended.signal.aborted) return;
    this.#acks.set(requestId, applied);
    const oldest = this.#acks.keys().next();
    if (this.#acks.size > limits.RESUME_IDS && oldest.done !== true) {
      this.#acks.delete(oldest.value);
    }
    void this.#sendAck(requestId, applied);
  }

  say(text: string, to?: string): void {
    if (!this.#ended.signal.aborted) this.#speech.say(text, to);
  }

  /** Names of the humans who are in the Room now. */
  get people(): string[] {
    return this.#people.names;
  }

  /** Waits at most `ms` for withdrawals, acknowledgements and words that are under way. */
  async flush(ms: number): Promise<void> {
    // A withdrawal can come to owe an acknowledgement.
    const owed = Promise.allSettled(this.#withdrawals.values()).then(() =>
      Promise.allSettled([...this.#acksUnderWay, this.#speech.idle()]),
    );
    await settledWithin(owed, ms, this.#parts.clock);
  }

  close(): void {
    this.#ended.abort();
    this.#ready.reject(new Error("The connection to the Room was closed"));
    this.#speech.pause();
    this.#socket.close();
  }

  // The socket.

  #welcome(welcome: FrameOf<"welcome">): void {
    this.#people.welcome(welcome);
    for (const message of this.#prompts.welcome(welcome)) this.#parts.talk?.onPrompt(message);
    void this.#resume();
  }

  #sendAck(requestId: string, applied: boolean): Promise<void> {
    const sent = this.#socket
      .send({ type: "decision_ack", requestId, applied })
      .then(
        () => this.#forgetAck(requestId, applied),
        (error: unknown) => {
          // Not sent, or no answer: the next socket gets it. A refusal will not change by repeating.
          if (error instanceof RoomRefusal && error.code !== "rate_limited") {
            this.#forgetAck(requestId, applied);
          }
        },
      )
      .finally(() => this.#acksUnderWay.delete(sent));
    this.#acksUnderWay.add(sent);
    return sent;
  }

  #forgetAck(requestId: string, applied: boolean): void {
    if (this.#acks.get(requestId) === applied) this.#acks.delete(requestId);
  }

  /** What a resident owes each new socket, in this order: withdrawals, acknowledgements, `resume` once. */
  async #resume(): Promise<void> {
    this.#welcomes += 1;
    const welcome = this.#welcomes;
    this.#insistence.hurry();
    const { clock, handlers } = this.#parts;
    if (this.#withdrawals.size > 0) {
      const owed = Promise.allSettled(this.#withdrawals.values());
      await settledWithin(owed, WITHDRAW_BEFORE_RESUME_MS, clock);
      if (welcome !== this.#welcomes || this.#ended.signal.aborted) return;
    }
    const answered = [...this.#acks].map(([requestId, applied]) => ({ requestId, applied }));
    for (const { requestId, applied } of answered) void this.#sendAck(requestId, applied);
    const parked = handlers.parked().slice(-limits.RESUME_IDS);
    // Where it does not get through, this socket is over and the next welcome brings it again.
    this.#socket.send({ type: "resume", parked, answered }).catch(() => undefined);
    this.#speech.open();
    this.#ready.resolve();
  }

  #take(frame: RoomFrame): void {
    const { handlers, talk } = this.#parts;
    switch (frame.type) {
      case "decision":
        handlers.onDecision(frame);
        break;
      case "card_extended":
        handlers.onExtended(frame);
        break;
      case "participant_changed":
        this.#people.change(frame);
        break;
      case "message_posted":
        for (const message of this.#prompts.take([frame.message])) talk?.onPrompt(message);
        break;
      default:
        break;
    }
  }

  #noteState(state: ConnectionState): void {
    if (state.state !== "open") this.#speech.pause();
    if (state.state === "waiting") this.#insistence.noteUnreachable(undefined);
    else if (state.state === "closed" && state.code !== undefined) this.#noteClose(state.code);
  }

  #noteClose(code: number): void {
    if (this.#ended.signal.aborted) return;
    const reason = reasonOfClose(code);
    // Every other reason says by itself what happened.
    if (reason === "room_unreachable") {
      const text = `Room unreachable (close code ${code}): its server does not take this version of the command.`;
      this.#parts.emit({ type: "diagnostic", reason, text });
    }
    this.#lose(reason);
  }

  // HTTP.

  async #bringWithdrawal(requestId: string, reason: ResidentWithdrawReason): Promise<void> {
    const { api } = this.#parts;
    const end = await this.#insistence.repeat(
      () => api.withdraw(requestId, reason),
      this.#ended.signal,
    );
    if (end.kind !== "refused") return;
    const { code, detail } = end.refusal;
    if (code === "already_settled" && detail.settlement?.state !== "withdrawn") {
      this.acknowledge(requestId, false);
    }
  }

  /** The Room is gone for this resident: nothing is owed to it any more. */
  #lose(reason: EndReason): void {
    if (this.#ended.signal.aborted) return;
    this.#ready.reject(new Error(`The Room did not take this resident (${reason})`));
    this.close();
    this.#parts.emit({ type: "room_lost", reason });
    this.#parts.handlers.onLost(reason);
  }
}

/**
 * The code, and the first place that it names: never what stands there, nor the other side's own words. For a code that no reason
 * is made of, the status too.
 */
function detailOf({ reason, refusal }: Extract<Insisted, { kind: "refused" }>): string {
  const { code, status, detail } = refusal;
  const place = detail.issues?.[0]?.path.slice(0, 3).join(".") ?? "";
  const text = (place === "" ? code : `${code} (${place})`).replace(/\s+/g, " ").slice(0, 100);
  return reason === "room_unreachable" ? `${text}, HTTP ${status}` : text;
}
