import { describe, expect, it } from "vitest";
import { reduce, type RoomEvent } from "../../src/page/model/reduce.ts";
import {
  canExtend,
  extendability,
  findEntry,
  isNameShared,
  NO_ROOM,
  waitingCount,
} from "../../src/page/model/state.ts";
import type { RoomState } from "../../src/page/model/state.ts";
import type { Card, FrameOf, Message, RoomFrame, Settlement } from "../../src/protocol/index.ts";
import { makeCard, OPTIONS } from "./make-card.ts";

const ANA = { participantId: "p-ana", name: "Ana", role: "human" } as const;
const BEN = { participantId: "p-ben", name: "Ben", role: "human" } as const;
const [ALLOW, REJECT] = OPTIONS as [(typeof OPTIONS)[0], (typeof OPTIONS)[0]];

function decided(by: typeof ANA | typeof BEN, option = ALLOW, at = 5_000): Settlement {
  return { state: "decided", at, by, option };
}

function welcome(changes: Partial<FrameOf<"welcome">> = {}): RoomFrame {
  return {
    type: "welcome",
    protocol: 1,
    serverTime: 2_000,
    you: ANA,
    room: { roomId: "r", name: "Release" },
    participants: [{ ...ANA, present: true }],
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
    ...changes,
  };
}

function opened(card: Card): RoomFrame {
  return { type: "card_opened", card, serverTime: 2_000 };
}

function cardSettled(settlement: Settlement, requestId = "request-1"): RoomFrame {
  return {
    type: "card_settled",
    requestId,
    settlement,
    outcome: { outcome: "cancelled" },
    delivery: { state: "waiting", at: settlement.at },
    serverTime: settlement.at,
  };
}

function after(...events: (RoomFrame | RoomEvent)[]): RoomState {
  return events.reduce<RoomState>((state, event) => {
    const isEvent = EVENTS.has(event.type);
    return reduce(
      state,
      isEvent ? (event as RoomEvent) : { type: "frame", frame: event as RoomFrame, now: 1_000_000 },
    );
  }, NO_ROOM);
}

const EVENTS = new Set<string>([
  "connection",
  "pressed",
  "status",
  "gone",
  "refused",
  "not_sent",
  "answer_unknown",
  "extension",
  "departed",
  "fetched",
  "released",
] satisfies RoomEvent["type"][]);

const open = { type: "connection", connection: { state: "open" } } as const;
const cut = { type: "connection", connection: { state: "waiting", retryAt: 0 } } as const;
const press = (optionId: string | null): RoomEvent => ({
  type: "pressed",
  requestId: "request-1",
  optionId,
  now: 1_005_000,
});
const entry = (state: RoomState, id = "request-1") => findEntry(state, id);
const ids = (state: RoomState) => state.open.map(({ card }) => card.requestId);

describe("welcome", () => {
  it("shows pending cards in the Room's order and the settled ones, and reads the Room's clock", () => {
    const recent = makeCard({ requestId: "old-1", state: "decided", settlement: decided(BEN) });
    const cards = [makeCard({ requestId: "a" }), makeCard({ requestId: "b" })];
    const state = after(welcome({ cards, recent: [recent] }), open);
    expect(ids(state)).toEqual(["a", "b"]);
    expect(state.settled.map(({ card }) => card.requestId)).toEqual(["old-1"]);
    expect(state.clockOffset).toBe(2_000 - 1_000_000);
    expect(state).toMatchObject({ live: true, you: ANA });
    expect(state.announcements).toEqual([]);
  });

  it("keeps every card in its place and adds new ones below", () => {
    const [a, b, c] = ["a", "b", "c"].map((requestId) => makeCard({ requestId })) as [
      Card,
      Card,
      Card,
    ];
    const settledA = { ...a, state: "decided", settlement: decided(BEN) } as const;
    const state = after(welcome({ cards: [a, b] }), welcome({ cards: [c, b], recent: [settledA] }));
    expect(ids(state)).toEqual(["a", "b", "c"]);
    expect(entry(state, "a")?.card.state).toBe("decided");
    expect(state.settled).toEqual([]);
    expect(state.announcements.map(({ requestId }) => requestId)).toEqual(["c"]);
  });

  it("leaves a card that it names nowhere to be asked for", () => {
    const gone = after(welcome({ cards: [makeCard()] }), welcome());
    expect(entry(gone)?.standing).toBe("checking");
    expect(waitingCount(gone)).toBe(1);
    const answered = reduce(gone, { type: "gone", requestId: "request-1" });
    expect(entry(answered)?.standing).toBe("gone");
    expect(waitingCount(answered)).toBe(0);
    expect(reduce(answered, { type: "released", requestId: "request-1" }).open).toEqual([]);
  });

  it("keeps a tool call that is here whole where it now comes by reference", () => {
    const summary = makeCard({
      toolCall: { toolCallId: "t1" },
      evidence: { inline: false, bytes: 60, sha256: "", cut: ["rawInput"] },
    });
    const state = after(welcome({ cards: [makeCard()] }), welcome({ cards: [summary] }));
    expect(entry(state)?.card).toMatchObject({
      toolCall: makeCard().toolCall,
      evidence: { inline: true },
    });
  });

  it("is not live again before the next one", () => {
    expect(after(welcome(), open, cut).live).toBe(false);
    expect(after(welcome(), open, cut, open).live).toBe(false);
    expect(after(welcome(), open, cut, welcome(), open).live).toBe(true);
  });
});

