import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PageBench, type RoomScene, type RoomTab } from "../support/page-bench.ts";

let bench: PageBench;
let scene: RoomScene;
const requests: string[] = [];

beforeAll(async () => {
  bench = await PageBench.start();
});
afterAll(() => bench.end());
beforeEach(async () => {
  scene = await bench.openRoom();
});
afterEach(async () => {
  await bench.clearAfterPeace();
  requests.length = 0;
});

async function openPage(): Promise<RoomTab> {
  const tab = await scene.openPage("Ana");
  tab.page.on("request", (request) => requests.push(request.url()));
  return tab;
}

/** Puts one text everywhere that an agent can put one, in a card that waits and in one that is settled. */
async function everywhere(text: string): Promise<RoomTab> {
  const tab = await openPage();
  const agent = await bench.join(scene.room.residentInvite, `${text.slice(0, 40)} bot`);
  const toolCall = {
    toolCallId: "t1",
    title: text,
    kind: text.slice(0, 60),
    content: [
      { type: "content", content: { type: "text", text } },
      { type: "diff", path: text, oldText: `${text}\nold`, newText: `${text}\nnew` },
    ],
    locations: [{ path: `/${text}` }],
    rawInput: { command: text, cwd: text, [text]: text },
  };
  const options = [
    { optionId: text, name: text, kind: "allow_once" },
    { optionId: "no", name: `${text} no`, kind: "reject_once" },
  ];
  const first = await scene.ask(toolCall, options, {}, agent);
  await tab.card(first).getByText("more fields").click();
  await tab.option(first, "no").click();
  await tab.page.mouse.move(2, 2);
  await tab.settled(first).waitFor();
  await tab.settled(first).locator("summary").click();
  const second = await scene.ask(toolCall, options, {}, agent);
  await tab.card(second).getByText("more fields").click();
  return tab;
}

describe("text that would be markup", () => {
  it.each([
    `<img src=x onerror=window.ran=1><script>window.ran=1</script>`,
    "`x` [Approve](https://evil.test) <https://evil.test|ok> @everyone ![](https://evil.test/p.png)",
    `"><a href=javascript:window.ran=1>Approve</a><style>*{display:none}</style>`,
  ])("is literal everywhere: %s", async (text) => {
    const tab = await everywhere(text);
    const { page } = tab;
    expect(await page.evaluate(() => (window as { ran?: number }).ran)).toBeUndefined();
    expect(
      await page
        .locator(`a:not([href="/docs/permissions"]), img, iframe, #page script, #page style`)
        .count(),
    ).toBe(0);
    expect(await page.getByText(text, { exact: true }).count()).toBeGreaterThan(4);
    const elsewhere = requests.filter((url) => !url.startsWith(bench.server.url));
    expect(elsewhere).toEqual([]);
  });
});

describe("text that hides", () => {
  const text = "cat \u202Efdp.troper\u202C; su\u200Bdo\u001B[31m rm x";

  it("is shown as escapes wherever it stands, with a warning", async () => {
    const tab = await everywhere(text);
    const page = await tab.page.locator("body").innerText();
    for (const hidden of ["\u202E", "\u202C", "\u200B", "\u001B"]) {
      expect(page).not.toContain(hidden);
    }
    expect(page).toContain("cat ⟨U+202E⟩fdp.troper⟨U+202C⟩; su⟨U+200B⟩do");
    expect(page).toMatch(/\d+ hidden or reordering characters\./);
    const options = tab.page.locator("button[data-option]").first();
    expect(await options.innerText()).toContain("⟨U+202E⟩");
  });

  it("cannot reorder what stands beside it", async () => {
    const tab = await openPage();
    const command = "rm \u05D0\u05D1.txt 1 \u202E2";
    const id = await scene.ask({ toolCallId: "t1", kind: "execute", rawInput: { command } });
    const runs = tab.card(id).locator(".term bdi");
    await runs.first().waitFor();
    expect(await runs.allInnerTexts()).toEqual(["rm \u05D0\u05D1.txt 1 ", "2"]);
    for (const run of await runs.all()) expect(await run.getAttribute("dir")).toBe("ltr");
  });

  it("names the agent with an id that it cannot imitate", async () => {
    const tab = await openPage();
    const agent = await bench.join(scene.room.residentInvite, "Maria (human) ✓");
    const id = await scene.ask({ toolCallId: "t1" }, undefined, {}, agent);
    const who = await tab.card(id).locator(".card-who").innerText();
    expect(who).toContain(agent.participantId.slice(-6));
    expect(await tab.card(id).locator(".card-head .avatar-agent").count()).toBe(1);
  });
});

describe("the page's own defences", () => {
  it.each(["/", "/r", "/nowhere"])("are served with %s", async (path) => {
    const response = await fetch(bench.server.url + path);
    const csp = response.headers.get("content-security-policy") ?? "";
    expect(csp).toContain("default-src 'none'");
    expect(csp).toContain("frame-ancestors 'none'");
    expect(csp).not.toMatch(/unsafe|data:|\*/);
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    const html = await response.text();
    expect(html).not.toMatch(/<style|style=|<script>|\son\w+=/);
  });
});
