import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { create } from "qrcode";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { joinRoom } from "../../src/client/index.ts";
import { darkRows } from "../../src/page/model/qr-rows.ts";
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

async function openPeople({ page }: RoomTab) {
  await page.getByRole("button", { name: "People" }).click();
  await page.getByRole("heading", { name: "People and agents" }).waitFor();
}

const member = (tab: RoomTab, name: string) => tab.page.locator(".member", { hasText: name });

/** Presses a second button once it may be. */
async function pressSecond(tab: RoomTab, name: string) {
  const button = tab.page.locator(".confirm").getByRole("button", { name });
  await button.and(tab.page.locator("[aria-disabled=false]")).click();
}

/** Counts the sockets that a page opens from now on. */
function countSockets(page: Page): { count: number } {
  const opened = { count: 0 };
  page.on("websocket", () => (opened.count += 1));
  return opened;
}

const remembered = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("token")).length);

describe("removing somebody", () => {
  it("takes two presses, and the second says what it does", async () => {
    const ana = await scene.openPage("Ana");
    await scene.joinHuman("Ben");
    await openPeople(ana);
    expect(await member(ana, "Ana (you)").getByRole("button").count()).toBe(0);
    const remove = ana.page.getByRole("button", { name: "Remove Ben" });
    await remove.dblclick();
    expect(await ana.page.locator(".confirm").count()).toBe(0);
    await remove.click();
    expect(await member(ana, "Ben").locator(".confirm > p").first().innerText()).toContain(
      "Ben is sent out at once, and the key in that browser no longer works.",
    );
    await ana.page.getByRole("button", { name: "Back" }).click();
    expect(await member(ana, "Ben").count()).toBe(1);
  });

  it("sends a person's page to an end in words, without its key and without coming back", async () => {
    const ana = await scene.openPage("Ana");
    const ben = await scene.openPage("Ben");
    await openPeople(ana);
    const sockets = countSockets(ben.page);
    await ana.page.getByRole("button", { name: "Remove Ben" }).click();
    await pressSecond(ana, "Remove from the Room");
    await ben.page.getByRole("heading", { name: "You are no longer in this Room" }).waitFor();
    await member(ana, "Ben").waitFor({ state: "detached" });
    expect(await ben.page.locator("[data-option], #say").count()).toBe(0);
    expect(await remembered(ben.page)).toBe(0);
    await ben.page.reload();
    await ben.page.getByRole("heading", { name: "You are no longer in this Room" }).waitFor();
    expect(sockets.count).toBe(0);
  });

  it("withdraws what an agent was asking, and says so", async () => {
    const ana = await scene.openPage("Ana");
    const id = await scene.ask(command("ls"));
    await ana.card(id).waitFor();
    await openPeople(ana);
    await ana.page.getByRole("button", { name: "Remove claude" }).click();
    const says = member(ana, "claude").locator(".confirm > p").first();
    expect(await says.innerText()).toContain("Its 1 waiting request is withdrawn.");
    await pressSecond(ana, "Remove from the Room");
    await ana
      .card(id)
      .or(ana.settled(id))
      .getByText("Withdrawn: the resident was removed")
      .first()
      .waitFor();
    await member(ana, "claude").waitFor({ state: "detached" });
    expect(await ana.page.locator("body").innerText()).not.toMatch(/denied/i);
  });

  it("that somebody else has done already is done", async () => {
    const ana = await scene.openPage("Ana");
    const ben = await scene.joinHuman("Ben");
    await openPeople(ana);
    await ana.page.getByRole("button", { name: "Remove claude" }).click();
    await ben.api.remove(scene.claude.participantId);
    await pressSecond(ana, "Remove from the Room");
    await member(ana, "claude").waitFor({ state: "detached" });
    // The browser itself logs a reply that is no success.
    expect(bench.problems.splice(0)).toEqual([expect.stringContaining("404")]);
  });

  it("that no answer came to is said to be not known", async () => {
    const ana = await scene.openPage("Ana");
    await scene.joinHuman("Ben");
    await ana.page.route("**/remove", (route) => route.abort());
    await openPeople(ana);
    await ana.page.getByRole("button", { name: "Remove Ben" }).click();
    await pressSecond(ana, "Remove from the Room");
    await ana.page.getByText("No answer came: whether it happened is not known.").waitFor();
    expect(await member(ana, "Ben").count()).toBe(1);
    bench.problems.length = 0;
  });
});

