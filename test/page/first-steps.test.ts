import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createRoom } from "../../src/client/index.ts";
import { ROOT } from "../../scripts/project.ts";
import { PageBench, RoomScene } from "../support/page-bench.ts";

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

/** Runs a line as a shell does, with this project's own command in place of the one that it would download. */
async function runLine(line: string): Promise<{ code: number | null; output: string }> {
  const own = line.replace(/npx -y \S+\/handraise\.tgz/, `${process.execPath} src/cli/main.ts`);
  const child = spawn("sh", ["-c", own], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.on("data", (data) => (output += String(data)));
  child.stderr.on("data", (data) => (output += String(data)));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output };
}

describe("a Room in which nobody has asked yet", () => {
  it("has a line that opens a demo card, which the first press answers", async () => {
    const tab = await scene.openPage("Ana");
    await tab.page.getByRole("button", { name: "Make the line" }).click();
    const line = await tab.page.locator(".demo code").innerText();
    const run = runLine(line);
    const card = tab.page.locator("[data-card]");
    await card.getByText("Is this readable?").first().waitFor();
    expect(await tab.page.locator(".demo").count()).toBe(0);
    const allow = card.locator("[data-option]").first();
    await allow.and(tab.page.locator("[aria-disabled=false]")).click();
    const { code, output } = await run;
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining("Ana") });
  });

  it("leads to the invite of an agent while there is none, and to nothing once somebody has asked", async () => {
    const room = await createRoom({ server: bench.server.url }, {});
    const tab = await new RoomScene(bench, room, scene.claude).openPage("Ana");
    await tab.page.getByRole("button", { name: "Invite an agent" }).click();
    await tab.page.getByRole("button", { name: "Make an invite" }).waitFor();
    const agent = await bench.join(room.residentInvite, "claude");
    await tab.page.getByRole("button", { name: "Invite an agent" }).waitFor({ state: "detached" });
    const id = await scene.ask({ toolCallId: "t" }, undefined, {}, agent);
    await agent.api.withdraw(id, "turn_ended");
    await tab.settled(id).waitFor();
    await tab.page.getByRole("heading", { name: "Nobody is asking" }).waitFor();
    expect(await tab.page.locator(".demo").count()).toBe(0);
  });
});

describe("a Room that was just created", () => {
  it("shows the link with its code, and lines that hold no key where others could read it", async () => {
    const context = await bench.newContext();
    const page = await context.newPage();
    await page.goto(bench.server.url);
    await page.getByRole("button", { name: "Create a Room" }).click();
    await page.getByRole("img", { name: "QR code of the human link" }).waitFor();
    const textOf = (name: string) => page.getByRole("region", { name }).locator("code").innerText();
    const server = bench.server.url;
    expect(await textOf("Human link")).toMatch(/\/r#hr1\.hi\./);
    const run = await textOf("One line for a terminal");
    expect(run.startsWith(`HANDRAISE_INVITE='${server}/r#hr1.ri.`)).toBe(true);
    expect(run.endsWith(`' npx -y ${server}/handraise.tgz run -- YOUR-AGENT`)).toBe(true);
    expect(await textOf("A prompt for a setup agent")).not.toContain("hr1.");
  });
});
