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

// B74, B75
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

// B84
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

// B84
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

/** Reads every box that is open to its end. */
async function readAll(tab: RoomTab, requestId: string): Promise<void> {
  const all = tab.card(requestId).getByRole("button", { name: "Show all" });
  while ((await all.count()) > 0) await all.first().click();
}

describe("a request that changes more than a page can draw at once", () => {
  const contentOf = (files: number, oldText: string | null, newText: string) =>
    Array.from({ length: files }, (_, index) => ({
      type: "diff",
      path: `/w/${index + 1}`,
      oldText,
      newText,
    }));

  it("draws the first files, and stays locked until the others were shown", async () => {
    const tab = await scene.openPage("Ana");
    const content = contentOf(260, "a", "b");
    const id = await scene.ask({ toolCallId: "t1", kind: "edit", content });
    const diffs = tab.card(id).locator("[data-evidence=diff]");
    await tab.card(id).getByText("210 more files change, not seen yet").waitFor();
    expect(await diffs.count()).toBe(50);
    await tab.ready(id, "no-2");
    await tryToAllow(tab, id);
    await tab.card(id).getByRole("button", { name: "Show 200 more files" }).click();
    await tab.card(id).getByText("10 more files change, not seen yet").waitFor();
    await tryToAllow(tab, id);
    await tab.card(id).getByRole("button", { name: "Show 10 more files" }).click();
    await diffs.nth(259).waitFor();
    await tab.ready(id, "allow-1");
    expect(await diffs.count()).toBe(260);
  });

  it("draws as many rows as fit, and stays locked until the others were shown and read", async () => {
    const tab = await scene.openPage("Ana");
    const content = contentOf(3, null, "a\n".repeat(1_500));
    const small = { type: "diff", path: "/w/small", oldText: "a", newText: "b" };
    const id = await scene.ask({ toolCallId: "t1", kind: "edit", content: [...content, small] });
    await tab.card(id).getByText("1500 lines, not seen yet").first().waitFor();
    expect(await tab.card(id).locator("tr.add").count()).toBe(1_501);
    await tab.ready(id, "no-2");
    await readAll(tab, id);
    await tryToAllow(tab, id);
    const show = tab.card(id).getByRole("button", { name: "Show this change" });
    expect(await show.count()).toBe(2);
    await show.first().click();
    await show.first().click();
    await readAll(tab, id);
    await tab.ready(id, "allow-1");
    expect(await tab.card(id).locator("tr.add").count()).toBe(4_501);
  });
});

it("keeps in view what runs beside a harmless change, and locks until its end was read", async () => {
  const tab = await scene.openPage("Ana");
  const content = edit("/w/README", "a", "b")["content"];
  const args = Array.from({ length: 60 }, (_, index) => `argument ${index}`);
  const call = { toolCallId: "t1", kind: "execute", content };
  const short = await scene.ask({ ...call, rawInput: { cmd: "rm -rf /" } });
  const fields = tab.card(short).locator("[data-evidence=fields]");
  await fields.getByText('"cmd": "rm -rf /"').waitFor();
  await tab.ready(short, "allow-1");
  expect(await tab.card(short).locator("tr.add").count()).toBe(1);
  const long = await scene.ask({ ...call, rawInput: { command: "bash", args } });
  await tab.card(long).locator("[data-evidence=fields]").getByText("not seen yet").waitFor();
  await tab.ready(long, "no-2");
  await tryToAllow(tab, long);
});

it("counts what stands to the right of a box as not seen, where something cannot wrap", async () => {
  const tab = await scene.openPage("Ana");
  const id = await scene.ask(command(`echo ${"a".repeat(900)}`));
  await tab.ready(id, "allow-1");
  await tab
    .card(id)
    .locator("pre.term")
    .evaluate((element) => {
      element.style.whiteSpace = "pre";
    });
  await tab.card(id).getByText("More to the right, not seen yet").waitFor();
  await tab
    .card(id)
    .locator(".ev-scroll")
    .evaluate((box) => box.scrollTo(box.scrollWidth, 0));
  await tab.ready(id, "allow-1");
  expect(await tab.card(id).locator(".ev-more").innerText()).toContain("Read to its end");
});

it("marks the other half of a line's end quietly, in rows that stay as they are too", async () => {
  const tab = await scene.openPage("Ana");
  const id = await scene.ask(edit("/a", "one\r\ntwo\r\nthree\r\n", "one\r\n2\r\nthree\r\n"));
  const rows = tab.card(id).locator(".diff tr");
  await rows.first().waitFor();
  expect(await rows.locator(".ws").allInnerTexts()).toEqual(["CR", "CR", "CR", "CR"]);
  expect(await rows.locator(".esc").count()).toBe(0);
});

it("widens no page, however wide what it shows is", async () => {
  const tab = await scene.openPage("Ana", { viewport: { width: 320, height: 700 } });
  const wide = `${"W".repeat(2_000)}o${"\u0301\u0323".repeat(200)}\u001B[${"0".repeat(900)}m\uFDFD`;
  const id = await scene.ask({
    ...edit(wide, wide, `${wide}x`),
    title: wide.slice(0, 290),
    rawInput: { command: wide, cwd: wide, [wide]: wide },
    locations: [{ path: `/${wide}`, line: 3, glob: wide }],
  });
  await tab.card(id).locator("[data-evidence=diff]").waitFor();
  await tab.card(id).locator("summary").click();
  await tab.card(id).locator("details pre").waitFor();
  const width = await tab.page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBe(320);
});

describe("what draws a change", () => {
  it("keeps the card locked where it does not come, and says so", async () => {
    const tab = await scene.openPage("Ana", {}, async (page) => {
      await page.route("**/assets/change-list-*", (route) => route.abort());
    });
    const id = await scene.ask(edit("/w/a.txt", "a\n", "b\n"));
    await tab.card(id).getByText("This part of the page could not be loaded.").waitFor();
    await tab.card(id).getByText("Refusing is live now").waitFor();
    await tryToAllow(tab, id);
    await tab.page.unroute("**/assets/change-list-*");
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
