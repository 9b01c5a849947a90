import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { command, PageBench, type RoomScene, type RoomTab } from "../support/page-bench.ts";

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

/** Keeps every text that a live region is given from now on, as a screen reader would say it. */
async function listen(tab: RoomTab): Promise<() => Promise<string[]>> {
  await tab.page.evaluate(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    const watch = new MutationObserver((changes) => {
      for (const change of changes) {
        const node = change.type === "characterData" ? change.target : change.addedNodes[0];
        const element = node instanceof Element ? node : node?.parentElement;
        const region = element?.closest("[aria-live], [role=log], [role=status], [role=alert]");
        const text = node?.textContent?.trim() ?? "";
        if (region && text !== "") said.push(text);
      }
    });
    watch.observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  return () => tab.page.evaluate(() => (window as unknown as { said: string[] }).said);
}

/** What changes with the clock and the id does not matter here. */
function withoutTimes(tree: string): string {
  return tree
    .replace(/\d+:\d\d(:\d\d)?/g, "TIME")
    .replace(/- time: .*/g, "- time: THEN")
    .replace(/- code: [\w-]{6}$/m, "- code: ID");
}

describe("the accessibility tree", () => {
  it("of a card that arrives: who, what, the evidence, and each option with what it does", async () => {
    const tab = await scene.openPage("Ana");
    const said = await listen(tab);
    const before = await tab.page.evaluate(() => document.activeElement?.tagName);
    const id = await scene.ask(command("npm test"));
    await tab.ready(id, "allow-1");
    const tree = withoutTimes(await tab.card(id).ariaSnapshot());
    expect(tree).toMatchInlineSnapshot(`
      "- group "claude Run a command":
        - paragraph:
          - text: claude
          - code: ID
          - text: online asked
          - time: THEN
        - text: "Time left: TIME"
        - heading "Run a command" [level=3]
        - text: Command
        - button "Copy Command"
        - code: npm test
        - group: 1 more field
        - list "Options, as claude offered them":
          - listitem:
            - button "Allow once allows once"
          - listitem:
            - button "Always allow allows and may be remembered by the agent"
          - listitem:
            - button "Reject refuses once""
    `);
    expect((await said()).filter((text) => text.includes("claude"))).toEqual([
      "claude asks: Run a command",
    ]);
    expect(await tab.page.evaluate(() => document.activeElement?.tagName)).toBe(before);
  });

  it("of a decision that is under way: no step that is still to come", async () => {
    const tab = await scene.openPage("Ana");
    const id = await scene.ask(command("npm test"));
    await tab.ready(id, "allow-1");
    scene.claude.disconnect();
    await tab.option(id, "allow-1").click();
    const steps = tab.card(id).locator(".steps");
    await steps.getByText("Applied").waitFor();
    expect(await steps.ariaSnapshot()).not.toContain("Applied");
  });

  it("of a card that settles: how it ended in place of the options, said once", async () => {
    const tab = await scene.openPage("Ana");
    const ben = await scene.joinHuman("Ben");
    const id = await scene.ask(command("npm test"));
    await tab.ready(id, "allow-1");
    const said = await listen(tab);
    // It keeps its place while a pointer is on it.
    await tab.card(id).hover();
    await ben.send({ type: "decide", requestId: id, optionId: "no-2" });
    await scene.claude.next("decision");
    await scene.claude.send({ type: "decision_ack", requestId: id, applied: true });
    await tab
      .card(id)
      .getByText(/^Applied /)
      .waitFor();
    const card = tab.card(id);
    expect(withoutTimes(await card.ariaSnapshot())).toMatchInlineSnapshot(`
      "- group "claude Run a command":
        - paragraph:
          - text: claude
          - code: ID
          - text: online asked
          - time: THEN
        - heading "Run a command" [level=3]
        - text: Command
        - button "Copy Command"
        - code: npm test
        - group: 1 more field
        - paragraph: "Decided by Ben: “Reject”"
        - list "Delivery":
          - listitem: Decided TIME
          - listitem: Sent to claude
          - listitem: Applied TIME"
    `);
    expect(await card.getByRole("button", { name: /once|remembered/ }).count()).toBe(0);
    const news = (await said()).filter((text) => text.includes("claude"));
    expect(news.filter((text) => text.startsWith("claude:"))).toEqual([
      "claude: Decided by Ben: “Reject”",
    ]);
  });

  it("of the page: landmarks and headings in an order that says what is where", async () => {
    const tab = await scene.openPage("Ana");
    const id = await scene.ask(command("npm test"));
    await tab.ready(id, "allow-1");
    const { page } = tab;
    for (const role of ["banner", "main", "complementary"] as const) {
      expect(await page.getByRole(role).count()).toBe(1);
    }
    await page.getByRole("region", { name: "Waiting for a person" }).waitFor();
    const headings = await page
      .getByRole("heading")
      .evaluateAll((all) => all.map((heading) => `${heading.tagName} ${heading.textContent}`));
    expect(headings).toEqual([
      "H1 Release 4.2",
      "H2 Residents, and who waits for what",
      "H2 Waiting for a person",
      "H3 Run a command",
      "H2 Talk",
    ]);
  });
});
