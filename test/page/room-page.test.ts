import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { command, PageBench, type RoomScene, STD } from "../support/page-bench.ts";

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

describe("the way in", () => {
  it("asks for a name, joins, and takes the invite out of the address bar", async () => {
    const { page } = await scene.openPage("Ana");
    expect(new URL(page.url()).hash).toBe("");
    expect(await page.locator(".people-names").innerText()).toContain("Ana (you)");
    expect(await page.locator(".room-name").innerText()).toBe("Release 4.2");
    expect(await page.title()).toBe("Release 4.2 · Handraise");
  });

  it("resumes the same participant on reload and in a second tab", async () => {
    const tab = await scene.openPage("Ana");
    await tab.page.reload();
    await tab.connected();
    const second = await tab.page.context().newPage();
    await second.goto(scene.room.humanUrl);
    await second.locator("[data-connection=live]").waitFor();
    expect(new URL(second.url()).hash).toBe("");
    expect(await second.locator(".people-names").innerText()).toMatch(
      /^People here:\s+Ana \(you\)$/,
    );
    expect(await second.locator(".top-people .avatar").count()).toBe(1);
  });

  it("remembers the name for the next Room", async () => {
    const { page } = await scene.openPage("Ana");
    const another = await bench.openRoom();
    await page.goto(another.room.humanUrl);
    await page.getByLabel("Your name").waitFor();
    expect(await page.getByLabel("Your name").inputValue()).toBe("Ana");
  });

  it.each([
    ["", "Which Room?"],
    ["#hr1.hi.half-a-link", "This link is not whole"],
  ])("says what is wrong with the address /r%s", async (hash, title) => {
    const page = await (await bench.newContext()).newPage();
    await page.goto(`${bench.server.url}/r${hash}`);
    expect(await page.locator("h1").innerText()).toBe(title);
  });

  it("sends nobody in with an agent's invite", async () => {
    const page = await (await bench.newContext()).newPage();
    await page.goto(`${bench.server.url}/r#${scene.room.residentInvite}`);
    expect(await page.locator("h1").innerText()).toBe("This invite is for an agent");
  });

  it("says so where the Room does not take an invite", async () => {
    const page = await (await bench.newContext()).newPage();
    const forged = scene.room.humanUrl.replace(/.{43}$/, `${"A".repeat(43)}`);
    await page.goto(forged);
    await page.getByLabel("Your name").fill("Eve");
    await page.getByRole("button", { name: "Join the Room" }).click();
    await page.getByText("The Room does not take this invite.").waitFor();
    expect(await page.locator("h1").innerText()).toBe("This link no longer works");
    // The browser itself logs a reply that is no success.
    bench.problems.length = 0;
  });

  it("creates a Room and shows both of its keys once", async () => {
    const page = await (await bench.newContext()).newPage();
    await page.goto(bench.server.url);
    await page.getByLabel("Name of the Room").fill("Night shift");
    await page.getByRole("button", { name: "Create a Room" }).click();
    const open = page.getByRole("link", { name: "Open the Room" });
    const link = (await open.getAttribute("href")) ?? "";
    expect(await page.locator(".copy-text").allInnerTexts()).toEqual([
      link,
      expect.stringMatching(/^HANDRAISE_INVITE='[^']*#hr1\.ri\.[^']*' npx -y /),
      expect.stringMatching(/^Read [^#]*\/agent\.md (?!.*hr1\.)/),
    ]);
    await open.click();
    await page.getByRole("heading", { name: "Join the Room" }).waitFor();
  });
});

describe("the options of a card", () => {
  it("are those the agent offered, in its order, and the pressed one goes back", async () => {
    const names = ["Alpha", "Bravo", "Charlie", "Delta"];
    const options = names.map((name, n) => ({ optionId: `c${n}`, name, kind: "allow_once" }));
    const tab = await scene.openPage("Ana");
    const id = await scene.ask(command("ls"), options);
    await (await tab.ready(id, "c2")).click();
    const { outcome } = await scene.claude.next("decision");
    expect(outcome).toEqual({ outcome: "selected", optionId: "c2" });
    await tab.card(id).getByText("You chose “Charlie”").waitFor();
    const rows = tab.card(id).locator(".opt-name");
    expect(await rows.count()).toBe(0);
  });

  it("are buttons in wire order, none made up, none preselected", async () => {
    const options = [
      { optionId: "s", name: "staging", kind: "allow_once" },
      { optionId: "p", name: "production", kind: "allow_once" },
      { optionId: "n", name: "Neither", kind: "reject_once" },
    ];
    const tab = await scene.openPage("Ana");
    const id = await scene.ask(command("deploy"), options);
    await tab.ready(id, "s");
    const rows = await tab.card(id).locator("[data-option]").allInnerTexts();
    expect(rows.map((row) => row.split("\n")[0])).toEqual(["staging", "production", "Neither"]);
    expect(await tab.page.locator("main [autofocus], main [type=submit]").count()).toBe(0);
  });

  it("follow kind, never id", async () => {
    const options = [
      { optionId: "allow_once", name: "Refuse it", kind: "reject_once" },
      { optionId: "reject_once", name: "Let it run", kind: "allow_once" },
    ];
    const tab = await scene.openPage("Ana");
    const id = await scene.ask(command("ls"), options);
    expect(await (await tab.ready(id, "allow_once")).innerText()).toContain("refuses once");
    await (await tab.ready(id, "reject_once")).click();
    const { outcome } = await scene.claude.next("decision");
    expect(outcome).toEqual({ outcome: "selected", optionId: "reject_once" });
  });

  it("show a kind nobody knows as such, and equal and empty names with what tells them apart", async () => {
    const options = [
      { optionId: "p", name: "Allow", kind: "allow_once" },
      { optionId: "q", name: "Allow", kind: "allow_always" },
      { optionId: "z", name: "", kind: "allow_persistent" },
      { optionId: "n", name: "No", kind: "reject_once" },
    ];
    const tab = await scene.openPage("Ana");
    const id = await scene.ask(command("ls"), options);
    await tab.ready(id, "z");
    const names = await tab.card(id).locator("[data-option]").allInnerTexts();
    expect(names[0]).toContain("id p");
    expect(names[1]).toContain("id q");
    expect(names[2]).toMatch(/unnamed option[\s\S]*kind not known/);
    expect(names[3]).not.toContain("id n");
    const button = tab.card(id).getByRole("button", { name: /Allow id p allows once/ });
    expect(await button.count()).toBe(1);
    await tab.option(id, "z").click();
    const { outcome } = await scene.claude.next("decision");
    expect(outcome).toEqual({ outcome: "selected", optionId: "z" });
  });

  it("take a second press where the agent may remember them", async () => {
    const tab = await scene.openPage("Ana");
    const id = await scene.ask(command("ls"), STD);
    await (await tab.ready(id, "always-9")).dblclick();
    await tab.option(id, "always-9").and(tab.page.locator("[aria-expanded=false]")).waitFor();
    expect(tab.decided).toEqual([]);
    await (await tab.ready(id, "always-9")).click();
    const words = tab.card(id).locator(".second-text");
    expect(await words.innerText()).toContain("claude, not the Room, decides what this covers");
    expect(tab.decided).toEqual([]);
    const choose = tab.card(id).getByRole("button", { name: "Choose “Always allow”" });
    await choose.and(tab.page.locator("[aria-disabled=false]")).click();
    const { outcome } = await scene.claude.next("decision");
    expect(outcome).toEqual({ outcome: "selected", optionId: "always-9" });
    await tab.card(id).getByText("You chose “Always allow”").waitFor();
  });

  it("are chosen by digit in the focused card alone", async () => {
    const tab = await scene.openPage("Ana");
    const first = await scene.ask(command("ls"));
    const second = await scene.ask(command("pwd"));
    await tab.ready(second, "allow-1");
    await tab.page.keyboard.press("1");
    await tab.page.keyboard.press("Enter");
    expect(tab.decided).toEqual([]);
    await tab.card(first).focus();
    await tab.page.keyboard.press("j");
    await tab.page.keyboard.press("1");
    await tab.card(second).getByText("You chose “Allow once”").waitFor();
    expect(tab.decided).toEqual([{ requestId: second, optionId: "allow-1" }]);
  });
});

describe("how a card ends", () => {
  it("says who decided what on every page, and how far it came", async () => {
    const ana = await scene.openPage("Ana");
    const ben = await scene.openPage("Ben");
    const id = await scene.ask(command("ls"));
    await (await ben.ready(id, "allow-1")).click();
    await ana.card(id).or(ana.settled(id)).getByText("Decided by Ben: “Allow once”").waitFor();
    await ana.settled(id).getByText("Sent, not confirmed").waitFor();
    await scene.claude.api.ack(id, true);
    await ana.settled(id).getByText("Applied").waitFor();
    expect(await ana.page.locator("body").innerText()).not.toMatch(/denied/i);
  });

  it("says that nobody answered, and takes the options away", async () => {
    const tab = await scene.openPage("Ana");
    const first = await scene.ask(command("ls"), STD, { expiresInMs: 1_000 });
    await tab.card(first).waitFor();
    await tab.page.getByText("Expired. Nobody answered.").first().waitFor();
    expect(await tab.option(first, "allow-1").count()).toBe(0);
    const second = await scene.ask(command("pwd"));
    await tab.settled(first).waitFor();
    await tab.ready(second, "allow-1");
    await tab.page.reload();
    await tab.ready(second, "allow-1");
    expect(await tab.settled(first).count()).toBe(1);
    expect(await tab.page.locator("[data-card]").count()).toBe(1);
  });

  it("says why it was withdrawn", async () => {
    const tab = await scene.openPage("Ana");
    const id = await scene.ask(command("ls"));
    await tab.card(id).waitFor();
    await scene.claude.api.withdraw(id, "tool_settled");
    const words = await tab.settled(id).locator(".entry-text").innerText();
    expect(words).toBe("Withdrawn: the tool already finished");
  });

  it("keeps a settled card in its place while a pointer rests on anything below it", async () => {
    const tab = await scene.openPage("Ana", {}, (page) => page.clock.install());
    const earlier = await scene.ask(command("ls"));
    await scene.claude.api.withdraw(earlier, "turn_ended");
    const card = await scene.ask(command("pwd"));
    await tab.settled(earlier).waitFor();
    await tab.card(card).waitFor();
    const { page } = tab;
    await page.clock.pauseAt(Date.now() + 60_000);
    const below = page.getByRole("button", { name: "CSV" });
    await below.hover();
    const before = await below.boundingBox();
    await scene.claude.api.withdraw(card, "tool_settled");
    await tab.card(card).getByText("the tool already finished").waitFor();
    await page.clock.runFor(3_000);
    expect(await below.boundingBox()).toEqual(before);
    await page.mouse.move(2, 2);
    await page.clock.runFor(3_000);
    await tab.settled(card).waitFor();
    expect(await below.boundingBox()).not.toEqual(before);
  });

  it("keeps a settled card in its place until pointer and focus have left it", async () => {
    const tab = await scene.openPage("Ana");
    const first = await scene.ask(command("ls"));
    const second = await scene.ask(command("pwd"));
    await tab.ready(second, "allow-1");
    const before = await tab.option(second, "allow-1").boundingBox();
    await (await tab.ready(first, "allow-1")).click();
    await tab.card(first).getByText("You chose “Allow once”").waitFor();
    expect(await tab.option(second, "allow-1").boundingBox()).toEqual(before);
    await tab.page.mouse.move(2, 2);
    await tab.settled(first).waitFor();
    expect(await tab.card(first).count()).toBe(0);
    await tab.settled(first).locator("summary").click();
    await tab.settled(first).locator(".term").getByText("ls").waitFor();
    expect(await tab.settled(first).locator(".opt.is-chosen").innerText()).toContain("Allow once");
  });
});