describe("frames", () => {
  it("adds a card once, whatever is repeated", () => {
    const state = after(welcome(), opened(makeCard()), opened(makeCard()));
    expect(ids(state)).toEqual(["request-1"]);
    expect(state.announcements).toMatchObject([{ about: "opened", requestId: "request-1" }]);
  });

  it("tells of every card that a page missed while it was away", () => {
    const cards = Array.from({ length: 20 }, (_, n) => makeCard({ requestId: `r${n}` }));
    const { announcements } = after(welcome(), cut, welcome({ cards }));
    expect(announcements.map(({ requestId }) => requestId)).toEqual(
      cards.map(({ requestId }) => requestId),
    );
  });

  it("settles a card in its place, and moves it once it is left", () => {
    const cards = [makeCard(), makeCard({ requestId: "b" })];
    const settled = after(welcome({ cards }), cardSettled(decided(BEN)));
    expect(ids(settled)).toEqual(["request-1", "b"]);
    expect(settled.announcements).toMatchObject([{ about: "settled" }]);
    const left = reduce(settled, { type: "released", requestId: "request-1" });
    expect(ids(left)).toEqual(["b"]);
    expect(left.settled.map(({ card }) => card.state)).toEqual(["decided"]);
  });

  it("never moves a card that waits", () => {
    const state = after(welcome({ cards: [makeCard()] }), {
      type: "released",
      requestId: "request-1",
    });
    expect(ids(state)).toEqual(["request-1"]);
  });

  it("lets no second settlement replace the first", () => {
    const state = after(
      welcome({ cards: [makeCard()] }),
      cardSettled(decided(BEN)),
      cardSettled({ state: "expired", at: 9_000 }),
    );
    expect(entry(state)?.card.settlement).toEqual(decided(BEN));
  });

  it("sorts the settled by the time of their settlement, newest first, and keeps 50", () => {
    const cards = Array.from({ length: 52 }, (_, n) => makeCard({ requestId: `card-${n}` }));
    const settlements = cards.map(({ requestId }, n) =>
      cardSettled({ state: "expired", at: n }, requestId),
    );
    const left = cards
      .toReversed()
      .map(({ requestId }) => ({ type: "released", requestId }) as const);
    const state = after(welcome({ cards }), ...settlements, ...left);
    expect(state.settled).toHaveLength(50);
    expect(state.settled[0]?.card.requestId).toBe("card-51");
    expect(state.settled.at(-1)?.card.requestId).toBe("card-2");
  });

  it("takes deadlines, deliveries and participants", () => {
    const state = after(
      welcome({ cards: [makeCard()] }),
      { type: "card_extended", requestId: "request-1", expiresAt: 400_000, serverTime: 3_000 },
      cardSettled(decided(BEN)),
      { type: "card_delivery", requestId: "request-1", delivery: { state: "applied", at: 6_000 } },
      { type: "participant_changed", participant: { ...BEN, present: true } },
    );
    expect(entry(state)?.card).toMatchObject({
      expiresAt: 400_000,
      delivery: { state: "applied", at: 6_000 },
    });
    expect(state.participants).toHaveLength(2);
  });

  it("never takes a delivery back", () => {
    const sent = { state: "sent", at: 5_000 } as const;
    const state = after(
      welcome({ cards: [makeCard()] }),
      cardSettled(decided(BEN)),
      { type: "card_delivery", requestId: "request-1", delivery: { state: "applied", at: 6_000 } },
      { type: "card_delivery", requestId: "request-1", delivery: sent },
    );
    expect(entry(state)?.card.delivery).toEqual({ state: "applied", at: 6_000 });
  });

  it("changes nothing for a card that is not here", () => {
    const state = after(welcome());
    expect(reduce(state, { type: "gone", requestId: "x" })).toBe(state);
    expect(after(welcome(), cardSettled(decided(BEN))).open).toEqual([]);
  });
});

