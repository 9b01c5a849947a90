import { describe, expect, it } from "vitest";
import { readNews, stillWaits } from "../../src/page/background/news.ts";
import { makeWishes, readChange } from "../../src/page/background/wishes.ts";
import { reduce } from "../../src/page/model/reduce.ts";
import { NO_ROOM, type RoomState } from "../../src/page/model/state.ts";
import { makeKeep } from "../../src/page/session/memory.ts";
import { askNotice } from "../../src/page/text/alerts.ts";
import { firstSteps, opensDemo, runsAgent, setupPrompt } from "../../src/page/text/invites.ts";
import { darkRows } from "../../src/page/model/qr-rows.ts";
import { makeCard } from "./make-card.ts";

/** A Room in which these cards have come, one after the other. */
function withCards(...ids: string[]): RoomState {
  const take = (state: RoomState, requestId: string) =>
    reduce(state, {
      type: "frame",
      frame: { type: "card_opened", card: makeCard({ requestId }), serverTime: 0 },
      now: 0,
    });
  return ids.reduce(take, { ...NO_ROOM, live: true });
}

function settled(state: RoomState, requestId: string): RoomState {
  const settlement = { state: "expired", at: 1 } as const;
  const delivery = { state: "none", at: 1 } as const;
  const outcome = { outcome: "cancelled" } as const;
  const frame = { requestId, settlement, delivery, outcome, serverTime: 1 };
  return reduce(state, { type: "frame", frame: { type: "card_settled", ...frame }, now: 1 });
}

describe("what is told of cards", () => {
  it("is each that came, once", () => {
    const state = withCards("card-0001", "card-0002");
    const news = readNews(state, 0);
    expect(news.cards.map((card) => card.requestId)).toEqual(["card-0001", "card-0002"]);
    expect(readNews(state, news.seen)).toEqual({ cards: [], seen: news.seen });
  });

  it("is none that has ended already", () => {
    const state = settled(withCards("card-0001", "card-0002"), "card-0001");
    expect(readNews(state, 0).cards.map((card) => card.requestId)).toEqual(["card-0002"]);
    expect(stillWaits(state, "card-0001")).toBe(false);
    expect(stillWaits(state, "card-0002")).toBe(true);
  });

  it("ends with the Room", () => {
    const connection = { state: "closed", code: 4001 } as const;
    const state = reduce(withCards("card-0001"), { type: "connection", connection });
    expect(stillWaits(state, "card-0001")).toBe(false);
  });
});

describe("a notification", () => {
  it("names who asks, and the kind in the page's own words alone", () => {
    expect(askNotice("claude", "execute")).toEqual({
      title: "claude asks",
      body: "Run a command",
    });
    expect(askNotice("claude", "rm -rf ~").body).toBe("Use a tool");
    expect(askNotice("claude", undefined).body).toBe("Use a tool");
  });
});

describe("how somebody wants to hear of cards", () => {
  const noStorage = () => makeKeep(() => expect.fail("no storage"));

  it("is off, kept once chosen, and heard of by other tabs", () => {
    const keep = noStorage();
    const wishes = makeWishes(keep);
    expect(wishes.state).toEqual({ notification: false, sound: false });
    wishes.dispatch({ sound: true });
    expect(makeWishes(keep).state).toEqual({ notification: false, sound: true });
    expect(readChange("handraise.alert.sound", keep.get("handraise.alert.sound") ?? null)).toEqual({
      sound: true,
    });
    expect(readChange("handraise.token.x", "on")).toEqual({});
    expect(readChange(null, null)).toEqual({});
  });
});

describe("lines to copy", () => {
  const invite = "hr1.ri.room.secret";
  const origin = "https://handraise.example";

  it("hold the invite in the environment, never among a command's arguments", () => {
    for (const line of [runsAgent(invite, origin), opensDemo(invite, origin)]) {
      expect(line).toMatch(/^HANDRAISE_INVITE='[^']+#hr1\.ri\.room\.secret' npx -y [^#]+$/);
    }
    expect(opensDemo(invite, origin)).toContain(`ask "${firstSteps.question}"`);
  });

  it("hold no key where they are for an agent to read", () => {
    expect(setupPrompt(origin)).toContain(`${origin}/agent.md`);
    expect(setupPrompt(origin)).not.toMatch(/hr1|#/);
  });
});

describe("a QR code", () => {
  it("is drawn as one bar for each run of a row", () => {
    expect(darkRows([1, 1, 0, 0, 0, 0, 0, 1, 1], 3)).toBe("M0 0h2v1h-2zM1 2h2v1h-2z");
  });
});
