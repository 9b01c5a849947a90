import type { WebSocketRoute } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { command, PageBench, type RoomScene, type RoomTab, STD } from "../support/page-bench.ts";
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
afterEach(() => bench.clear());

/** A page whose connection can be cut, and its reconnecting held back for as long as its clock stands still. */
async function openOnLine(loses: readonly string[] = []): Promise<{ tab: RoomTab; line: Line }> {
  let line: Line | undefined;
  const tab = await scene.openPage("Ana", {}, async (page) => {
    await page.clock.install();
    line = await between(page, { holds: [], loses });
  });
  if (line === undefined) throw new Error("no line");
  return { tab, line };
}

/** Its clock stands still at this machine's time: no deadline passes. */
async function goOffline({ page }: RoomTab, line: Line): Promise<void> {
  await page.clock.pauseAt(Date.now() + 1_000);
  line.cut();
  await page.getByText("Nothing you press is sent.").waitFor();
}

function readFrame(message: string | Buffer): { type?: string } {
  const text = String(message);
  return text.startsWith("{") ? JSON.parse(text) : {};
}

describe("a page that was away", () => {
  it("learns that a press whose answer it never got had counted", async () => {
    const { tab, line } = await openOnLine(["accepted", "card_settled"]);
    const id = await scene.ask(command("ls"));
    await (await tab.ready(id, "allow-1")).click();
    expect((await scene.claude.next("decision")).requestId).toBe(id);
    await tab.card(id).getByText("sending").first().waitFor();
    expect(await tab.card(id).innerText()).not.toMatch(/you chose|decided/i);
    await goOffline(tab, line);
    await tab.card(id).getByText("not known yet").first().waitFor();
    await tab.page.clock.resume();
    await tab.card(id).or(tab.settled(id)).getByText("You chose “Allow once”").first().waitFor();
    expect(tab.decided).toEqual([{ requestId: id, optionId: "allow-1" }]);
    expect(await tab.page.getByText("not known yet").count()).toBe(0);
  });

  it("learns that another had decided", async () => {
    const { tab, line } = await openOnLine();
    const ben = await scene.joinHuman("Ben");
    const id = await scene.ask(command("ls"));
    await tab.ready(id, "allow-1");
    await goOffline(tab, line);
    await ben.send({ type: "decide", requestId: id, optionId: "no-2" });
    await tab.option(id, "allow-1").click({ force: true });
    await tab.card(id).getByText("Not sent: this page had no connection.").waitFor();
    await tab.page.clock.resume();
    const end = tab.card(id).or(tab.settled(id));
    await end.getByText("Decided by Ben: “Reject”").first().waitFor();
    expect(tab.decided).toEqual([]);
  });

  it("shows that a card has expired meanwhile, and claims nothing before", async () => {
    const { tab, line } = await openOnLine();
    const id = await scene.ask(command("ls"), STD, { expiresInMs: 4_000 });
    const lasting = await scene.ask(command("pwd"));
    await tab.ready(lasting, "allow-1");
    await goOffline(tab, line);
    await expect
      .poll(async () => (await scene.claude.api.status(id)).state, { timeout: 10_000 })
      .toBe("expired");
    expect(await tab.card(id).innerText()).not.toMatch(/expired|denied|chose|decided/i);
    await tab.page.clock.resume();
    await tab.card(id).or(tab.settled(id)).getByText("Expired. Nobody answered.").first().waitFor();
    await (await tab.ready(lasting, "allow-1")).click();
    await tab.card(lasting).getByText("You chose “Allow once”").waitFor();
    expect(tab.decided).toEqual([{ requestId: lasting, optionId: "allow-1" }]);
  });

  it("asks the Room for a card that a welcome names nowhere", async () => {
    const sockets: WebSocketRoute[] = [];
    const tab = await scene.openPage("Ana", {}, async (page) => {
      await page.routeWebSocket("**/api/room/socket", (route) => {
        const isFirst = sockets.push(route) === 1;
        route.connectToServer().onMessage((message) => {
          const frame = readFrame(message);
          if (frame.type === "card_settled") return;
          const isEmptied = frame.type === "welcome" && !isFirst;
          route.send(isEmptied ? JSON.stringify({ ...frame, cards: [], recent: [] }) : message);
        });
      });
    });
    const ben = await scene.joinHuman("Ben");
    const ended = await scene.ask(command("ls"));
    const pending = await scene.ask(command("pwd"));
    await tab.ready(pending, "allow-1");
    await ben.send({ type: "decide", requestId: ended, optionId: "no-2" });
    const asked = tab.page.waitForRequest(`**/permissions/${pending}`);
    await sockets[0]?.close({ code: 1012 });
    await asked;
    const end = tab.card(ended).or(tab.settled(ended));
    await end.getByText("Decided by Ben: “Reject”").first().waitFor();
    await (await tab.ready(pending, "allow-1")).click();
    const { outcome } = await scene.claude.next("decision", (it) => it.requestId === pending);
    expect(outcome).toEqual({ outcome: "selected", optionId: "allow-1" });
  });

  it("says that the Room was closed meanwhile", async () => {
    const { tab, line } = await openOnLine();
    const ben = await scene.joinHuman("Ben");
    const id = await scene.ask(command("ls"));
    await tab.ready(id, "allow-1");
    await goOffline(tab, line);
    await ben.api.close();
    await tab.page.clock.resume();
    await tab.page.getByText("This Room has ended").first().waitFor();
    expect(await tab.page.locator("button[data-option]").count()).toBe(0);
    expect(tab.decided).toEqual([]);
  });

  it("says that its key no longer works", async () => {
    const { tab, line } = await openOnLine();
    const ben = await scene.joinHuman("Ben");
    const id = await scene.ask(command("ls"));
    await tab.ready(id, "allow-1");
    const { participants } = await ben.api.room();
    const ana = participants.find(({ name }) => name === "Ana");
    await goOffline(tab, line);
    await ben.api.remove(ana?.participantId ?? "");
    await tab.page.clock.resume();
    await tab.page.getByRole("heading", { name: "You are no longer in this Room" }).waitFor();
    expect(await tab.page.locator("button[data-option]").count()).toBe(0);
    expect((await ben.api.status(id)).state).toBe("pending");
  });
});
