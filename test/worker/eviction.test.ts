import { describe, expect, it } from "vitest";
import { ask, createRoom, type Member, statusAs, type TestRoom } from "../support/workerd/room.ts";
import type { TestSocket } from "../support/workerd/socket.ts";

type Eviction = "none" | "hibernate" | "close";

/** Between which two steps the object is evicted. */
const POINTS = ["opened", "decided", "delivered", "acknowledged"] as const;

/** Cuts in, and leaves both sides connected again as real clients would be. */
async function evictAt(
  room: TestRoom,
  how: Eviction,
  members: { ana: Member; claude: Member },
  sockets: { a: TestSocket; r: TestSocket },
  parked: string[],
): Promise<{ a: TestSocket; r: TestSocket }> {
  if (how === "none") return sockets;
  await room.evict(how);
  if (how === "hibernate") return sockets;
  const a = await members.ana.socket();
  const r = await members.claude.socket();
  await a.next("welcome");
  await r.next("welcome");
  await r.ask({ type: "resume", parked, answered: [] });
  return { a, r };
}

describe.each(["hibernate", "close"] as const)("eviction (%s)", (how) => {
  // B39, B44, B48
  it.each(POINTS)("once the request is %s loses nothing and doubles nothing", async (point) => {
    const room = await createRoom();
    const members = { ana: await room.human(), claude: await room.resident() };
    let sockets = { a: await members.ana.socket(), r: await members.claude.socket() };
    const cut = async (at: (typeof POINTS)[number], parked: string[]): Promise<void> => {
      if (at === point) sockets = await evictAt(room, how, members, sockets, parked);
    };
    const requestId = await ask(members.claude);
    await cut("opened", [requestId]);
    const answer = await sockets.a.ask({ type: "decide", requestId, optionId: "always-9" });
    expect(answer.type).toBe("accepted");
    await cut("decided", [requestId]);
    const decision = await sockets.r.next("decision");
    expect(decision.outcome).toEqual({ outcome: "selected", optionId: "always-9" });
    await cut("delivered", []);
    const acked = await sockets.r.ask({ type: "decision_ack", requestId, applied: true });
    expect(acked).toMatchObject({ status: { delivery: { state: "applied" } } });
    await cut("acknowledged", []);
    expect(await sockets.r.soFar("decision")).toEqual([]);
    const { body } = await statusAs(members.ana, requestId);
    expect(body.settlement).toEqual(decision.settlement);
    expect(body.delivery.state).toBe("applied");
    const again = await sockets.a.ask({ type: "decide", requestId, optionId: "always-9" });
    expect(again.type).toBe("accepted");
  });

  it("while a decision waits for its resident keeps it for the resident's return", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const a = await ana.socket();
    const requestId = await ask(claude);
    await a.ask({ type: "decide", requestId, optionId: "allow-1" });
    await room.evict(how);
    expect((await statusAs(ana, requestId)).body.delivery.state).toBe("waiting");
    const back = await claude.socket();
    await room.evict(how === "close" ? "hibernate" : how);
    await back.ask({ type: "resume", parked: [requestId], answered: [] });
    expect((await back.next("decision")).requestId).toBe(requestId);
  });

  it("keeps who is who: the settlement names the human of the socket", async () => {
    const room = await createRoom();
    const [ana, ben, claude] = [
      await room.human("Ana"),
      await room.human("Ben"),
      await room.resident(),
    ];
    const requestId = await ask(claude);
    let [a, b] = [await ana.socket(), await ben.socket()];
    await room.evict(how);
    if (how === "close") [a, b] = [await ana.socket(), await ben.socket()];
    await b.ask({ type: "decide", requestId, optionId: "no-2" });
    expect((await a.next("card_settled")).settlement).toMatchObject({
      by: { participantId: ben.participantId, name: "Ben" },
    });
  });
});
