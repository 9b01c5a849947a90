import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createRoom } from "../../src/client/index.ts";
import { LiveMember } from "../support/live-member.ts";
import { LiveServer } from "../support/live-server.ts";
import { STD } from "../support/fake-room.ts";

/** A Room with nothing to do is out of memory after about 10 s. */
const IDLE_MS = 30_000;

const server = new LiveServer();
beforeAll(() => server.start());
afterAll(() => server.end());

// B48
it(
  "a Room that was idle for half a minute still knows both sockets, who is who, and what waits",
  { timeout: IDLE_MS + 60_000 },
  async () => {
    const room = await createRoom({ server: server.url }, {});
    const ana = await LiveMember.join(server.url, room.humanInvite, "Ana");
    const claude = await LiveMember.join(server.url, room.residentInvite, "claude");
    await ana.connect();
    await claude.connect(() => []);
    const requestId = "request-1";
    const toolCall = { toolCallId: "t1", title: "npm test" };
    await claude.api.request({ requestId, toolCall, options: STD, expiresInMs: 120_000 });
    // There is no event for nothing happening.
    await sleep(IDLE_MS);
    // Over the sockets of before: a new one would have brought a welcome.
    expect([ana.count("welcome"), claude.count("welcome")]).toEqual([0, 0]);
    await ana.send({ type: "decide", requestId, optionId: "allow-1" });
    const { outcome, settlement } = await claude.next("decision");
    expect(outcome).toEqual({ outcome: "selected", optionId: "allow-1" });
    expect(settlement).toMatchObject({ state: "decided", by: { name: "Ana", role: "human" } });
    await claude.send({ type: "decision_ack", requestId, applied: true });
    expect([ana.count("welcome"), claude.count("welcome")]).toEqual([0, 0]);
    expect((await ana.api.status(requestId)).delivery.state).toBe("applied");
    ana.disconnect();
    claude.disconnect();
  },
);
