import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { command, PageBench, type RoomScene, STD } from "../support/page-bench.ts";
import { between } from "../support/page-line.ts";

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

// room-page.test.ts
describe("the options of a card", () => {
  // B1
  it("are four where four of one kind were offered, in their order, and the page's Refuse is none of them", async () => {
    const names = ["Alpha", "Bravo", "Charlie", "Delta"];
    const options = names.map((name, n) => ({ optionId: `c${n}`, name, kind: "allow_once" }));
    const tab = await scene.openPage("Ana");
    const id = await scene.ask(command("ls"), options);
    await tab.ready(id, "c3");
    const rows = tab.card(id).locator("[data-option]");
    expect(await rows.locator(".opt-name").allInnerTexts()).toEqual(names);
    const ids = await rows.evaluateAll((all) => all.map((row) => row.getAttribute("data-option")));
    expect(ids).toEqual(["c0", "c1", "c2", "c3"]);
    expect(await tab.card(id).locator(".choose button").count()).toBe(5);
    expect(await tab.refusal(id).getAttribute("data-option")).toBeNull();
    await tab.option(id, "c2").click();
    await tab.card(id).getByText("You chose “Charlie”").waitFor();
    expect(tab.decided).toEqual([{ requestId: id, optionId: "c2" }]);
  });

  // B9
  it.each(["p", "q"])("of one name each send their own id: %s", async (optionId) => {
    const options = [
      { optionId: "p", name: "Allow", kind: "allow_once" },
      { optionId: "q", name: "Allow", kind: "allow_once" },
      { optionId: "n", name: "No", kind: "reject_once" },
    ];
    const tab = await scene.openPage("Ana");
    const id = await scene.ask(command("ls"), options);
    await tab.ready(id, optionId);
    const named = tab.card(id).getByRole("button", { name: new RegExp(`^Allow id ${optionId} `) });
    expect(await named.count()).toBe(1);
    await named.click();
    const { outcome } = await scene.claude.next("decision");
    expect(outcome).toEqual({ outcome: "selected", optionId });
    expect(tab.decided).toEqual([{ requestId: id, optionId }]);
  });
});

// safeguards.test.ts
describe("a press", () => {
  // B18
  it("of a digit that is held down answers the focused card alone", async () => {
    const tab = await scene.openPage("Ana");
    const first = await scene.ask(command("ls"));
    const second = await scene.ask(command("pwd"));
    await tab.ready(second, "allow-1");
    await tab.card(first).focus();
    for (let n = 0; n < 5; n += 1) await tab.page.keyboard.down("1");
    await tab.card(first).getByText("You chose “Allow once”").waitFor();
    for (let n = 0; n < 20; n += 1) await tab.page.keyboard.down("1");
    await tab.page.keyboard.up("1");
    expect(tab.decided).toEqual([{ requestId: first, optionId: "allow-1" }]);
    expect((await scene.claude.api.status(second)).state).toBe("pending");
  });

  // B18
  it("that comes 40 ms after another at the same place answers no second card", async () => {
    const tab = await scene.openPage("Ana");
    const first = await scene.ask(command("ls"));
    const second = await scene.ask(command("ls"));
    await tab.ready(second, "allow-1");
    const box = await (await tab.ready(first, "allow-1")).boundingBox();
    if (box === null) throw new Error("not on the page");
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await tab.page.mouse.click(x, y);
    await tab.page.waitForTimeout(40);
    await tab.page.mouse.click(x, y);
    await tab.card(first).getByText("You chose “Allow once”").waitFor();
    await tab.page.mouse.click(x, y);
    expect(tab.decided).toEqual([{ requestId: first, optionId: "allow-1" }]);
    expect((await scene.claude.api.status(second)).state).toBe("pending");
  });
});

