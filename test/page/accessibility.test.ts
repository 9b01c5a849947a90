import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findFaults, useAxe } from "../support/axe.ts";
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
afterEach(() => bench.clear());

async function openPage(colorScheme: "light" | "dark" = "light") {
  return scene.openPage("Ana", { colorScheme }, useAxe);
}

describe("the page for everybody", () => {
  it.each(["light", "dark"] as const)("has no serious fault in any state, %s", async (scheme) => {
    const tab = await openPage(scheme);
    const ben = await scene.joinHuman("Ben");
    expect(await findFaults(tab.page)).toEqual([]);
    const settled = await scene.ask(command("ls"));
    const opened = await scene.ask(command("echo a\u200Bb", { title: "Say it" }));
    await scene.ask(command("echo 1\n".repeat(60)));
    await scene.ask({
      toolCallId: "t1",
      kind: "edit",
      content: [{ type: "diff", path: "/a.ts", oldText: "a\nb\n", newText: "a\nc\n" }],
    });
    const hunk = { number: 1, of: 1, oldStart: 9, newStart: 9 };
    const part = await scene.ask({
      toolCallId: "t1",
      kind: "edit",
      content: [
        { type: "diff", path: "/b.ts", oldText: "b", newText: "c", _meta: { handraise: { hunk } } },
      ],
    });
    await tab.card(part).locator("tr.unsent").first().waitFor();
    await scene.ask({ toolCallId: "t1", kind: "edit", locations: [{ path: "/c.ts" }] });
    await ben.send({ type: "decide", requestId: settled, optionId: "always-9" });
    await tab.settled(settled).locator("summary").click();
    await (await tab.ready(opened, "always-9")).click();
    await tab.card(opened).locator(".btn-durable[aria-disabled=false]").waitFor();
    expect(await findFaults(tab.page)).toEqual([]);
    await tab.page.getByRole("button", { name: "Keys" }).click();
    await tab.page.getByText("Leave the card. Never a refusal").waitFor();
    expect(await findFaults(tab.page)).toEqual([]);
  });

  it.each(["light", "dark"] as const)(
    "has no serious fault in its panels, its talk and its own Refuse, %s",
    async (scheme) => {
      const tab = await openPage(scheme);
      const ben = await scene.joinHuman("Ben");
      const allowing = STD.slice(0, 2);
      const times = { expiresInMs: 300_000, maxExpiresInMs: 600_000 };
      const id = await scene.ask(command("ls"), allowing, times);
      await ben.send({ type: "say", text: "a\u200Bb", to: scene.claude.participantId });
      await tab.page.getByLabel("Message", { exact: true }).fill("yes");
      await tab.page.keyboard.press("Enter");
      await tab.page.locator(".msg-note").waitFor();
      await tab.page.getByRole("button", { name: "People" }).click();
      await tab.page.getByRole("button", { name: "Remove Ben" }).click();
      await tab.page.getByRole("button", { name: "End this Room for everybody" }).click();
      await tab.ready(id, "allow-1");
      expect(await findFaults(tab.page)).toEqual([]);
      await tab.page.getByRole("button", { name: "Notify me" }).click();
      await tab.page.getByRole("group", { name: "System notification" }).waitFor();
      expect(await findFaults(tab.page)).toEqual([]);
      await tab.page.getByRole("button", { name: "Invite", exact: true }).click();
      await tab.page.getByRole("button", { name: "Make a link" }).click();
      await tab.page.getByRole("img", { name: "QR code of the human link" }).waitFor();
      await tab.refusal(id).click();
      await tab.card(id).getByText("Dismissed by you").waitFor();
      expect(await findFaults(tab.page)).toEqual([]);
      await ben.api.close();
      await tab.page.getByText("This Room has ended.").waitFor();
      expect(await findFaults(tab.page)).toEqual([]);
    },
  );

  it.each([320, 375, 768, 1280])("never scrolls sideways, %i px wide", async (width) => {
    const tab = await scene.openPage("Ana", { viewport: { width, height: 700 } });
    const times = { expiresInMs: 300_000, maxExpiresInMs: 600_000 };
    const long = "w".repeat(512);
    const id = await scene.ask(command("ls"), STD.slice(0, 2), times);
    await scene.claude.send({ type: "say", text: long });
    await tab.page.locator(".msg").waitFor();
    const sideways = () =>
      tab.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    for (const panel of ["People", "Notify me", "Invite"]) {
      await tab.page.getByRole("button", { name: panel, exact: true }).click();
      await tab.page.locator(".panel").waitFor();
      expect(await sideways()).toBe(0);
    }
    await tab.page.getByRole("button", { name: "Make an invite" }).click();
    await tab.page.getByRole("region", { name: "One line for a terminal" }).waitFor();
    await tab.refusal(id).click();
    await tab.card(id).getByText("Dismissed by you").waitFor();
    expect(await sideways()).toBeLessThanOrEqual(0);
  });

  it.each(["light", "dark"] as const)(
    "has no serious fault where nobody has asked yet, %s",
    async (colorScheme) => {
      const tab = await openPage(colorScheme);
      await tab.page.getByRole("button", { name: "Make the line" }).click();
      await tab.page.locator(".demo code").waitFor();
      expect(await findFaults(tab.page)).toEqual([]);
    },
  );

  it("has no serious fault at its door", async () => {
    const page = await (await bench.newContext()).newPage();
    await useAxe(page);
    await page.goto(bench.server.url);
    await page.getByRole("button", { name: "Create a Room" }).waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.goto(scene.room.humanUrl);
    await page.getByLabel("Your name").waitFor();
    expect(await findFaults(page)).toEqual([]);
  });

  // B96
  it("is told once, politely, who asks and of what kind, and how it ended", async () => {
    const tab = await openPage();
    const log = tab.page.locator(".sr[role=log]");
    const secret = "c".repeat(300);
    const id = await scene.ask(command(secret));
    await log.getByText("claude asks: Run a command").waitFor();
    expect(await log.getAttribute("aria-live")).toBe("polite");
    await tab.ready(id, "allow-1");
    expect(await log.locator("p").allInnerTexts()).toEqual(["claude asks: Run a command"]);
    await tab.option(id, "allow-1").click();
    await log.getByText("claude: You chose “Allow once”").waitFor();
    expect(await log.innerText()).not.toContain(secret);
    const live = tab.page.locator("[aria-live] .left, [role=status] .left, [role=log] .left");
    expect(await live.count()).toBe(0);
  });

  // B98
  it("says in this order who, what, where, warnings, options, for eye and ear and Tab", async () => {
    const tab = await openPage();
    await tab.page.setViewportSize({ width: 360, height: 800 });
    const toolCall = command("echo a\u200Bb\n".repeat(40), { title: "Say it" });
    const id = await scene.ask({ ...toolCall, locations: [{ path: "/workspace/a" }] });
    const parts = [".card-who", ".what-kind", ".said", ".term", ".facts", ".warns", ".options"];
    await tab.card(id).locator(".warns").waitFor();
    const order = await tab.card(id).evaluate(
      (card, parts) =>
        parts.map((part) => {
          const element = card.querySelector(part);
          const all = [...card.querySelectorAll("*")];
          return [
            element === null ? -1 : all.indexOf(element),
            element?.getBoundingClientRect().top,
          ];
        }),
      parts,
    );
    const sorted = (values: unknown[]) => (values as number[]).toSorted((a, b) => a - b);
    for (const values of [order.map(([dom]) => dom), order.map(([, top]) => top)]) {
      expect(values).toEqual(sorted(values));
    }
    await tab.card(id).focus();
    const passed: string[] = [];
    for (let tabs = 0; tabs < 12 && passed.at(-1) !== "allow-1"; tabs += 1) {
      await tab.page.keyboard.press("Tab");
      const focused = tab.page.locator(":focus");
      passed.push(
        (await focused.getAttribute("data-option")) ?? (await focused.getAttribute("class")) ?? "",
      );
    }
    expect(passed).toContain("ev-scroll");
    expect(passed.at(-1)).toBe("allow-1");
  });

  it("is a labelled group whose buttons carry the whole name", async () => {
    const tab = await openPage();
    const id = await scene.ask(command("ls"), STD);
    await tab.ready(id, "allow-1");
    const card = tab.page.getByRole("group", { name: "claude Run a command" });
    expect(await card.count()).toBe(1);
    const name = "Always allow allows and may be remembered by the agent";
    expect(await card.getByRole("button", { name }).count()).toBe(1);
    const list = card.getByRole("list", { name: "Options, as claude offered them" });
    expect(await list.getByRole("button").count()).toBe(3);
  });

  it("moves nothing where motion is unwanted", async () => {
    const tab = await openPage();
    await tab.page.emulateMedia({ reducedMotion: "reduce" });
    const id = await scene.ask(command("ls"));
    const allow = await tab.ready(id, "allow-1");
    const durations = await allow.evaluate((row) => getComputedStyle(row).transitionDuration);
    expect(durations).toMatch(/^0s(, 0s)*$/);
  });
});
