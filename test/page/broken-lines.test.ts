import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { command, PageBench, type RoomScene } from "../support/page-bench.ts";
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

describe("a click that came too late", () => {
  it("is answered in its place with who was first", async () => {
    let line: Line | undefined;
    const ana = await scene.openPage("Ana", {}, async (page) => {
      line = await between(page);
    });
    const ben = await scene.joinHuman("Ben");
    const id = await scene.ask(command("ls"));
    await (await ana.ready(id, "allow-1")).click();
    await ana.card(id).locator(".opt.is-sending").getByText("sending").waitFor();
    expect(await ana.card(id).innerText()).not.toMatch(/decided|chose|denied/i);
    await ben.send({ type: "decide", requestId: id, optionId: "no-2" });
    const lost = ana.card(id).locator(".opt.is-lost");
    await lost.waitFor();
    expect(await lost.innerText()).toMatch(
      /Ben chose “Reject” (a moment|\d+ s) earlier; your click was not used\./,
    );
    expect(await ana.card(id).locator(".opt.is-chosen").innerText()).toContain("chosen by Ben");
    line?.release();
    await ana.card(id).getByText("Decided by Ben: “Reject”").waitFor();
  });

  it("learns the real end from the refusal where the frame was lost, and sends nothing again", async () => {
    let line: Line | undefined;
    const ana = await scene.openPage("Ana", {}, async (page) => {
      line = await between(page, { loses: ["card_settled"] });
    });
    const ben = await scene.joinHuman("Ben");
    const id = await scene.ask(command("ls"));
    await ana.ready(id, "no-2");
    await ben.send({ type: "decide", requestId: id, optionId: "allow-1" });
    await ana.option(id, "no-2").click();
    expect(line?.held).toHaveLength(1);
    line?.release();
    await ana.card(id).getByText("Decided by Ben: “Allow once”").waitFor();
    expect(line?.held).toEqual([]);
  });
});

describe("a connection that breaks", () => {
  it("leaves a press not known until the next welcome, then says that it did not arrive", async () => {
    let line: Line | undefined;
    const tab = await scene.openPage("Ana", {}, async (page) => {
      await page.clock.install();
      line = await between(page);
    });
    const id = await scene.ask(command("ls"));
    await (await tab.ready(id, "allow-1")).click();
    await expect.poll(() => line?.held.length).toBe(1);
    // The page reconnects by its own clock: held still, the time in between can be looked at.
    await tab.page.clock.pauseAt(Date.now() + 60_000);
    line?.cut();
    await tab.card(id).getByText("not known yet").first().waitFor();
    line?.held.splice(0);
    await tab.page.clock.resume();
    await tab.card(id).getByText("Your press did not reach the Room").waitFor();
    await (await tab.ready(id, "allow-1")).click();
    await expect.poll(() => line?.held.length).toBe(1);
    line?.release();
    await tab.card(id).getByText("You chose “Allow once”").waitFor();
  });

  it("sends nothing and says so, keeps the card, and goes on once the server is back", async () => {
    const tab = await scene.openPage("Ana");
    const id = await scene.ask(command("ls"));
    await tab.ready(id, "allow-1");
    await bench.server.kill();
    await tab.page.getByText("Nothing you press is sent.").waitFor();
    expect(await tab.option(id, "allow-1").innerText()).toContain("not connected");
    await tab.option(id, "allow-1").click({ force: true });
    await tab.card(id).getByText("Not sent: this page had no connection.").waitFor();
    expect(tab.decided).toEqual([]);
    expect(await tab.card(id).innerText()).not.toMatch(/chose|decided|allowed/i);
    await bench.server.start();
    await tab.connected();
    await (await tab.ready(id, "allow-1")).click();
    await tab.page.getByText("You chose “Allow once”").first().waitFor();
  });

  it("says that a resident is offline, and that a decision waits for it", async () => {
    let line: Line | undefined;
    const tab = await scene.openPage("Ana", {}, async (page) => {
      line = await between(page);
    });
    const id = await scene.ask(command("ls"));
    await tab.ready(id, "allow-1");
    scene.claude.disconnect();
    // The Room counts a resident as present for a minute after its last call.
    const { participantId } = scene.claude;
    const participant = {
      participantId,
      role: "resident",
      name: "claude",
      present: false,
    } as const;
    line?.tell({ type: "participant_changed", participant });
    await tab.card(id).getByText("A decision made now waits for it").waitFor();
    await (await tab.ready(id, "allow-1")).click();
    line?.release();
    const steps = tab.card(id).locator(".steps");
    await steps.waitFor();
    expect(await steps.innerText()).toContain("Waits for claude, offline");
  });
});