// room-page.test.ts
describe("how a card ends", () => {
  // B16
  it("is one end on both pages where two people press at once", async () => {
    const ana = await scene.openPage("Ana");
    const ben = await scene.openPage("Ben");
    for (let n = 0; n < 3; n += 1) {
      const id = await scene.ask(command(`echo ${n}`));
      const [allow, reject] = [await ana.ready(id, "allow-1"), await ben.ready(id, "no-2")];
      // Whoever is second may find the option gone already.
      const press = { timeout: 5_000 };
      await Promise.allSettled(
        n % 2 === 0
          ? [allow.click(press), reject.click(press)]
          : [reject.click(press), allow.click(press)],
      );
      const { settlement } = await scene.claude.next(
        "decision",
        ({ requestId }) => requestId === id,
      );
      if (settlement.state !== "decided") throw new Error(`it is ${settlement.state}`);
      const { by, option } = settlement;
      const [winner, loser] = by.name === "Ana" ? [ana, ben] : [ben, ana];
      expect(option.optionId).toBe(by.name === "Ana" ? "allow-1" : "no-2");
      const end = `: “${option.name}”`;
      await winner
        .card(id)
        .or(winner.settled(id))
        .getByText(`You chose “${option.name}”`)
        .first()
        .waitFor();
      await loser
        .card(id)
        .or(loser.settled(id))
        .getByText(`Decided by ${by.name}${end}`)
        .first()
        .waitFor();
      expect(scene.claude.count("decision")).toBe(0);
    }
  });

  // B26, B31
  it("by its deadline is the same on every page: expired, nothing allowed, ask again; a new request is a new card", async () => {
    const tabs = [await scene.openPage("Ana"), await scene.openPage("Ben")];
    const first = await scene.ask(command("ls"), STD, { expiresInMs: 1_500 });
    const { expiresAt } = await scene.claude.api.status(first);
    const told = await Promise.all(
      tabs.map(async (tab) => {
        const end = tab.card(first).or(tab.settled(first));
        await end.getByText("Expired. Nobody answered.").waitFor();
        return Date.now() - expiresAt;
      }),
    );
    expect(Math.max(...told)).toBeLessThan(2_000);
    for (const tab of tabs) {
      expect(await tab.page.locator("[data-option]").count()).toBe(0);
      await tab.settled(first).locator("summary").click();
      await tab
        .settled(first)
        .getByText(/Its time ran out at .+\. Nothing was allowed; the agent may ask again\./)
        .waitFor();
      const words = await tab.settled(first).innerText();
      expect(words).not.toMatch(/once approved|will (run|complete)|denied|refused/i);
      expect(tab.decided).toEqual([]);
    }
    const second = await scene.ask(command("ls"));
    expect(second).not.toBe(first);
    for (const tab of tabs) await tab.ready(second, "allow-1");
    await (tabs[0] as (typeof tabs)[number]).option(second, "allow-1").click();
    await scene.claude.next("decision", ({ requestId }) => requestId === second);
    expect((await scene.claude.api.status(first)).state).toBe("expired");
  });

  // B13
  it("says that a decision was not applied where the agent's side says so", async () => {
    const tab = await scene.openPage("Ana");
    const id = await scene.ask(command("ls"));
    await (await tab.ready(id, "allow-1")).click();
    await tab.card(id).getByText("You chose “Allow once”").waitFor();
    await scene.claude.api.ack(id, false);
    await tab.card(id).locator(".steps").getByText("Not applied").waitFor();
    expect(await tab.card(id).locator(".steps").innerText()).not.toMatch(/^Applied/m);
    await tab.page.mouse.move(2, 2);
    await tab.settled(id).getByText("Not applied").first().waitFor();
  });
});

// broken-lines.test.ts
describe("a click that came too late", () => {
  // B21
  it("shows who, what and when where the frame of the settlement was lost", async () => {
    const ana = await scene.openPage("Ana", {}, async (page) => {
      await between(page, { holds: [], loses: ["card_settled"] });
    });
    const ben = await scene.joinHuman("Ben");
    const id = await scene.ask(command("ls"));
    await ana.ready(id, "no-2");
    await ben.send({ type: "decide", requestId: id, optionId: "allow-1" });
    await ana.option(id, "no-2").click();
    const from = Date.now();
    await ana.card(id).getByText("Decided by Ben: “Allow once”").waitFor();
    expect(Date.now() - from).toBeLessThan(1_000);
    expect(await ana.card(id).locator(".steps").innerText()).toMatch(/Decided \d\d?:\d\d:\d\d/);
    expect(await ana.card(id).locator("button[data-option][aria-disabled=false]").count()).toBe(0);
    expect(ana.decided).toEqual([{ requestId: id, optionId: "no-2" }]);
  });
});

// room-page.test.ts
describe("a card", () => {
  // B52
  it("is answerable whatever came after it: messages, a withdrawn card, another card, a reload", async () => {
    const tab = await scene.openPage("Ana");
    const first = await scene.ask(command("ls"));
    for (let n = 0; n < 20; n += 1) await scene.claude.send({ type: "say", text: `line ${n}` });
    const broken = await scene.ask(command("false"));
    await scene.claude.api.withdraw(broken, "turn_ended");
    const second = await scene.ask(command("pwd"));
    await tab.ready(second, "allow-1");
    await tab.page.reload();
    await tab.connected();
    for (const [id, optionId] of [
      [second, "no-2"],
      [first, "allow-1"],
    ] as const) {
      await (await tab.ready(id, optionId)).click();
      const { requestId, outcome } = await scene.claude.next(
        "decision",
        (frame) => frame.requestId !== broken,
      );
      expect([requestId, outcome]).toEqual([id, { outcome: "selected", optionId }]);
    }
  });

  // B72
  it("names its agent, though two of one name ask the same at once", async () => {
    const tab = await scene.openPage("Ana");
    const other = await bench.join(scene.room.residentInvite, "claude");
    const asked = command("deploy");
    const [one, two] = await Promise.all([
      scene.ask(asked),
      scene.ask(asked, undefined, {}, other),
    ]);
    const who = (id: string) => tab.card(id).locator(".card-who").innerText();
    await tab.ready(two, "allow-1");
    const [mine, theirs] = [await who(one), await who(two)];
    expect(mine).not.toBe(theirs);
    expect(mine).toContain("claude");
    expect(theirs).toContain("claude (2)");
    expect(theirs).not.toContain(scene.claude.participantId.slice(-6));
    await tab.option(two, "allow-1").click();
    expect((await other.next("decision")).requestId).toBe(two);
    expect(scene.claude.count("decision")).toBe(0);
    expect((await scene.claude.api.status(one)).state).toBe("pending");
  });
});
