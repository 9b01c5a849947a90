import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { command, PageBench, type RoomScene, type RoomTab, STD } from "../support/page-bench.ts";

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

async function placeOf(tab: RoomTab, requestId: string, optionId = "allow-1") {
  const box = await tab.option(requestId, optionId).boundingBox();
  if (box === null) throw new Error(`${optionId} is not on the page`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

function composer(tab: RoomTab) {
  return tab.page.getByLabel("Message", { exact: true });
}

/** Where the caret is, and in what text. */
function caretIn(tab: RoomTab) {
  return composer(tab).evaluate((box: HTMLTextAreaElement) => ({
    hasFocus: document.activeElement === box,
    at: [box.selectionStart, box.selectionEnd],
    text: box.value,
  }));
}

describe("what was under way as a card came", () => {
  // B92
  it("answers nothing: clicks on its place, Enter and Space held from before, until a fresh press", async () => {
    const tab = await scene.openPage("Ana", {}, (page) => page.clock.install());
    const { page } = tab;
    const earlier = await scene.ask(command("ls"));
    await tab.option(earlier, "allow-1").waitFor();
    const { x, y } = await placeOf(tab, earlier);
    await scene.claude.api.withdraw(earlier, "turn_ended");
    await tab.settled(earlier).waitFor();
    await page.clock.pauseAt(Date.now() + 60_000);

    await page.mouse.move(x, y);
    let clickCount = 0;
    /** Ten more clicks, in 300 ms, which the browser counts as one series, while both keys repeat. */
    const goOn = async () => {
      for (let n = 0; n < 10; n += 1) {
        clickCount += 1;
        await page.mouse.down({ clickCount });
        await page.mouse.up({ clickCount });
        await page.keyboard.down("Enter");
        await page.keyboard.down("Space");
        await page.clock.runFor(30);
      }
    };
    await goOn();
    const id = await scene.ask(command("ls"));
    await tab.option(id, "allow-1").waitFor();
    expect(await placeOf(tab, id)).toEqual({ x, y });
    await goOn();
    expect(await tab.option(id, "allow-1").evaluate((row) => row.matches(":hover"))).toBe(true);
    await goOn();
    await page.keyboard.up("Space");
    await page.keyboard.up("Enter");
    expect(tab.decided).toEqual([]);
    expect(await tab.option(id, "allow-1").getAttribute("aria-disabled")).toBe("false");

    await page.clock.runFor(500);
    await page.mouse.click(x, y);
    await page.clock.resume();
    await tab.card(id).getByText("You chose “Allow once”").waitFor();
    expect(tab.decided).toEqual([{ requestId: id, optionId: "allow-1" }]);
  });

  it("counts its 500 ms from when it could be seen, however long its first frame took", async () => {
    const tab = await scene.openPage("Ana");
    const { page } = tab;
    const earlier = await scene.ask(command("ls"));
    await tab.option(earlier, "allow-1").waitFor();
    const { x, y } = await placeOf(tab, earlier);
    await scene.claude.api.withdraw(earlier, "turn_ended");
    await tab.settled(earlier).waitFor();
    await page.evaluate((slowMs) => {
      const times = { painted: Infinity, sent: 0 };
      Object.assign(window, { times });
      const observer = new MutationObserver(() => {
        if (document.querySelector("[data-card] [data-option]") === null) return;
        observer.disconnect();
        const end = performance.now() + slowMs;
        while (performance.now() < end);
        requestAnimationFrame(() => setTimeout(() => (times.painted = performance.now())));
      });
      observer.observe(document.body, { childList: true, subtree: true });
      const { send } = WebSocket.prototype;
      WebSocket.prototype.send = function (data) {
        if (String(data).includes('"decide"')) times.sent = performance.now();
        send.call(this, data);
      };
    }, 700);
    const id = await scene.ask(command("ls"));
    while (tab.decided.length === 0) await page.mouse.click(x, y);
    const { painted, sent } = await page.evaluate(
      () => (window as unknown as { times: { painted: number; sent: number } }).times,
    );
    expect(sent - painted).toBeGreaterThanOrEqual(490);
    expect(tab.decided).toEqual([{ requestId: id, optionId: "allow-1" }]);
  });

  // B93
  it("goes on: text, caret and focus stay as cards come and are settled, and digits are text", async () => {
    const tab = await scene.openPage("Ana");
    const ben = await scene.joinHuman("Ben");
    await composer(tab).fill("half a thought");
    await composer(tab).evaluate((box: HTMLTextAreaElement) => box.setSelectionRange(4, 6));
    const before = await caretIn(tab);
    expect(before).toEqual({ hasFocus: true, at: [4, 6], text: "half a thought" });
    const first = await scene.ask(command("ls"));
    await tab.ready(first, "allow-1");
    expect(await caretIn(tab)).toEqual(before);
    await ben.send({ type: "decide", requestId: first, optionId: "no-2" });
    await tab.settled(first).waitFor();
    expect(await caretIn(tab)).toEqual(before);
    const second = await scene.ask(command("pwd"));
    await tab.ready(second, "allow-1");
    await tab.page.keyboard.press("ArrowRight");
    await tab.page.keyboard.type("123?jk");
    expect((await caretIn(tab)).text).toBe("half a123?jk thought");
    await tab.page.keyboard.press("Escape");
    expect(tab.decided).toEqual([]);
    expect(await tab.card(second).locator("form, [autofocus]").count()).toBe(0);
    const inForm = await tab
      .option(second, "allow-1")
      .evaluate((row: HTMLButtonElement) => row.form !== null || row.type !== "button");
    expect(inForm).toBe(false);
  });
});

describe("what a person points at", () => {
  // B95
  it("stays there as others come and are settled around it, and the click hits it", async () => {
    const tab = await scene.openPage("Ana");
    const ben = await scene.joinHuman("Ben");
    const others = await Promise.all(
      ["codex", "gemini", "a resident with a rather long name"].map((name) =>
        bench.join(scene.room.residentInvite, name),
      ),
    );
    const above = await scene.ask(command("ls"));
    const mine = await scene.ask(command("pwd"));
    const below = await scene.ask(command("id"));
    await tab.ready(below, "allow-1");
    const place = await placeOf(tab, mine);
    await tab.page.mouse.move(place.x, place.y);
    await ben.send({ type: "decide", requestId: above, optionId: "no-2" });
    await ben.send({ type: "decide", requestId: below, optionId: "no-2" });
    const come = await Promise.all(others.map((it) => scene.ask(command("ls"), STD, {}, it)));
    for (const id of come) await tab.card(id).waitFor();
    await tab.page.getByText("4 waiting").first().waitFor();
    expect(await placeOf(tab, mine)).toEqual(place);
    // Longer than a settled card stays that nobody points at.
    await tab.settled(below).waitFor();
    expect(await placeOf(tab, mine)).toEqual(place);
    await tab.card(above).getByText("Decided by Ben").waitFor();
    await tab.page.mouse.down();
    await ben.send({ type: "decide", requestId: come[0] as string, optionId: "no-2" });
    await tab.page.mouse.up();
    await tab.card(mine).getByText("You chose “Allow once”").waitFor();
    expect(tab.decided).toEqual([{ requestId: mine, optionId: "allow-1" }]);
  });

  it("keeps the focus where a card above it goes", async () => {
    const tab = await scene.openPage("Ana");
    const ben = await scene.joinHuman("Ben");
    const above = await scene.ask(command("ls"));
    const mine = await scene.ask(command("pwd"));
    await (await tab.ready(mine, "no-2")).focus();
    await ben.send({ type: "decide", requestId: above, optionId: "no-2" });
    await tab.settled(above).waitFor();
    const focused = tab.card(mine).locator("[data-option]:focus");
    expect(await focused.getAttribute("data-option")).toBe("no-2");
    expect(tab.decided).toEqual([]);
  });
});