describe("a press", () => {
  const ready = [welcome({ cards: [makeCard()] }), open] as const;

  it("is sending until the Room has taken it", () => {
    const state = after(...ready, press("allow-1"));
    expect(entry(state)?.attempt).toMatchObject({ state: "sending", optionId: "allow-1" });
    expect(entry(state)?.card.state).toBe("pending");
    expect(entry(after(...ready, press("allow-1"), cardSettled(decided(ANA))))).toMatchObject({
      attempt: undefined,
      card: { state: "decided" },
    });
  });

  it("counts once: a second one, and one without a connection, change nothing", () => {
    const state = after(...ready, press("allow-1"));
    expect(reduce(state, press("no-2"))).toBe(state);
    expect(entry(after(...ready, cut, press("allow-1")))?.attempt).toBeUndefined();
  });

  it("is lost where another came first, whether told by frame or by refusal", () => {
    const lost = { state: "lost", optionId: "allow-1" };
    const byFrame = after(...ready, press("allow-1"), cardSettled(decided(BEN, REJECT)));
    expect(entry(byFrame)?.attempt).toMatchObject(lost);
    const error = { code: "already_settled", message: "", settlement: decided(BEN, REJECT) };
    const refused = { type: "refused", requestId: "request-1", error } as const;
    const byRefusal = after(...ready, press("allow-1"), refused);
    expect(entry(byRefusal)).toMatchObject({ attempt: lost, card: { state: "decided" } });
    expect(
      entry(after(...ready, press("allow-1"), cardSettled(decided(ANA, REJECT)))),
    ).toMatchObject({
      attempt: lost,
    });
  });

  it("is not sent, and can be tried again", () => {
    const notSent = { type: "not_sent", requestId: "request-1", optionId: "allow-1" } as const;
    const state = after(...ready, notSent);
    expect(entry(state)?.attempt).toEqual({ state: "not_sent", optionId: "allow-1" });
    expect(entry(reduce(state, press("allow-1")))?.attempt?.state).toBe("sending");
  });

  it("is not known until the next welcome, which tells", () => {
    const unknown = { type: "answer_unknown", requestId: "request-1" } as const;
    const before = [...ready, press("allow-1"), cut, unknown] as const;
    const again = { type: "not_sent", requestId: "request-1", optionId: "no-2" } as const;
    expect(entry(after(...before, again))?.attempt).toMatchObject({
      state: "unknown",
      optionId: "allow-1",
    });
    expect(entry(after(...before))?.attempt?.state).toBe("unknown");
    const still = after(...before, welcome({ cards: [makeCard()] }), open);
    expect(entry(still)?.attempt?.state).toBe("not_arrived");
    const mine = makeCard({ state: "decided", settlement: decided(ANA) });
    const counted = after(...before, welcome({ recent: [mine] }), open);
    expect(entry(counted)).toMatchObject({ attempt: undefined, card: { state: "decided" } });
    const bens = makeCard({ state: "decided", settlement: decided(BEN) });
    expect(entry(after(...before, welcome({ recent: [bens] }), open))?.attempt?.state).toBe("lost");
  });

  it("that the Room refuses for another reason can be tried again", () => {
    const error = { code: "rate_limited", message: "slow down" };
    const state = after(...ready, press("allow-1"), {
      type: "refused",
      requestId: "request-1",
      error,
    });
    expect(entry(state)?.attempt).toMatchObject({ state: "refused", code: "rate_limited" });
    expect(entry(reduce(state, press("no-2")))?.attempt?.state).toBe("sending");
  });
});

describe("a press on the page's own Refuse", () => {
  const ready = [welcome({ cards: [makeCard()] }), open] as const;
  const dismissed = (by: typeof ANA | typeof BEN): Settlement => ({
    state: "dismissed",
    at: 5_000,
    by,
  });

  it("is sending until the Room has taken it, and won where the Room says dismissed by you", () => {
    const state = after(...ready, press(null));
    expect(entry(state)).toMatchObject({
      attempt: { state: "sending", optionId: null },
      card: { state: "pending" },
    });
    const won = after(...ready, press(null), cardSettled(dismissed(ANA)));
    expect(entry(won)).toMatchObject({ attempt: undefined, card: { state: "dismissed" } });
  });

  it("is lost where another came first, an option of your own included", () => {
    const lost = { state: "lost", optionId: null };
    for (const first of [dismissed(BEN), decided(BEN), decided(ANA)]) {
      expect(entry(after(...ready, press(null), cardSettled(first)))?.attempt).toMatchObject(lost);
    }
    const option = after(...ready, press("allow-1"), cardSettled(dismissed(ANA)));
    expect(entry(option)?.attempt).toMatchObject({ state: "lost", optionId: "allow-1" });
  });

  it("is not known until the next welcome, which tells", () => {
    const unknown = { type: "answer_unknown", requestId: "request-1" } as const;
    const before = [...ready, press(null), cut, unknown] as const;
    expect(entry(after(...before))?.attempt).toMatchObject({ state: "unknown", optionId: null });
    const still = after(...before, welcome({ cards: [makeCard()] }), open);
    expect(entry(still)?.attempt).toEqual({ state: "not_arrived", optionId: null });
  });
});

