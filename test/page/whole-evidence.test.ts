import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ToolCall } from "../../src/protocol/index.ts";
import { shapeEvidence } from "../../src/resident/evidence.ts";
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
// What a page logs as an error fails its test: violations of its CSP are among that.
afterEach(() => bench.clearAfterPeace());

const LINES = Array.from({ length: 31_000 }, (_, index) => `line ${index + 1}\n`);

function edit(path: string, oldText: string | null, newText: string): ToolCall {
  return { toolCallId: "t1", kind: "edit", content: [{ type: "diff", path, oldText, newText }] };
}

/** Whatever is tried, nothing that allows leaves the page. */
async function tryToAllow(tab: RoomTab, requestId: string): Promise<void> {
  for (const optionId of ["allow-1", "always-9"]) {
    const option = tab.option(requestId, optionId);
    expect(await option.getAttribute("aria-disabled")).toBe("true");
    await option.click({ force: true });
    await option.press("Enter");
  }
  await tab.card(requestId).focus();
  await tab.page.keyboard.press("1");
  await tab.page.keyboard.press("2");
  expect(await tab.card(requestId).locator(".second-body").count()).toBe(0);
  expect(tab.decided).toEqual([]);
}

describe("a command of 64 kB with its danger at the end", () => {
  const text = `${"echo all is well; ".repeat(3_600)}rm -rf "$HOME"`;
  const asked = command(text, { title: "Say that all is well" });

  it("cannot be allowed before its end has been in view, in no way", async () => {
    const tab = await scene.openPage("Ana");
    let letGo = () => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await tab.page.route("**/tool-call", async (route) => {
      await held;
      await route.continue();
    });
    const id = await scene.ask(asked);
    await tab.card(id).getByText("Loading the whole request").waitFor();
    await tab.ready(id, "no-2");
    await tryToAllow(tab, id);
    letGo();
    await tab.card(id).getByText("not seen yet").waitFor();
    expect(await tab.card(id).locator(".term .l").innerText()).toBe(text);
    await tryToAllow(tab, id);
    const box = tab.card(id).locator(".ev-scroll");
    // All but the last lines are not enough.
    await box.evaluate((element) =>
      element.scrollTo(0, element.scrollHeight - element.clientHeight - 60),
    );
    await tab.card(id).getByText("3 more lines, not seen yet").waitFor();
    await tryToAllow(tab, id);
    await box.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await (await tab.ready(id, "allow-1")).click();
    await tab.card(id).getByText("You chose “Allow once”").waitFor();
  });
});

describe("a file of 31 000 lines that is changed at its end", () => {
  it.each([
    ["whole", (call: ToolCall) => call],
    ["as its resident cuts it", (call: ToolCall) => shapeEvidence(call, []) as ToolCall],
  ])("shows that change: %s", async (_, shape) => {
    const before = LINES.join("");
    const tab = await scene.openPage("Ana");
    const id = await scene.ask(shape(edit("/w/big.txt", before, `${before}rm -rf "$HOME"\n`)));
    const added = tab.card(id).locator("tr.add");
    await added.waitFor();
    expect(await added.count()).toBe(1);
    expect(await added.locator(".c").innerText()).toBe('rm -rf "$HOME"');
    expect(await added.locator(".n").allInnerTexts()).toEqual(["", "31001"]);
    expect(await tab.card(id).locator("tr.del").count()).toBe(0);
    expect(await tab.card(id).innerText()).not.toMatch(/no (changes|difference)|equal/i);
    await tab.ready(id, "allow-1");
  });

  it("says what was not sent, that it is said to be unchanged, and offers no fold for it", async () => {
    const before = LINES.slice(0, 4_000);
    const after = before.with(1_999, "two thousand\n").with(3_499, "and so on\n");
    const call = edit("/w/big.txt", before.join(""), after.join(""));
    const tab = await scene.openPage("Ana");
    const id = await scene.ask(shapeEvidence(call, []) as ToolCall);
    const diff = tab.card(id).locator("[data-evidence=diff]");
    await diff.locator(".ev-name").getByText("Diff, part of a larger file").waitFor();
    expect(await diff.count()).toBe(1);
    expect(await diff.locator("tr.unsent").allInnerTexts()).toEqual([
      "1996 lines not sent, said to be unchanged",
      "1493 lines not sent, said to be unchanged",
      "Whatever follows in the file was not sent, said to be unchanged",
    ]);
    expect(await diff.locator(".fold-btn").count()).toBe(0);
    expect(await diff.locator("tr.add .n").allInnerTexts()).toEqual(["", "2000", "", "3500"]);
    await tab.card(id).getByRole("button", { name: "Show all" }).click();
    await tab.ready(id, "allow-1");
  });

  it("unfolds what is unchanged a piece at a time", async () => {
    const before = LINES.slice(0, 2_000);
    const tab = await scene.openPage("Ana");
    const after = before.with(1_999, "the end\n");
    const id = await scene.ask(edit("/w/a.txt", before.join(""), after.join("")));
    const rows = tab.card(id).locator(".diff tr:not(.fold)");
    const unfold = tab.card(id).getByRole("button", { name: "unchanged lines" });
    expect(await unfold.innerText()).toBe("1996 unchanged lines");
    for (const [shown, left] of [
      [500, "1496 unchanged lines"],
      [1_000, "996 unchanged lines"],
    ] as const) {
      await unfold.click();
      await unfold.and(tab.page.getByText(left)).waitFor();
      expect(await rows.count()).toBe(shown + 5);
    }
    await unfold.click();
    await unfold.click();
    await unfold.waitFor({ state: "detached" });
    expect(await rows.count()).toBe(2_001);
  });
});

