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
  await tab
    .card(first)
    .getByText(/more fields?$/)
    .click();
  await tab.option(first, "no").click();
  await tab.page.mouse.move(2, 2);
  await tab.settled(first).waitFor();
  await tab.settled(first).locator("summary").click();
  const second = await scene.ask(toolCall, options, {}, agent);
  await tab
    .card(second)
    .getByText(/more fields?$/)
    .click();
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

  // B78, B80, B81, B82
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

  it.each([
    ["tag letters", "ls\u{E0061}\u{E0062} ok", "ls⟨U+E0061⟩⟨U+E0062⟩ ok"],
    ["a filler that is blank", "ls \u3164\u3164; id", "ls ⟨U+3164 ×2⟩; id"],
    [
      "a soft hyphen, a joiner and a mark",
      "r\u00ADm\u2060 \uFEFFx",
      "r⟨U+00AD⟩m⟨U+2060⟩ ⟨U+FEFF⟩x",
    ],
    [
      "isolates and marks of direction",
      "a\u2066b\u2069\u200E\u061Cc",
      "a⟨U+2066⟩b⟨U+2069⟩⟨U+200E⟩⟨U+061C⟩c",
    ],
    ["a terminal's own acts", "ls\u001B[2K\u001B[1Arm x", "ls␛[2K␛[1Arm x"],
    ["300 spaces", `ls${" ".repeat(300)}; rm x`, "ls⟨300 spaces⟩; rm x"],
    ["40 blank lines", `ls${"\n".repeat(41)}rm x`, "⟨40 blank lines⟩"],
  ])("cannot hide what follows: %s", async (_, hidden, shown) => {
    const tab = await openPage();
    const options = [
      { optionId: "a", name: hidden, kind: "allow_once" },
      { optionId: "n", name: "No", kind: "reject_once" },
    ];
    const toolCall = {
      toolCallId: "t1",
      kind: "execute",
      title: "x",
      rawInput: { command: hidden },
    };
    const id = await scene.ask(toolCall, options);
    const term = tab.card(id).locator(".term");
    await term.waitFor();
    expect(await term.textContent()).toContain(shown);
    // It is in view: nothing was pushed out of the box.
    expect(await tab.card(id).locator(".ev-more").count()).toBe(0);
    await tab.ready(id, "a");
    expect(await tab.card(id).locator(".warn").count()).toBeGreaterThan(0);
    const name = await tab.option(id, "a").locator(".opt-name").textContent();
    expect(name).toMatch(/⟨|␛/);
    expect(tab.decided).toEqual([]);
  });

  it("cannot reorder what stands beside it", async () => {
    const tab = await openPage();
    const command = "rm \u05D0\u05D1.txt 1 \u202E2";
    const id = await scene.ask({ toolCallId: "t1", kind: "execute", rawInput: { command } });
    const runs = tab.card(id).locator(".term bdi");
    await runs.first().waitFor();
    expect(await runs.allTextContents()).toEqual(["rm ", "\u05D0\u05D1", ".txt 1 ", "2"]);
    for (const run of await runs.all()) expect(await run.getAttribute("dir")).toBe("ltr");
  });

  // B78
  it.each([
    ["a source and its target", "mv \u05D7\u05D3\u05E9 \u05D9\u05E9\u05DF"],
    ["digits", "chmod \u05D0 777"],
    ["the ends of a pipe", "curl x/\u05D1 | \u0645\u0644\u0641 ; rm"],
    ["folders", "/srv/\u05D0\u05D1/\u05D2\u05D3/\u05D4\u05D5"],
    ["more than is parted", "\u05D0 1 ".repeat(2_600).trim()],
  ])("reorders nothing by letters that are written from right to left: %s", async (_, text) => {
    const tab = await openPage();
    const id = await scene.ask({
      toolCallId: "t1",
      rawInput: { command: text },
      locations: [{ path: text }],
    });
    await tab.ready(id, "no-2");
    for (const place of [".term .l", ".facts .mono"]) {
      const drawn = tab.card(id).locator(place).first();
      expect((await drawn.textContent()) === text).toBe(true);
      const isInOrder = await drawn.evaluate((line) => {
        const words: DOMRect[] = [];
        const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
        const range = document.createRange();
        while (walker.nextNode() !== null) {
          const node = walker.currentNode as Text;
          for (const { index, 0: word } of node.data.matchAll(/[^\s|/;]+/g)) {
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            words.push(range.getBoundingClientRect());
          }
        }
        return words.every((word, n) => {
          const before = words[n - 1];
          return before === undefined || before.left < word.left || before.top < word.top;
        });
      });
      expect({ place, isInOrder }).toEqual({ place, isInOrder: true });
    }
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

describe("text without an end", () => {
  it.each([320, 1280])("in a name widens no page, %i px wide", async (width) => {
    const tab = await scene.openPage("Ana", { viewport: { width, height: 800 } });
    const name = "Claude Code on build-runner-17 (release pipeline, eu-central-1)";
    await bench.join(scene.room.residentInvite, name);
    await tab.page.getByLabel("To", { exact: true }).getByText(name).waitFor({ state: "attached" });
    const sideways = await tab.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(sideways).toBe(0);
  });

  it.each([320, 1280])("never leaves its card, %i px wide", async (width) => {
    const tab = await scene.openPage("Ana", { viewport: { width, height: 800 } });
    const long = `\u001B[${"0".repeat(300)};. ./x`;
    const many = "\u001B[1;2;3;4;5;6;7m".repeat(12);
    await scene.claude.send({ type: "say", text: long + many });
    const id = await scene.ask(
      {
        toolCallId: "t1",
        kind: `${"W".repeat(3_000)}END`,
        title: `T ${long.slice(0, 250)}`,
        rawInput: { command: `echo ${long}${many}`, cwd: long },
      },
      [
        { optionId: "y", name: `Allow ${long}${many}`, kind: "allow_once" },
        { optionId: "n", name: "No", kind: "reject_once" },
      ],
    );
    await tab.card(id).locator(".opt-name").first().waitFor();
    await tab.page.locator(".msg").waitFor();
    const outside = await tab.page.locator(".card, .msg").evaluateAll((boxes) =>
      boxes.flatMap((box) => {
        const { right } = box.getBoundingClientRect();
        return [...box.querySelectorAll(":not(.sr)")]
          .filter((it) => it.getBoundingClientRect().right > right + 1)
          .map((it) => it.outerHTML.slice(0, 80));
      }),
    );
    expect(outside).toEqual([]);
    const sideways = await tab.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(sideways).toBe(0);
  });

  it("shares what the page can draw of escapes over all rows, files and notes, and hides none", async () => {
    const tab = await openPage();
    const line = "\u200Ba".repeat(60);
    const file = (path: string, rows: number) => ({
      type: "diff",
      path,
      oldText: "",
      newText: `${line}\n`.repeat(rows),
    });
    const note = {
      type: "content",
      content: { type: "text", text: `${line.repeat(10)}\n`.repeat(9) },
    };
    const content = [file("/a", 900), file("/b", 900), ...Array.from({ length: 20 }, () => note)];
    const id = await scene.ask({ toolCallId: "t1", kind: "edit", content });
    await tab.card(id).getByRole("button", { name: "Show" }).first().waitFor();
    const last = tab.card(id).locator(".diff .c").last();
    expect(await last.textContent()).toBe("⟨U+200B⟩a".repeat(60));
    expect(await tab.card(id).locator(".esc").count()).toBeLessThan(30_000);
  });

  it("that names a kind stands in a box of its own, and locks until it was read", async () => {
    const tab = await openPage();
    const kind = `${"kind ".repeat(1_000)}END`;
    const id = await scene.ask({ toolCallId: "t1", kind, rawInput: { command: "ls" } });
    const box = tab.card(id).locator("[data-evidence=kind]");
    expect(await box.locator(".term").textContent()).toBe(kind);
    expect(await tab.card(id).getByRole("heading").last().innerText()).toBe(
      "Other, named by the agent below",
    );
    await box.getByRole("button", { name: "Show all" }).click();
    await tab.ready(id, "allow-1");
  });
});

describe("options that look alike", () => {
  // B86
  it.each([320, 1280])(
    "are told apart by their last word, after 2 000 bytes, %i px wide",
    async (width) => {
      const tab = await scene.openPage("Ana", { viewport: { width, height: 800 } });
      const name = (end: string) =>
        `${"Allow writes below /srv/a-rather-long-name ".repeat(46)}${end}`;
      const options = ["staging", "production"].map((end) => ({
        optionId: end,
        name: name(end),
        kind: "allow_once",
      }));
      const id = await scene.ask({ toolCallId: "t1", rawInput: { command: "ls" } }, [
        ...options,
        { optionId: "word", name: "x".repeat(2_000), kind: "allow_once" },
        { optionId: "no", name: "No", kind: "reject_once" },
      ]);
      await tab.ready(id, "staging");
      const rows = tab.card(id).locator("[data-option]");
      expect(await rows.locator(".opt-name").allInnerTexts()).toEqual([
        name("staging"),
        name("production"),
        "x".repeat(2_000),
        "No",
      ]);
      const cut = await rows.evaluateAll(
        (all) =>
          all.filter(
            (row) => row.scrollWidth > row.clientWidth || row.scrollHeight > row.clientHeight,
          ).length,
      );
      expect(cut).toBe(0);
      const sideways = await tab.page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(sideways).toBe(0);
    },
  );

  it("have their ids beside them, letters of other writings and invisible ones included", async () => {
    const tab = await openPage();
    const names = ["Allow", "\u0410llow", "AIlow", "All\u200Bow", "Allow always", "No"];
    const options = names.map((name, n) => ({
      optionId: `o${n}`,
      name,
      kind: n === 5 ? "reject_once" : "allow_once",
    }));
    const id = await scene.ask({ toolCallId: "t1", rawInput: { command: "ls" } }, options);
    await tab.ready(id, "o0");
    const ids = await tab.card(id).locator(".opt-id").allInnerTexts();
    expect(ids.map((text) => text.trim())).toEqual(["id o0", "id o1", "id o2", "id o3"]);
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
