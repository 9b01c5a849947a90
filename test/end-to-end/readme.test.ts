import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../scripts/project.ts";
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

/** A proxy that cuts the connection of the first reply which tells of a settlement. */
async function cutFirstSettlement(): Promise<{ url: string; close(): void }> {
  let cuts = 0;
  const proxy = createServer(async (incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const body = method === "GET" ? {} : { body: await text(incoming) };
    const { authorization = "" } = headers;
    const reply = await fetch(`${server.url}${url}`, {
      ...(method === undefined ? {} : { method }),
      headers: { authorization, "content-type": "application/json" },
      ...body,
    });
    const answer = await reply.text();
    if (method === "GET" && answer.includes('"settlement":') && cuts === 0) {
      cuts += 1;
      incoming.socket.destroy();
      return;
    }
    outgoing.writeHead(reply.status, { "content-type": "application/json" }).end(answer);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const { port } = proxy.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => proxy.close() };
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

  it("takes no network error for an answer", async () => {
    const proxy = await cutFirstSettlement();
    const room = await createRoom({ server: server.url }, {});
    const ana = await LiveMember.join(server.url, room.humanInvite, "Ana");
    await ana.connect();
    const shell = spawn("sh", ["-c", residentInCurl()], {
      env: { ...process.env, HOST: proxy.url, INVITE: room.residentInvite },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const output = text(shell.stdout);
    const { card } = await ana.next("card_opened");
    await ana.send({ type: "decide", requestId: card.requestId, optionId: "yes" });
    await once(shell, "exit");
    expect(await output).toMatch(/^deploying$/m);
    expect((await ana.api.status(card.requestId)).delivery.state).toBe("applied");
    ana.disconnect();
    proxy.close();
  });

  it("has at most ten commands", () => {
    const lines = residentInCurl()
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("  "));
    expect(lines.length).toBeLessThanOrEqual(10);
  });
});

describe("the README", () => {
  it("gives every dependency its reason, and names none that is not there", () => {
    const readme = readFileSync(`${ROOT}README.md`, "utf8");
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(`${ROOT}package.json`, "utf8"),
    ) as Record<"dependencies" | "devDependencies", Record<string, string>>;
    const table = /## Dependencies[\s\S]*?\n\n(\|[\s\S]*?)\n\n/.exec(readme)?.[1] ?? "";
    const firstCells = table.split("\n").map((row) => row.split("|")[1] ?? "");
    const named = firstCells.flatMap((cell) =>
      [...cell.replace(/\(.*?\)/g, "").matchAll(/`([^`]+)`/g)].map((match) => match[1]),
    );
    const all = Object.keys({ ...dependencies, ...devDependencies });
    expect(named.toSorted()).toEqual(all.toSorted());
  });
});