describe("a file that is no edited text", () => {
  const hello = "hello\n";
  it.each([
    ["new", edit("/w/a", null, hello), "New file", "hello"],
    ["new and empty", edit("/w/a", null, ""), "New file", "It is empty."],
    [
      "new and too large to draw",
      edit("/w/a", null, hello.repeat(2_500)),
      "New file",
      "Too large, not shown as a diff.",
    ],
    ["new or empty", edit("/w/a", "", hello), "New or empty file", "hello"],
    ["deleted", edit("/w/a", hello, ""), "Emptied or deleted", "hello"],
    ["binary", edit("/w/a", "PNG\0a", "PNG\0b"), "Change", "Binary, not shown as a diff."],
    ["new and binary", edit("/w/a", null, "PNG\0b"), "New file", "Binary, not shown as a diff."],
    [
      "too large to draw",
      edit("/w/a", hello.repeat(2_500), "bye\n".repeat(2_500)),
      "Change",
      "Too large, not shown as a diff.",
    ],
  ])("says so beside its path: %s", async (_, call, name, says) => {
    const tab = await scene.openPage("Ana");
    const id = await scene.ask(call);
    const block = tab.card(id).locator("[data-evidence=diff]");
    await block.waitFor();
    expect(await block.locator(".ev-name").innerText()).toBe(name);
    expect(await block.locator(".ev-at").innerText()).toBe("/w/a");
    expect(await block.innerText()).toContain(says);
    expect(await block.innerText()).not.toMatch(/no (changes|difference)|equal/i);
  });

  it("is one of several, and the path and change of each is there", async () => {
    const tab = await scene.openPage("Ana");
    const call = edit("/w/a", "a\n", "b\n");
    const content = ["/w/a", "/w/b", "/w/c"].flatMap((path) => edit(path, "a\n", "b\n")["content"]);
    const id = await scene.ask({ ...call, content, locations: [{ path: "/w/d", line: 7 }] });
    const diffs = tab.card(id).locator("[data-evidence=diff]");
    await diffs.nth(2).waitFor();
    expect(await diffs.locator(".ev-at").allInnerTexts()).toEqual(["/w/a", "/w/b", "/w/c"]);
    expect(await diffs.locator("tr.add").count()).toBe(3);
    expect(await tab.card(id).locator(".facts").innerText()).toContain("/w/d, line 7");
  });

  it("says of an edit without a diff that none came, and shows the fields that tell", async () => {
    const tab = await scene.openPage("Ana");
    const call = { toolCallId: "t1", kind: "edit", locations: [{ path: "/w/a" }] };
    const bare = await scene.ask(call);
    await tab.card(bare).getByText("The agent sent no diff").waitFor();
    const rawInput = { file_path: "/w/a", new_string: "rm -rf" };
    const told = await scene.ask({ ...call, rawInput });
    const fields = tab.card(told).locator("[data-evidence=fields]");
    await fields.getByText('"new_string": "rm -rf"').waitFor();
    await tab.card(told).getByText("The agent sent no diff").waitFor();
    for (const id of [bare, told]) {
      expect(await tab.card(id).innerText()).not.toMatch(/no changes/i);
    }
  });
});

describe("what draws a change", () => {
  it("keeps the card locked where it does not come, and says so", async () => {
    const tab = await scene.openPage("Ana", {}, async (page) => {
      await page.route("**/assets/change-block-*", (route) => route.abort());
    });
    const id = await scene.ask(edit("/w/a.txt", "a\n", "b\n"));
    await tab.card(id).getByText("This part of the page could not be loaded.").waitFor();
    await tab.card(id).getByText("Refusing is live now").waitFor();
    await tryToAllow(tab, id);
    await tab.page.unroute("**/assets/change-block-*");
    await tab.card(id).getByRole("button", { name: "Reload the page" }).click();
    await tab.connected();
    await tab.card(id).locator("tr.add").waitFor();
    await (await tab.ready(id, "allow-1")).click();
    await tab.card(id).getByText("You chose “Allow once”").waitFor();
    expect(tab.decided).toEqual([{ requestId: id, optionId: "allow-1" }]);
    // The browser itself logs what did not come.
    bench.problems.length = 0;
  });
});