describe("leaving", () => {
  it("ends one's own key, forgets it, and says how to come back", async () => {
    const ana = await scene.openPage("Ana");
    const ben = await scene.joinHuman("Ben");
    const id = await scene.ask(command("ls"));
    await openPeople(ana);
    const sockets = countSockets(ana.page);
    await ana.page.getByRole("button", { name: "Leave this Room" }).click();
    await pressSecond(ana, "Leave");
    await ana.page.getByRole("heading", { name: "You have left this Room" }).waitFor();
    expect(await remembered(ana.page)).toBe(0);
    expect(sockets.count).toBe(0);
    // What waits stays.
    expect((await ben.api.status(id)).state).toBe("pending");
    await ana.page.goto(scene.room.humanUrl);
    await ana.page.getByLabel("Your name").waitFor();
    await ana.page.getByRole("button", { name: "Join the Room" }).click();
    await ana.connected();
  });
});

describe("ending the Room", () => {
  it("withdraws what waits, on every page, and leaves nothing that can be pressed", async () => {
    const ana = await scene.openPage("Ana");
    const ben = await scene.openPage("Ben");
    const times = { expiresInMs: 300_000, maxExpiresInMs: 600_000 };
    const id = await scene.ask(command("ls"), STD.slice(0, 2), times);
    await ben.ready(id, "allow-1");
    await openPeople(ana);
    const sockets = [countSockets(ana.page), countSockets(ben.page)];
    await ana.page.getByRole("button", { name: "End this Room for everybody" }).click();
    expect(await ana.page.locator(".exits .confirm > p").first().innerText()).toBe(
      "Everybody is sent away and the record is deleted, for good. What waits is refused: 1 request is withdrawn, and nothing of it is allowed.",
    );
    await pressSecond(ana, "End the Room now");
    for (const { page } of [ana, ben]) {
      await page.getByText("This Room has ended.").waitFor();
      await page.getByText("To go on, open a new Room").waitFor();
      await page.getByText("Withdrawn: the Room was closed").first().waitFor();
      const left = await page.getByRole("button").allInnerTexts();
      expect(left.join()).not.toMatch(/More time|Refuse|Allow|People|Invite|Send|JSONL|Try now/);
      expect(await page.locator("button[data-option], #say, .panel").count()).toBe(0);
      expect(await remembered(page)).toBe(0);
    }
    const { outcome } = await scene.claude.next("decision");
    expect(outcome).toEqual({ outcome: "cancelled" });
    expect(sockets).toEqual([{ count: 0 }, { count: 0 }]);
    expect(await ana.page.getByRole("link", { name: "Open a new Room" }).getAttribute("href")).toBe(
      "/",
    );
    await ben.page.reload();
    await ben.page.getByRole("heading", { name: "This Room has ended" }).waitFor();
  });

  it("offers the record first, as a file of each format", async () => {
    const ana = await scene.openPage("Ana");
    const id = await scene.ask(command("ls"));
    await (await ana.ready(id, "no-2")).click();
    await ana.card(id).getByText("You chose “Reject”").waitFor();
    await openPeople(ana);
    await ana.page.getByRole("button", { name: "End this Room for everybody" }).click();
    const exits = ana.page.locator(".exits");
    const read = async (format: string) => {
      const download = ana.page.waitForEvent("download");
      await exits.getByRole("button", { name: `Download the record as ${format}` }).click();
      const file = await download;
      return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
    };
    const jsonl = await read("JSONL");
    expect(jsonl.name).toBe("handraise-history.jsonl");
    expect(JSON.parse(jsonl.text)).toMatchObject({
      requestId: id,
      settlement: { state: "decided", by: { name: "Ana" } },
    });
    const csv = await read("CSV");
    expect(csv.name).toBe("handraise-history.csv");
    expect(csv.text).toContain(id);
    await ana.page.route("**/history*", (route) => route.abort());
    await exits.getByRole("button", { name: "Download the record as CSV" }).click();
    await exits.getByText("The record could not be loaded.").waitFor();
    bench.problems.length = 0;
  });
});

