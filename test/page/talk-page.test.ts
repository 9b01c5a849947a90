import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { command, PageBench, type RoomScene, type RoomTab } from "../support/page-bench.ts";
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

const box = (tab: RoomTab) => tab.page.getByLabel("Message", { exact: true });
const messages = (tab: RoomTab) => tab.page.locator(".msg");

async function say(tab: RoomTab, text: string): Promise<void> {
  await box(tab).fill(text);
  await box(tab).press("Enter");
}

describe("talk", () => {
  it("goes to everybody or to one agent, and says who, to whom and when", async () => {
    const ana = await scene.openPage("Ana");
    const ben = await scene.openPage("Ben");
    await say(ana, "Good morning");
    await ben.page.getByLabel("To", { exact: true }).selectOption({ label: "claude" });
    await box(ben).fill("Run the suite first");
    await ben.page.getByRole("button", { name: "Send" }).click();
    const heard = await scene.claude.next(
      "message_posted",
      ({ message }) => message.to !== undefined,
    );
    expect(heard.message).toMatchObject({
      text: "Run the suite first",
      to: scene.claude.participantId,
      from: { name: "Ben" },
    });
    await messages(ana).nth(1).waitFor();
    expect(await messages(ana).allInnerTexts()).toEqual([
      expect.stringMatching(/Ana \(you\)\s+to everyone\s+\d\d:\d\d\s+Good morning$/),
      expect.stringMatching(/Ben\s+to claude\s+\d\d:\d\d\s+Run the suite first$/),
    ]);
    expect(await box(ben).inputValue()).toBe("");
    await ana.page.reload();
    await messages(ana).nth(1).waitFor();
    expect(await messages(ana).count()).toBe(2);
  });

  it("that says yes answers nothing, and says so under it while cards wait", async () => {
    const tab = await scene.openPage("Ana");
    const ids = [await scene.ask(command("ls")), await scene.ask(command("pwd"))];
    await tab.ready(ids[1] ?? "", "allow-1");
    for (const text of ["yes", "Allow once", "approve it"]) {
      await say(tab, text);
      // One at a time: while one is sent, Enter sends no other.
      await expect.poll(() => box(tab).inputValue()).toBe("");
    }
    await tab.page.locator(".msg-note").nth(2).waitFor();
    expect(await tab.page.locator(".msg-note").first().innerText()).toBe(
      "Sent as talk. It answered no card: 2 are still waiting.",
    );
    expect(tab.decided).toEqual([]);
    for (const id of ids) expect((await scene.claude.api.status(id)).state).toBe("pending");
    expect(await tab.page.locator("button[data-option][aria-disabled=false]").count()).toBe(6);
    expect(await tab.page.locator("[data-card][data-settled]").count()).toBe(0);
    await say(tab, "reading it");
    await messages(tab).getByText("reading it").waitFor();
    expect(await tab.page.locator(".msg-note").count()).toBe(3);
  });

  it("of others moves no focus, no caret and no card, and leaves a reader of older messages there", async () => {
    const tab = await scene.openPage("Ana");
    const id = await scene.ask(command("ls"));
    const allow = await tab.ready(id, "allow-1");
    const place = await allow.boundingBox();
    for (let n = 0; n < 40; n += 1) {
      await scene.claude.send({ type: "say", text: `line ${n}\nand its second` });
    }
    const log = tab.page.getByRole("log", { name: "Messages" });
    await log.getByText("line 39").waitFor();
    // Whoever was at the end stays there.
    await expect
      .poll(() => log.evaluate((it) => it.scrollHeight - it.clientHeight - it.scrollTop))
      .toBeLessThan(2);
    await log.evaluate((it) => it.scrollTo(0, 0));
    await box(tab).fill("half a th");
    await box(tab).press("Home");
    await scene.claude.send({ type: "say", text: "the newest" });
    await tab.page.getByRole("button", { name: "Go to the newest message" }).waitFor();
    expect(await log.evaluate((it) => it.scrollTop)).toBe(0);
    const caret = await box(tab).evaluate((it: HTMLTextAreaElement) => [
      document.activeElement === it,
      it.selectionStart,
      it.value,
    ]);
    expect(caret).toEqual([true, 0, "half a th"]);
    expect(await allow.boundingBox()).toEqual(place);
    await tab.page.getByRole("button", { name: "Go to the newest message" }).click();
    await expect
      .poll(() => log.evaluate((it) => it.scrollHeight - it.clientHeight - it.scrollTop))
      .toBeLessThan(2);
  });

  it("is plain text, with what it hides made visible", async () => {
    const tab = await scene.openPage("Ana");
    const text = "<b>x</b> [a](https://evil.test) \u202Etxt\u202C\nsecond";
    await scene.claude.send({ type: "say", text });
    const shown = messages(tab).locator(".msg-text");
    await shown.waitFor();
    expect(await shown.innerText()).toBe(
      "<b>x</b> [a](https://evil.test) ⟨U+202E⟩txt⟨U+202C⟩\nsecond",
    );
    expect(await shown.locator("b, a").count()).toBe(0);
  });

  it("that is long is folded, and unfolds in place", async () => {
    const tab = await scene.openPage("Ana");
    const text = Array.from({ length: 300 }, (_, n) => `line ${n + 1}`).join("\n");
    await scene.claude.send({ type: "say", text });
    const lines = messages(tab).locator(".l");
    const showAll = tab.page.getByRole("button", { name: "Show all 300 lines" });
    await showAll.waitFor();
    expect(await lines.count()).toBe(40);
    await showAll.focus();
    await showAll.press("Enter");
    await expect.poll(() => lines.count()).toBe(300);
    expect(await lines.last().innerText()).toBe("line 300");
    const showLess = tab.page.getByRole("button", { name: "Show less" });
    expect(await showLess.evaluate((it) => it === document.activeElement)).toBe(true);
    // Whoever has unfolded it is left where they read.
    await scene.claude.send({ type: "say", text: "the newest" });
    await tab.page.getByRole("button", { name: "Go to the newest message" }).waitFor();
    await showLess.press("Enter");
    await expect.poll(() => lines.count()).toBe(41);
  });

  it.each([
    ["blanks", `a${" ".repeat(3_990)}x`],
    ["lines", "a\n".repeat(2_000)],
    ["hidden characters", "\u200Bx".repeat(1_000)],
  ])("of fifty long messages of %s draws none again when another comes", async (_what, text) => {
    const tab = await scene.openPage("Ana");
    for (let n = 0; n < 50; n += 1) await scene.claude.send({ type: "say", text });
    await messages(tab).nth(49).waitFor();
    expect(await tab.page.locator(".talk-log *").count()).toBeLessThan(50 * 1_000);
    await tab.page.evaluate(() => {
      const counted = { changes: 0 };
      Object.assign(window, { counted });
      const observer = new MutationObserver((all) => (counted.changes += all.length));
      for (const it of document.querySelectorAll(".msg-text")) {
        observer.observe(it, { subtree: true, childList: true, characterData: true });
      }
    });
    const id = await scene.ask(command("ls"));
    await tab.ready(id, "allow-1");
    const changes = await tab.page.evaluate(
      () => (window as unknown as { counted: { changes: number } }).counted.changes,
    );
    expect(changes).toBe(0);
  });

  it("takes 4 000 bytes, refuses one more in words, and keeps the text", async () => {
    const tab = await scene.openPage("Ana");
    await say(tab, "é".repeat(2_001));
    await tab.page
      .getByText("Not sent: it is 4002 bytes long, and a message may have 4000.")
      .waitFor();
    expect(await box(tab).inputValue()).toHaveLength(2_001);
    await say(tab, "é".repeat(2_000));
    await messages(tab).waitFor();
    expect(await tab.page.locator(".composer .problem").innerText()).toBe("");
    await say(tab, "   ");
    await say(tab, "two\u0020");
    await messages(tab).nth(1).waitFor();
    expect(await messages(tab).count()).toBe(2);
  });

  it.each([
    ["rate_limited", "Not sent: too many messages at once."],
    ["participant_not_found", "Not sent: whom it was for is no longer in this Room."],
  ])("that the Room refuses is kept, and the reason stands below: %s", async (code, words) => {
    let line: Line | undefined;
    const tab = await scene.openPage("Ana", {}, async (page) => {
      line = await between(page, { holds: ["say"] });
    });
    await say(tab, "hello");
    await expect.poll(() => line?.held.length).toBe(1);
    expect(await messages(tab).count()).toBe(0);
    const { ref } = JSON.parse(line?.held[0] ?? "{}") as { ref: string };
    line?.tell({ type: "rejected", ref, error: { code, message: "no" } });
    await tab.page.locator(".composer .problem").getByText(words).waitFor();
    expect(await box(tab).inputValue()).toBe("hello");
    line?.held.splice(0);
  });

  it("is not known while the line is cut, and is not sent without one", async () => {
    let line: Line | undefined;
    const tab = await scene.openPage("Ana", {}, async (page) => {
      await page.clock.install();
      line = await between(page, { holds: ["say"] });
    });
    await say(tab, "hello");
    await expect.poll(() => line?.held.length).toBe(1);
    await tab.page.clock.pauseAt(Date.now() + 60_000);
    line?.cut();
    const problem = tab.page.locator(".composer .problem");
    await problem.getByText("Look whether your message is above").waitFor();
    await box(tab).press("Enter");
    await problem.getByText("Not sent: this page has no connection.").waitFor();
    expect(await box(tab).inputValue()).toBe("hello");
    expect(line?.held).toHaveLength(1);
  });

  it("is a column beside wide cards, and follows the timeline where there is no room", async () => {
    const tab = await scene.openPage("Ana");
    const id = await scene.ask(command("ls"));
    await tab.card(id).waitFor();
    const places = async () => {
      const [work, talk] = await Promise.all([
        tab.page.locator("main").boundingBox(),
        tab.page.locator("#talk").boundingBox(),
      ]);
      return { work, talk };
    };
    const wide = await places();
    expect(wide.talk?.x).toBeGreaterThan(wide.work?.width ?? 0);
    await tab.page.setViewportSize({ width: 320, height: 700 });
    const narrow = await places();
    expect(narrow.talk?.y).toBeGreaterThanOrEqual(
      (narrow.work?.y ?? 0) + (narrow.work?.height ?? 0),
    );
    await tab.page.getByRole("button", { name: "Talk" }).click();
    expect(await tab.page.locator(":focus").getAttribute("id")).toBe("talk");
  });
});
