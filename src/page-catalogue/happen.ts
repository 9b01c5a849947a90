import { limits, type Card, type Delivery, type Settlement } from "../protocol/index.ts";
import type {
  Decider,
  FrameOf,
  Participant,
  PermissionOption,
  RoomFrame,
} from "../protocol/index.ts";
import type { RoomEvent } from "../page/model/reduce.ts";
import { settle, type Choice } from "../page/model/state.ts";
import { BEN, isHere, NOW, RESIDENTS, YOU } from "./people.ts";

const SECOND = 1_000;
/** When whatever is settled was. */
export const SETTLED_AT = NOW - 4 * SECOND;

export function frame(frame: RoomFrame): RoomEvent {
  return { type: "frame", frame, now: NOW };
}

type Welcome = FrameOf<"welcome">;

/** The page comes into a Room with two people and four residents. */
export function enter(cards: Card[], changes: Partial<Welcome> = {}): RoomEvent[] {
  const participants: Participant[] = [isHere(YOU), isHere(BEN), ...RESIDENTS];
  const welcome: Welcome = {
    type: "welcome",
    protocol: 1,
    serverTime: NOW,
    you: YOU,
    room: { roomId: "r-catalogue", name: "Release 4.2" },
    participants,
    cards,
    recent: [],
    messages: [],
    limits: {
      bodyBytes: limits.BODY_BYTES,
      frameBytes: limits.FRAME_BYTES,
      toolCallBytes: limits.TOOL_CALL_BYTES,
      messageBytes: limits.MESSAGE_BYTES,
      expiresInMs: {
        default: limits.EXPIRES_IN_DEFAULT_MS,
        min: limits.EXPIRES_IN_MIN_MS,
        max: limits.EXPIRES_IN_MAX_MS,
      },
      pendingPerResident: limits.PENDING_PER_RESIDENT,
    },
    ...changes,
  };
  return [{ type: "connection", connection: { state: "open" } }, frame(welcome)];
}

export function press(requestId: string, optionId: Choice, earlierMs = SECOND): RoomEvent {
  return { type: "pressed", requestId, optionId, now: NOW - earlierMs };
}

export function cut(): RoomEvent {
  return { type: "connection", connection: { state: "waiting", retryAt: NOW + 4 * SECOND } };
}

/** How a card that is on the page ends. */
export function end(
  requestId: string,
  settlement: Settlement,
  state: Delivery["state"] = "applied",
): RoomEvent {
  return frame({
    type: "card_settled",
    requestId,
    settlement,
    outcome: outcomeOf(settlement),
    delivery: { state, at: SETTLED_AT + SECOND },
    serverTime: NOW,
  });
}

/** A card as it stands in the record. */
export function ended(
  card: Card,
  settlement: Settlement,
  state: Delivery["state"] = "applied",
): Card {
  return settle(card, settlement, { state, at: settlement.at + SECOND });
}

export function decided(option: PermissionOption | undefined, by: Decider = BEN): Settlement {
  if (option === undefined) throw new Error("no such option");
  return { state: "decided", at: SETTLED_AT, by, option };
}

function outcomeOf(settlement: Settlement) {
  return settlement.state === "decided"
    ? ({ outcome: "selected", optionId: settlement.option.optionId } as const)
    : ({ outcome: "cancelled" } as const);
}
