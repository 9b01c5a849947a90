import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { command, PageBench, type RoomScene, STD } from "../support/page-bench.ts";
import { between, type Line } from "../support/page-line.ts";

let bench: PageBench;
let scene: RoomScene;

beforeAll(async () => {
  bench = await PageBench.start();
});
afterAll(() => bench.end());
beforeEach(async () => {
  scene = await bench.openRoom();
});
// What a page logs as an error fails its test: violations of its CSP are among that.
afterEach(() => bench.clearAfterPeace());

/** Nothing among them refuses; the id of one is the page's own word for its Refuse. */
const ALLOWING = [
  { optionId: "own refusal", name: "Allow", kind: "allow_once" },
  { optionId: "session", name: "Allow for this session", kind: "allow_always" },
  { optionId: "odd", name: "No way", kind: "decline" },
];
const OWN = "Refuse (cancels the request)";

describe("where the agent offered no way to refuse", () => {
  it("the page adds its own, apart, with its consequence, and live at once", async () => {
    const tab = await scene.openPage("Ana", {}, (page) => page.clock.install());
    await tab.page.clock.pauseAt(Date.now() + 60_000);
    const id = await scene.ask(command("ls"), ALLOWING);
    const own = tab.refusal(id);
    await own.waitFor();
    expect(await tab.card(id).locator(".options [data-dismiss]").count()).toBe(0);
    expect(await tab.card(id).locator(".own-note").innerText()).toBe(
      "claude offered no way to refuse. This one is the page’s own; some agents end the whole turn on it.",
    );
    expect(await own.innerText()).toContain("not one of the agent’s options");
    const described = await own.getAttribute("aria-describedby");
    expect(await tab.page.locator(`[id="${described}"]`).innerText()).toContain("whole turn");
    // The clock stands still: not one of the 500 ms has gone by.
    expect(await tab.option(id, "session").getAttribute("aria-disabled")).toBe("true");
    expect(await own.getAttribute("aria-disabled")).toBe("false");
    await own.click();
    const { outcome, settlement } = await scene.claude.next("decision");
    expect(outcome).toEqual({ outcome: "cancelled" });
    expect(settlement).toMatchObject({ state: "dismissed", by: { name: "Ana", role: "human" } });
    await tab.card(id).getByText("Dismissed by you").waitFor();
    expect(tab.dismissed).toEqual([id]);
    expect(tab.decided).toEqual([]);
  });

  it("everybody reads who dismissed it, and nobody that it was denied", async () => {
    const ana = await scene.openPage("Ana");
    const ben = await scene.openPage("Ben");
    const id = await scene.ask(command("ls"), ALLOWING);
    await ben.card(id).waitFor();
    await ana.refusal(id).click();
    await ben.card(id).or(ben.settled(id)).getByText("Dismissed by Ana").waitFor();
    expect(await ben.page.locator("body").innerText()).not.toMatch(/denied/i);
    await ben.settled(id).locator("summary").click();
    await ben.settled(id).getByText("None of the offered options was chosen.").waitFor();
    expect(await ben.settled(id).locator(".own").count()).toBe(0);
  });

  it.each([
    ["reject_once", "no-2"],
    ["reject_always", "never"],
  ])("and only there: not beside an option that is %s", async (kind, optionId) => {
    const tab = await scene.openPage("Ana");
    const options = [...ALLOWING, { optionId, name: "Whatever", kind }];
    const id = await scene.ask(command("ls"), options);
    await tab.ready(id, optionId);
    expect(await tab.page.getByText(OWN).count()).toBe(0);
  });

  it("a digit never presses it, and Escape is no refusal", async () => {
    const tab = await scene.openPage("Ana");
    const id = await scene.ask(command("ls"), ALLOWING);
    await tab.ready(id, "session");
    await tab.card(id).focus();
    await tab.page.keyboard.press("4");
    await tab.page.keyboard.press("Escape");
    // A frame that had left would be answered before this one.
    await tab.page.getByLabel("Message", { exact: true }).fill("looking");
    await tab.page.keyboard.press("Enter");
    await tab.page.locator(".msg").getByText("looking").waitFor();
    expect(tab.dismissed).toEqual([]);
    expect((await scene.claude.api.status(id)).state).toBe("pending");
  });

  it("claims nothing before the Room has said it, and answers a late press in its place", async () => {
    let line: Line | undefined;
    const ana = await scene.openPage("Ana", {}, async (page) => {
      line = await between(page, { holds: ["dismiss"] });
    });
    const ben = await scene.joinHuman("Ben");
    const id = await scene.ask(command("ls"), ALLOWING);
    await ana.refusal(id).click();
    await ana.card(id).locator(".own .opt.is-sending").getByText("sending").waitFor();
    expect(await ana.card(id).innerText()).not.toMatch(/dismissed|refused|denied/i);
    await ben.send({ type: "decide", requestId: id, optionId: "session" });
    const lost = ana.card(id).locator(".own .opt.is-lost");
    await lost.waitFor();
    expect(await lost.innerText()).toMatch(
      /Ben chose “Allow for this session” (a moment|\d+ s) earlier; your click was not used\./,
    );
    line?.release();
    await ana.card(id).getByText("Decided by Ben: “Allow for this session”").waitFor();
  });

  it("is not known while the line is cut, and says then that it did not arrive", async () => {
    let line: Line | undefined;
    const tab = await scene.openPage("Ana", {}, async (page) => {
      await page.clock.install();
      line = await between(page, { holds: ["dismiss"] });
    });
    const id = await scene.ask(command("ls"), ALLOWING);
    await tab.refusal(id).click();
    await expect.poll(() => line?.held.length).toBe(1);
    await tab.page.clock.pauseAt(Date.now() + 60_000);
    line?.cut();
    await tab.card(id).locator(".own").getByText("not known yet").first().waitFor();
    await tab.refusal(id).click({ force: true });
    expect(line?.held.splice(0)).toHaveLength(1);
    await tab.page.clock.resume();
    const own = tab.card(id).locator(".own");
    await own.getByText("Your press did not reach the Room.").waitFor();
    await tab.refusal(id).click();
    await expect.poll(() => line?.held.length).toBe(1);
    line?.release();
    await tab.card(id).getByText("Dismissed by you").waitFor();
  });

  it("sends nothing without a connection, and says so", async () => {
    let line: Line | undefined;
    const tab = await scene.openPage("Ana", {}, async (page) => {
      await page.clock.install();
      line = await between(page, { holds: [] });
    });
    const id = await scene.ask(command("ls"), ALLOWING);
    await tab.refusal(id).waitFor();
    await tab.page.clock.pauseAt(Date.now() + 60_000);
    line?.cut();
    await tab.refusal(id).getByText("not connected").waitFor();
    await tab.refusal(id).click({ force: true });
    await tab.refusal(id).getByText("Not sent: this page had no connection.").waitFor();
    expect(tab.dismissed).toEqual([]);
  });
});

