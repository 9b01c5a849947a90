import type {
  Decider,
  FrameOf,
  Outcome,
  PermissionOption,
  PermissionRequest,
  RequestStatus,
  ResidentWithdrawReason,
  Settlement,
} from "../../src/protocol/index.ts";
import type { PostResult, RoomHandlers, RoomTalk } from "../../src/resident/room-port.ts";
import type { ResidentRoom } from "../../src/resident/resident.ts";
import { Inbox } from "./inbox.ts";

export const ANA: Decider = { participantId: "p-ana", name: "Ana", role: "human" };
/** The options of the field reports. */
export const STD: PermissionOption[] = [
  { optionId: "allow-1", name: "Allow once", kind: "allow_once" },
  { optionId: "always-9", name: "Always allow", kind: "allow_always" },
  { optionId: "no-2", name: "Reject", kind: "reject_once" },
];

/** One request as it reached the fake Room. */
export interface Post {
  body: PermissionRequest;
  build: () => PermissionRequest;
  signal: AbortSignal;
  answer(result: PostResult): void;
}

/** A Room that a test plays: it opens every card by itself unless told to keep quiet. */
export class FakeRoom implements ResidentRoom {
  readonly ready = Promise.resolve();
  readonly posts = new Inbox<Post>();
  readonly withdrawn: [requestId: string, reason: ResidentWithdrawReason][] = [];
  readonly acks: [requestId: string, applied: boolean][] = [];
  readonly acked = new Inbox<[requestId: string, applied: boolean]>();
  readonly withdrawals = new Inbox<[requestId: string, reason: ResidentWithdrawReason]>();
  readonly said: string[] = [];
  readonly saying = new Inbox<string>();
  opensCards = true;
  handlers: RoomHandlers | undefined;
  talk: RoomTalk | undefined;
  isClosed = false;

  request(build: () => PermissionRequest, signal: AbortSignal): Promise<PostResult> {
    const { promise, resolve } = Promise.withResolvers<PostResult>();
    const body = build();
    this.posts.put({ body, build, signal, answer: resolve });
    if (this.opensCards) resolve({ kind: "status", status: pendingStatus(body) });
    signal.addEventListener("abort", () => resolve({ kind: "aborted" }));
    return promise;
  }

  withdraw(requestId: string, reason: ResidentWithdrawReason): void {
    this.withdrawn.push([requestId, reason]);
    this.withdrawals.put([requestId, reason]);
  }

  acknowledge(requestId: string, applied: boolean): void {
    this.acks.push([requestId, applied]);
    this.acked.put([requestId, applied]);
  }

  say(text: string): void {
    this.said.push(text);
    this.saying.put(text);
  }

  async flush(): Promise<void> {}

  close(): void {
    this.isClosed = true;
  }

  /** Sends the decision of one option to the resident. */
  decide({ body }: Post, optionId: string): void {
    this.handlers?.onDecision(decisionOf(body, optionId));
  }

  expire({ body }: Post): void {
    this.handlers?.onDecision(settledFrame(body.requestId, { state: "expired", at: 1 }));
  }
}

export function pendingStatus(body: PermissionRequest): RequestStatus {
  return {
    requestId: body.requestId,
    state: "pending",
    openedAt: 0,
    expiresAt: body.expiresInMs ?? 300_000,
    serverTime: 0,
    humansPresent: 1,
    delivery: { state: "none", at: 0 },
  };
}

/** How a request stands once it is settled. */
export function settledStatus(
  requestId: string,
  settlement: Settlement,
  outcome?: Outcome,
): RequestStatus {
  const { serverTime, delivery, ...frame } = settledFrame(requestId, settlement, outcome);
  return {
    requestId,
    state: settlement.state,
    openedAt: 0,
    expiresAt: 1,
    serverTime,
    humansPresent: 1,
    outcome: frame.outcome,
    settlement,
    delivery,
  };
}

export function decisionOf(
  { requestId, options }: Pick<PermissionRequest, "requestId" | "options">,
  optionId: string,
): FrameOf<"decision"> {
  const option = options.find((option) => option.optionId === optionId) ?? {
    optionId,
    name: "made up",
  };
  const settlement: Settlement = { state: "decided", at: 1, by: ANA, option };
  return settledFrame(requestId, settlement, { outcome: "selected", optionId });
}

export function settledFrame(
  requestId: string,
  settlement: Settlement,
  outcome: Outcome = { outcome: "cancelled" },
): FrameOf<"decision"> {
  const delivery = { state: "sent", at: 1 } as const;
  return { type: "decision", requestId, outcome, settlement, delivery, serverTime: 1 };
}
