import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRoom } from "../../src/client/index.ts";
import type { PermissionOption } from "../../src/protocol/index.ts";
import { LiveMember } from "../support/live-member.ts";
import { LiveServer } from "../support/live-server.ts";

const OPTIONS: PermissionOption[] = [
  { optionId: "allow-1", name: "Allow once", kind: "allow_once" },
  { optionId: "no-2", name: "Reject", kind: "reject_once" },
];

const server = new LiveServer();

beforeAll(() => server.start());
afterAll(() => server.end());

describe("the alarm under `wrangler dev`", () => {
  // B34, B35: an alarm armed for now, from inside the alarm, is dropped there.
  it("settles cards of the same and of the next millisecond, and one that was asked for later", async () => {
    const room = await createRoom({ server: server.url }, {});
    const ana = await LiveMember.join(server.url, room.humanInvite, "Ana");
    const claude = await LiveMember.join(server.url, room.residentInvite, "claude");
    await ana.connect();
    await claude.connect();
    const ask = async (expiresInMs: number): Promise<string> => {
      const requestId = randomUUID();
      const toolCall = { toolCallId: "t1", title: "npm test" };
      await claude.api.request({ requestId, toolCall, options: OPTIONS, expiresInMs });
      return requestId;
    };
    const long = await ask(60_000);
    const ids = await Promise.all([1_000, 1_000, 1_001, 1_001, 1_002].map(ask));
    for (const requestId of [...ids, await ask(1_000)]) {
      const { settlement } = await ana.next(
        "card_settled",
        (frame) => frame.requestId === requestId,
      );
      const arrived = Date.now();
      const { expiresAt } = await ana.api.status(requestId);
      expect(settlement).toEqual({ state: "expired", at: expiresAt });
      expect(arrived - expiresAt).toBeLessThan(2_000);
      const decision = await claude.next("decision", (frame) => frame.requestId === requestId);
      expect(decision.outcome).toEqual({ outcome: "cancelled" });
    }
    expect((await ana.api.status(long)).state).toBe("pending");
    ana.disconnect();
    claude.disconnect();
  });
});