describe("more time", () => {
  const more = (tab: Awaited<ReturnType<RoomScene["openPage"]>>, id: string) =>
    tab.card(id).getByRole("button", { name: "More time" });

  it("is given by the Room alone, up to the longest wait, which is said in words", async () => {
    let line: Line | undefined;
    const tab = await scene.openPage("Ana", {}, async (page) => {
      line = await between(page, { holds: ["extend"] });
    });
    const times = { expiresInMs: 300_000, maxExpiresInMs: 500_000 };
    const id = await scene.ask(command("ls"), STD, times);
    await tab.ready(id, "allow-1");
    const left = tab.card(id).locator(".card-time .left");
    await more(tab, id).click();
    await tab.card(id).getByText("More time · sending").waitFor();
    expect(await left.innerText()).toMatch(/[45]:\d\d/);
    line?.release();
    await left.getByText(/8:[012]\d|8:1\d/).waitFor();
    await tab.card(id).getByText("longest wait reached").waitFor();
    expect(await more(tab, id).count()).toBe(0);
    expect((await scene.claude.api.status(id)).expiresAt).toBe(
      (await scene.claude.next("card_extended")).expiresAt,
    );
    // The card has not moved: what was live stays live.
    await tab.ready(id, "allow-1");
  });

  it("is not offered where the resident allows none", async () => {
    const tab = await scene.openPage("Ana");
    const id = await scene.ask(command("ls"));
    await tab.ready(id, "allow-1");
    expect(await more(tab, id).count()).toBe(0);
    expect(await tab.card(id).getByText("longest wait").count()).toBe(0);
  });

  it("is given once where two ask at once from the same deadline", async () => {
    const lines: Line[] = [];
    const open = (name: string) =>
      scene.openPage(name, {}, async (page) => {
        lines.push(await between(page, { holds: ["extend"] }));
      });
    const ana = await open("Ana");
    const ben = await open("Ben");
    const times = { expiresInMs: 60_000, maxExpiresInMs: 600_000 };
    const id = await scene.ask(command("ls"), STD, times);
    const { expiresAt } = await scene.claude.api.status(id);
    await more(ana, id).click();
    await more(ben, id).click();
    await expect.poll(() => lines.map(({ held }) => held.length)).toEqual([1, 1]);
    for (const line of lines) line.release();
    for (const tab of [ana, ben]) {
      await tab
        .card(id)
        .locator(".left")
        .getByText(/1:[45]\d/)
        .waitFor();
      await more(tab, id).and(tab.page.locator("[aria-disabled=false]")).waitFor();
      expect(await tab.card(id).locator(".card-line").count()).toBe(0);
    }
    expect((await scene.claude.api.status(id)).expiresAt).toBe(expiresAt + 60_000);
  });

  it("keeps keyboard focus in the card once there is no more to be had", async () => {
    const tab = await scene.openPage("Ana");
    const times = { expiresInMs: 300_000, maxExpiresInMs: 400_000 };
    const id = await scene.ask(command("ls"), STD, times);
    await more(tab, id).focus();
    await tab.page.keyboard.press("Enter");
    await tab.card(id).getByText("longest wait reached").waitFor();
    expect(await tab.page.locator(":focus").getAttribute("data-card")).toBe(id);
  });

  it.each([
    ["not_extendable", "The Room gives this request no more time."],
    ["rate_limited", "No more time yet: too much at once."],
  ])("says in its place that the Room refused: %s", async (code, words) => {
    let line: Line | undefined;
    const tab = await scene.openPage("Ana", {}, async (page) => {
      line = await between(page, { holds: ["extend"] });
    });
    const times = { expiresInMs: 300_000, maxExpiresInMs: 900_000 };
    const id = await scene.ask(command("ls"), STD, times);
    await more(tab, id).click();
    await expect.poll(() => line?.held.length).toBe(1);
    const { ref } = JSON.parse(line?.held[0] ?? "{}") as { ref: string };
    line?.tell({ type: "rejected", ref, requestId: id, error: { code, message: "no" } });
    await tab.card(id).locator(".card-line").getByText(words).waitFor();
    expect(await tab.card(id).locator(".left").innerText()).toMatch(/[45]:\d\d/);
  });

  it("shows how the card ended where it had ended already", async () => {
    let line: Line | undefined;
    const tab = await scene.openPage("Ana", {}, async (page) => {
      line = await between(page, { holds: ["extend"], loses: ["card_settled"] });
    });
    const ben = await scene.joinHuman("Ben");
    const times = { expiresInMs: 300_000, maxExpiresInMs: 900_000 };
    const id = await scene.ask(command("ls"), STD, times);
    await more(tab, id).click();
    await expect.poll(() => line?.held.length).toBe(1);
    await ben.send({ type: "decide", requestId: id, optionId: "no-2" });
    line?.release();
    await tab.card(id).getByText("Decided by Ben: “Reject”").waitFor();
  });

  it("brings options back that had gone at zero, by the Room's frame alone, inert at first", async () => {
    let line: Line | undefined;
    const tab = await scene.openPage("Ana", {}, async (page) => {
      await page.clock.install();
      line = await between(page, { holds: [] });
    });
    const times = { expiresInMs: 60_000, maxExpiresInMs: 900_000 };
    const id = await scene.ask(command("ls"), STD, times);
    const { expiresAt, serverTime } = await scene.claude.api.status(id);
    await tab.ready(id, "allow-1");
    await tab.page.clock.pauseAt(Date.now() + 120_000);
    await tab.card(id).getByText("The time is up.").waitFor();
    expect(await tab.card(id).locator("[data-option]").count()).toBe(0);
    expect(await more(tab, id).count()).toBe(0);
    const later = expiresAt + 600_000;
    line?.tell({
      type: "card_extended",
      requestId: id,
      expiresAt: later,
      serverTime: serverTime + 120_000,
    });
    await tab.option(id, "allow-1").waitFor();
    expect(await tab.option(id, "allow-1").getAttribute("aria-disabled")).toBe("true");
    await tab.runUntilReady(id, "allow-1");
  });
});
