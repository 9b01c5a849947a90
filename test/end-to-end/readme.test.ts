import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../scripts/server.ts";
import { createRoom } from "../../src/client/index.ts";
import { LiveMember } from "../support/live-member.ts";
import { LiveServer } from "../support/live-server.ts";

const server = new LiveServer();

beforeAll(() => server.start());
afterAll(() => server.end());

/** The README's shell block with the resident, as a newcomer would paste it. */
function residentInCurl(): string {
  const block = /```sh\n(json\(\) [\s\S]*?)```/.exec(readFileSync(`${ROOT}README.md`, "utf8"));
  if (block?.[1] === undefined) throw new Error("the README has no resident in curl");
  return block[1];
}

describe("the README's resident in curl", () => {
  it.each([
    { optionId: "yes", runs: true },
    { optionId: "no", runs: false },
  ])("acts only on the option that allows: $optionId", async ({ optionId, runs }) => {
    const room = await createRoom({ server: server.url }, {});
    const ana = await LiveMember.join(server.url, room.humanInvite, "Ana");
    await ana.connect();
    const shell = spawn("sh", ["-c", residentInCurl()], {
      env: { ...process.env, HOST: server.url, INVITE: room.residentInvite },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const output = text(shell.stdout);
    const { card } = await ana.next("card_opened");
    expect(card.toolCall["rawInput"]).toEqual({ command: "./deploy 4.2" });
    await ana.send({ type: "decide", requestId: card.requestId, optionId });
    const [code] = await once(shell, "exit");
    expect(code).toBe(0);
    expect(await output).toMatch(runs ? /^deploying$/m : /^not deploying$/m);
    const { delivery } = await ana.api.status(card.requestId);
    expect(delivery.state).toBe("applied");
    ana.disconnect();
  });

  it("has at most ten commands", () => {
    const lines = residentInCurl()
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("  "));
    expect(lines.length).toBeLessThanOrEqual(10);
  });
});
