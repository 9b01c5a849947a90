import { describe, expect, it } from "vitest";
import { soundsLikeAnAnswer, stillWaiting } from "../../src/page/model/talk.ts";
import { NO_ROOM, type RoomState } from "../../src/page/model/state.ts";
import type { Message } from "../../src/protocol/index.ts";
import { makeCard } from "./make-card.ts";

const ANA = { participantId: "p-ana", name: "Ana", role: "human" } as const;
const BEN = { participantId: "p-ben", name: "Ben", role: "human" } as const;

describe("a message that sounds like an answer", () => {
  it.each([
    "yes",
    "Yes!",
    "  ok, go",
    "allow",
    "Approved.",
    "👍",
    "+1",
    "no",
    "Don’t",
    "stop it",
    "ja",
  ])("is %j", (text) => expect(soundsLikeAnAnswer(text)).toBe(true));
  it.each([
    "",
    "yesterday it worked",
    "Nothing yet",
    "I would allow it",
    "goat",
    "okapi",
    "not sure",
  ])("is not %j", (text) => expect(soundsLikeAnAnswer(text)).toBe(false));
});

describe("the note under it", () => {
  const card = (requestId: string, openedAt: number) => ({
    card: makeCard({ requestId, openedAt }),
    standing: "known" as const,
  });
  const state: RoomState = {
    ...NO_ROOM,
    you: ANA,
    open: [card("a", 1), card("b", 2), card("c", 9)],
  };
  const say = (from: Message["from"], text: string): Message => ({
    messageId: "m",
    from,
    text,
    at: 5,
  });

  it("counts the cards that waited then and wait still", () => {
    expect(stillWaiting(state, say(ANA, "yes"))).toBe(2);
    const settled = makeCard({ state: "expired", settlement: { state: "expired", at: 6 } });
    const open = [{ card: settled, standing: "known" as const }, card("b", 2)];
    expect(stillWaiting({ ...state, open }, say(ANA, "yes"))).toBe(1);
  });

  it("stands under nobody else's, and under nothing else", () => {
    expect(stillWaiting(state, say(BEN, "yes"))).toBe(0);
    expect(stillWaiting(state, say(ANA, "reading it now"))).toBe(0);
    expect(stillWaiting({ ...state, open: [] }, say(ANA, "yes"))).toBe(0);
  });
});