describe("inviting", () => {
  it("mints a key when asked for one, which works", async () => {
    const ana = await scene.openPage("Ana");
    const { page } = ana;
    const minted: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/invites")) minted.push(request.method());
    });
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByRole("button", { name: "Make a link" }).waitFor();
    expect(minted).toEqual([]);
    await page.getByRole("button", { name: "Make a link" }).click();
    const link = await page.getByRole("region", { name: "Human link" }).locator("code").innerText();
    await page.getByRole("button", { name: "Make an invite" }).click();
    const line = page.getByRole("region", { name: "One line for a terminal" }).locator("code");
    const run = await line.innerText();
    const invite = /hr1\.ri\.[\w.-]+/.exec(run)?.[0] ?? "";
    expect(minted).toEqual(["POST", "POST"]);
    const server = bench.server.url;
    const human = link.replace(/^.*#/, "");
    expect(link).toBe(`${server}/r#${human}`);
    // No list of processes shows what stands before the command.
    expect(run).toBe(
      `HANDRAISE_INVITE='${server}/r#${invite}' npx -y ${server}/handraise.tgz run -- YOUR-AGENT`,
    );
    expect(await joinRoom({ server }, human, { name: "Mirela" })).toMatchObject({ role: "human" });
    expect(await joinRoom({ server }, invite, { name: "qwen" })).toMatchObject({
      role: "resident",
    });
  });

  it("draws the link as a QR code, black on white in the dark too", async () => {
    const ana = await scene.openPage("Ana", { colorScheme: "dark" });
    const { page } = ana;
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    await page.getByRole("button", { name: "Make a link" }).click();
    const link = await page.getByRole("region", { name: "Human link" }).locator("code").innerText();
    const code = page.getByRole("img", { name: "QR code of the human link" });
    const { modules } = create(link, { errorCorrectionLevel: "M" });
    expect(await code.locator("path").getAttribute("d")).toBe(darkRows(modules.data, modules.size));
    const colours = await code.evaluate((svg) => [
      getComputedStyle(svg.parentElement ?? svg).backgroundColor,
      getComputedStyle(svg).fill,
    ]);
    expect(colours).toEqual(["rgb(255, 255, 255)", "rgb(0, 0, 0)"]);
  });

  it("has a prompt for a setup agent that holds no key, and points to what it is to follow", async () => {
    const ana = await scene.openPage("Ana", { permissions: ["clipboard-read", "clipboard-write"] });
    const { page } = ana;
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    const prompt = page.getByRole("region", { name: "A prompt for a setup agent" });
    await prompt.getByRole("button", { name: "Copy" }).click();
    await prompt.getByText("Copied").waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text).toContain(`${bench.server.url}/agent.md`);
    expect(text).not.toContain("hr1.");
    expect((await fetch(`${bench.server.url}/agent.md`)).status).toBe(200);
  });

  it("goes to the panel as somebody asked, and back to its button", async () => {
    const ana = await scene.openPage("Ana");
    const { page } = ana;
    const button = page.getByRole("button", { name: "Invite", exact: true });
    await button.press("Enter");
    await page.locator("#panel:focus").waitFor();
    expect(await button.getAttribute("aria-expanded")).toBe("true");
    await page.getByRole("button", { name: "Close" }).press("Enter");
    expect(await page.locator(":focus").getAttribute("id")).toBe("open-invite");
    expect(await page.locator(".panel").count()).toBe(0);
  });

  it("moves the cards, which then wait again before they allow", async () => {
    const ana = await scene.openPage("Ana", {}, (page) => page.clock.install());
    await ana.page.clock.pauseAt(Date.now() + 60_000);
    const id = await scene.ask(command("ls"));
    await ana.option(id, "allow-1").waitFor();
    await ana.runUntilReady(id, "allow-1");
    await ana.page.getByRole("button", { name: "Invite" }).click();
    // What is loaded later is asked for in the page's next frame.
    await ana.page.clock.runFor(50);
    await ana.page.getByRole("button", { name: "Make a link" }).waitFor();
    await ana.option(id, "allow-1").and(ana.page.locator("[aria-disabled=true]")).waitFor();
    await ana.option(id, "allow-1").click({ force: true });
    expect(ana.decided).toEqual([]);
  });
});

describe("how permissions work", () => {
  it("is linked from the Room and from the first page", async () => {
    const ana = await scene.openPage("Ana");
    const link = ana.page.getByRole("link", { name: "How permissions work here" });
    const opened = ana.page.context().waitForEvent("page");
    await link.click();
    const docs = await opened;
    await docs.getByRole("heading", { name: "Agent permissions and approvals" }).waitFor();
    expect(await docs.evaluate(() => window.opener)).toBeNull();
    await ana.connected();
    await docs.goto(bench.server.url);
    await docs.getByRole("link", { name: "How permissions work here" }).click();
    await docs.getByRole("heading", { name: "Agent permissions and approvals" }).waitFor();
    expect(new URL(docs.url()).pathname).toBe("/docs/permissions");
  });
});