describe("more time", () => {
  const card = makeCard({ maxExpiresAt: 601_000 });
  const ready = [welcome({ cards: [card] }), open] as const;
  const extension = (extension: { state: "sending" | "unknown" } | undefined) =>
    ({ type: "extension", requestId: "request-1", extension }) as const;
  const extended = (expiresAt: number): RoomFrame => ({
    type: "card_extended",
    requestId: "request-1",
    expiresAt,
    serverTime: 3_000,
  });

  it("may be asked for once at a time, up to the resident's maximum", () => {
    expect(canExtend(after(...ready), "request-1")).toBe(true);
    expect(canExtend(after(...ready, extension({ state: "sending" })), "request-1")).toBe(false);
    expect(canExtend(after(...ready, cut), "request-1")).toBe(false);
    expect(canExtend(after(welcome({ cards: [makeCard()] }), open), "request-1")).toBe(false);
    const longest = after(...ready, extended(601_000));
    expect(canExtend(longest, "request-1")).toBe(false);
    expect(longest.open.map(extendability)).toEqual(["used_up"]);
  });

  it("moves no deadline before the Room told it", () => {
    const asked = after(...ready, extension({ state: "sending" }));
    expect(entry(asked)?.card.expiresAt).toBe(301_000);
    const told = after(...ready, extension({ state: "sending" }), extended(400_000));
    expect(entry(told)).toMatchObject({
      card: { expiresAt: 400_000 },
      extension: { state: "sending" },
    });
    expect(entry(reduce(told, extension(undefined)))?.extension).toBeUndefined();
  });

  it("is not known until the next welcome, which tells the deadline", () => {
    const later = { ...card, expiresAt: 500_000 };
    const unknown = after(...ready, extension({ state: "unknown" }), cut);
    expect(entry(unknown)?.extension).toEqual({ state: "unknown" });
    const told = after(...ready, extension({ state: "unknown" }), welcome({ cards: [later] }));
    expect(entry(told)).toMatchObject({ extension: undefined, card: { expiresAt: 500_000 } });
  });

  it("is no more once the card is settled", () => {
    const ended = [extension({ state: "sending" }), cardSettled(decided(BEN))] as const;
    expect(entry(after(...ready, ...ended))?.extension).toBeUndefined();
    expect(entry(after(...ready, ...ended, extension({ state: "unknown" })))?.extension).toBe(
      undefined,
    );
  });
});

describe("talk", () => {
  const message = (n: number): Message => ({ messageId: `m${n}`, from: BEN, text: "yes", at: n });
  const posted = (n: number): RoomFrame => ({ type: "message_posted", message: message(n) });

  it("keeps the newest 50, each once, and touches no card", () => {
    const before = after(welcome({ cards: [makeCard()], messages: [message(0)] }), open);
    const state = after(
      welcome({ cards: [makeCard()], messages: [message(0)] }),
      open,
      ...Array.from({ length: 50 }, (_, n) => posted(n)),
      posted(50),
    );
    expect(state.messages.map(({ at }) => at)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
    expect({ open: state.open, announcements: state.announcements }).toEqual({
      open: before.open,
      announcements: before.announcements,
    });
  });
});

describe("who is in the Room", () => {
  it("forgets who was removed, though the Room then says that it is away", () => {
    const away = { ...BEN, present: false };
    const state = after(
      welcome({ participants: [{ ...BEN, present: true }] }),
      { type: "departed", participantId: BEN.participantId },
      { type: "participant_changed", participant: away },
    );
    expect(state.participants).toEqual([]);
  });
});

describe("names", () => {
  it("are told apart where two are equal, here or in a record", () => {
    const state = after(
      welcome({ participants: [{ ...ANA, present: true }] }),
      opened(makeCard()),
      cardSettled(decided({ ...BEN, name: "Ana" } as unknown as typeof BEN)),
    );
    expect(isNameShared(state, "Ana", "p-ana")).toBe(true);
    expect(isNameShared(state, "claude", "p-claude")).toBe(false);
  });
});
