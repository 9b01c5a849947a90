import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { reduce } from "../../src/page/model/reduce.ts";
import { NO_ROOM, waitingCount } from "../../src/page/model/state.ts";
import { between } from "../support/page-line.ts";
import type { RoomFrame } from "../../src/protocol/index.ts";
import { command, PageBench, type RoomScene } from "../support/page-bench.ts";
import { makeCard } from "./make-card.ts";

let bench: PageBench;
let scene: RoomScene;

beforeAll(async () => {
  bench = await PageBench.start();
});
afterAll(() => bench.end());
beforeEach(async () => {
  scene = await bench.openRoom();
});
afterEach(() => bench.clearAfterPeace());

/** As a newer server might send one. */
const strange = { ...makeCard({ requestId: "strange-1" }), options: "ask the agent" };

describe("a card of a shape that this page does not know", () => {
  it("is said to be there, counts as waiting, and hides no other", async () => {
    const tab = await scene.openPage("Ana", {}, async (page) => {
      const line = await between(page, { holds: [] });
      tell = line.tell;
    });
    tell({ type: "card_opened", card: strange, serverTime: Date.now() } as unknown as RoomFrame);
    const notice = tab.page.getByRole("alert").filter({ hasText: "this page cannot show" });
    await notice.getByText("1 request waits that this page cannot show").waitFor();
    expect(await notice.getByRole("button", { name: "Reload the page" }).count()).toBe(1);
    await tab.page.getByRole("button", { name: "1 waiting" }).waitFor();
    expect(await tab.page.getByText("Nobody is asking").count()).toBe(0);
    const id = await scene.ask(command("ls"));
    await (await tab.ready(id, "no-2")).click();
    expect(await scene.claude.next("decision")).toMatchObject({ requestId: id });
    const settlement = { state: "expired", at: 1 } as const;
    const delivery = { state: "none", at: 1 } as const;
    const outcome = { outcome: "cancelled" } as const;
    const requestId = "strange-1";
    tell({ type: "card_settled", requestId, settlement, delivery, outcome, serverTime: 1 });
    await notice.waitFor({ state: "detached" });
  });

  it("is told of once, and anew by each welcome", () => {
    const lost = { type: "unreadable", requestId: "strange-1" } as const;
    const state = reduce(reduce(NO_ROOM, lost), lost);
    expect(waitingCount(state)).toBe(1);
    const frame = {
      type: "welcome",
      protocol: 1,
      serverTime: 1,
      you: { participantId: "p", role: "human", name: "Ana" },
      room: { roomId: "r", name: "Room", createdAt: 0 },
      participants: [],
      cards: [],
      recent: [],
      messages: [],
    } as unknown as RoomFrame;
    expect(waitingCount(reduce(state, { type: "frame", frame, now: 1 }))).toBe(0);
  });
});

let tell: (frame: RoomFrame) => void;
