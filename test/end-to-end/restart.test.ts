import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRoom } from "../../src/client/index.ts";
import { LiveMember } from "../support/live-member.ts";
import { LiveServer } from "../support/live-server.ts";

const OPTIONS = [
  { optionId: "allow-1", name: "Allow once", kind: "allow_once" },
  { optionId: "no-2", name: "Reject", kind: "reject_once" },
];

const server = new LiveServer();
let lastId = 0;

beforeAll(() => server.start());
afterAll(() => server.end());

interface Scene {
  ana: LiveMember;
  claude: LiveMember;
  /** What the resident's process still holds. */
  parked: string[];
}

async function scene(): Promise<Scene> {
  const room = await createRoom({ server: server.url }, {});
  const ana = await LiveMember.join(server.url, room.humanInvite, "Ana");
  const claude = await LiveMember.join(server.url, room.residentInvite, "claude");
  const parked: string[] = [];
  await ana.connect();
  await claude.connect(() => parked);
  return { ana, claude, parked };
}

async function ask({ claude, parked }: Scene, expiresInMs = 120_000): Promise<string> {
  lastId += 1;
  const requestId = `request-${lastId}`;
  const status = await claude.api.request({
    requestId,
    toolCall: { toolCallId: "t1", title: "npm test" },
    options: OPTIONS,
    expiresInMs,
  });
  expect(status.state).toBe("pending");
  parked.push(requestId);
  return requestId;
}

async function killAndRestart(): Promise<void> {
  await server.kill();
  await server.start();
}

describe("kill -9 of the whole server", () => {
  it("with a card pending keeps the card, its deadline and its asker", async () => {
    const room = await scene();
    const requestId = await ask(room);
    const before = await room.ana.next("card_opened");
    await killAndRestart();
    const welcome = await room.ana.next("welcome");
    expect(welcome.cards).toEqual([before.card]);
    await room.claude.next("welcome");
    await room.ana.send({ type: "decide", requestId, optionId: "allow-1" });
    const decision = await room.claude.next("decision");
    expect(decision.outcome).toEqual({ outcome: "selected", optionId: "allow-1" });
    const acked = await room.claude.send({ type: "decision_ack", requestId, applied: true });
    expect(acked.status?.delivery.state).toBe("applied");
    expect(room.claude.count("decision")).toBe(0);
  });

  it("with a decision waiting gives it to its resident once, when that is back", async () => {
    const room = await scene();
    const requestId = await ask(room);
    // A restart with only Ana coming back is the surest way of being away.
    room.claude.disconnect();
    await killAndRestart();
    await room.ana.next("welcome");
    await room.ana.send({ type: "decide", requestId, optionId: "no-2" });
    const settled = await room.ana.next("card_settled");
    expect(settled.delivery.state).toBe("waiting");
    await killAndRestart();
    const welcome = await room.ana.next("welcome");
    expect(welcome.recent[0]).toMatchObject({
      requestId,
      settlement: settled.settlement,
      delivery: { state: "waiting" },
    });
    await room.claude.connect(() => room.parked);
    const decision = await room.claude.next("decision");
    expect(decision.settlement).toEqual(settled.settlement);
    await room.claude.send({ type: "decision_ack", requestId, applied: true });
    expect(room.claude.count("decision")).toBe(0);
    expect((await room.ana.api.status(requestId)).delivery.state).toBe("applied");
  });

  it("with a decision sent but not acknowledged says so, and sends it again to whoever still holds it", async () => {
    const room = await scene();
    const requestId = await ask(room);
    await room.ana.send({ type: "decide", requestId, optionId: "allow-1" });
    const first = await room.claude.next("decision");
    await killAndRestart();
    const welcome = await room.ana.next("welcome");
    expect(welcome.recent[0]?.delivery.state).toBe("sent");
    const again = await room.claude.next("decision");
    expect({ ...again, serverTime: 0 }).toEqual({ ...first, serverTime: 0 });
    await room.claude.send({ type: "decision_ack", requestId, applied: true });
    expect((await room.ana.api.status(requestId)).delivery.state).toBe("applied");
  });

  it("in the middle of many requests and decisions loses none and settles none twice", async () => {
    const room = await scene();
    const settled = new Map<string, string>();
    const ids: string[] = [];
    for (let n = 0; n < 20; n += 1) ids.push(await ask(room));
    const racing = ids.map(async (requestId, n) => {
      const { optionId } = OPTIONS[n % 2] as { optionId: string };
      const answer = await room.ana.send({ type: "decide", requestId, optionId });
      settled.set(requestId, JSON.stringify(answer.status?.settlement));
    });
    await Promise.race(racing);
    await server.kill();
    await Promise.allSettled(racing);
    await server.start();
    await room.ana.next("welcome", ({ recent }) => recent.length > 0);
    for (const [n, requestId] of ids.entries()) {
      const status = await room.ana.api.status(requestId);
      // Whatever was answered is stored; what was not answered may have been, but only as it was pressed.
      const stored = JSON.stringify(status.settlement);
      expect([undefined, stored]).toContain(settled.get(requestId));
      expect([undefined, OPTIONS[n % 2]?.optionId]).toContain(
        status.settlement?.state === "decided" ? status.settlement.option.optionId : undefined,
      );
      if (status.state !== "pending") continue;
      expect(settled.has(requestId)).toBe(false);
      await room.ana.send({ type: "decide", requestId, optionId: "no-2" });
    }
    for (const requestId of ids) {
      const decision = await room.claude.next("decision", (one) => one.requestId === requestId);
      const { settlement } = await room.ana.api.status(requestId);
      expect(decision.settlement).toEqual(settlement);
    }
  });

  it("past a deadline expires the card on restart", async () => {
    const room = await scene();
    const requestId = await ask(room, 1000);
    await server.kill();
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await server.start();
    const welcome = await room.ana.next("welcome");
    expect(welcome.cards).toEqual([]);
    const { settlement, expiresAt } = await room.ana.api.status(requestId);
    expect(settlement).toEqual({ state: "expired", at: expiresAt });
    expect((await room.claude.next("decision")).outcome).toEqual({ outcome: "cancelled" });
  });
});
