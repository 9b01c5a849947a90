import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCommand } from "../../src/cli/run-command.ts";
import { SurroundingsBench } from "./surroundings-bench.ts";

const ROOM = "A".repeat(43);
const HUMAN = `hr1.hi.${ROOM}.${ROOM}`;

let server: Server;
let origin: string;

beforeEach(async () => {
  server = createServer((_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        roomId: ROOM,
        name: "Room",
        humanInvite: HUMAN,
        residentInvite: `hr1.ri.${ROOM}.${ROOM}`,
        humanUrl: `${origin}/r#${HUMAN}`,
        createdAt: 0,
      }),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** What `room` prints of a server that calls itself by some origin. */
async function makeRoom(calledBy: string, isTTY: boolean): Promise<string> {
  origin = calledBy;
  const { port } = server.address() as AddressInfo;
  const bench = new SurroundingsBench();
  Object.assign(bench.stdout, { isTTY });
  const exitCode = await runCommand(["room", "--server", `http://127.0.0.1:${port}`], bench);
  expect({ exitCode, complained: bench.complained }).toEqual({ exitCode: 0, complained: "" });
  return bench.printed;
}

const CODE = /[▀▄█]{5}/;

describe("the code to scan", () => {
  it.each(["https://rooms.example", "http://192.168.1.7:8787"])(
    "is drawn on a terminal for %s",
    async (calledBy) => {
      const printed = await makeRoom(calledBy, true);
      expect(printed).toMatch(CODE);
      expect(printed).toContain("For people: open this link, or scan the code.\n");
    },
  );

  it.each([
    ["http://127.0.0.1:8787", true],
    ["http://localhost:8787", true],
    ["http://rooms.localhost", true],
    ["http://[::1]:8787", true],
    ["https://rooms.example", false],
  ])("is neither drawn nor spoken of for %s (on a terminal: %s)", async (calledBy, isTTY) => {
    const printed = await makeRoom(calledBy, isTTY);
    expect(printed).not.toMatch(CODE);
    expect(printed).toContain("For people: open this link.\n");
  });
});
