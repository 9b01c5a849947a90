import type {
  FrameOf,
  Message,
  PermissionRequest,
  RequestStatus,
  ResidentWithdrawReason,
} from "../protocol/index.ts";
import type { EndReason } from "./reasons.ts";

/** How a permission request to the Room ended. */
export type PostResult =
  | { kind: "status"; status: RequestStatus }
  /** The Room will not have it; repeating it is no use. */
  | { kind: "refused"; reason: EndReason; detail: string }
  /** `signal` was aborted. */
  | { kind: "aborted" };

/** What the permission bridge needs of a Room. */
export interface RoomPort {
  /**
   * Brings a request to the Room, over network faults, until it answers or `signal` aborts. The body is built anew for every
   * attempt: the time that people have to answer runs from when the agent asked.
   */
  request(build: () => PermissionRequest, signal: AbortSignal): Promise<PostResult>;
  /** Sees to it that the Room learns of it, also later. An answer that the card was settled otherwise is acknowledged as false. */
  withdraw(requestId: string, reason: ResidentWithdrawReason): void;
  /** Sees to it that the Room learns of it, also later. */
  acknowledge(requestId: string, applied: boolean): void;
  /** Says a line in the Room, also later; `to` is the participant whose attention it wants. */
  say(text: string, to?: string): void;
}

/** Who else is in the Room, and what people say to this resident. */
export interface RoomTalk {
  /** Something that a human addressed to this resident. Talk is never consent. */
  onPrompt(message: Message): void;
}

/** What a Room needs of the permission bridge. */
export interface RoomHandlers {
  /** Every id that this process still holds. */
  parked(): string[];
  onDecision(decision: FrameOf<"decision">): void;
  onExtended(extended: FrameOf<"card_extended">): void;
  /** Nothing can come from this Room any more. */
  onLost(reason: EndReason): void;
}

/** A port to a Room that is joined later, for a bridge that must be there before it. No ask comes before then. */
export function portTo(
  joined: () => RoomPort | undefined,
): Pick<RoomPort, "request" | "withdraw" | "acknowledge"> {
  const room = (): RoomPort => {
    const port = joined();
    if (port === undefined) throw new Error("No Room was joined yet");
    return port;
  };
  return {
    request: (build, signal) => room().request(build, signal),
    withdraw: (requestId, reason) => room().withdraw(requestId, reason),
    acknowledge: (requestId, applied) => room().acknowledge(requestId, applied),
  };
}
