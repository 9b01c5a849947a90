import { describe, expect, it } from "vitest";
import { ackAs, ask, createRoom, freshId, post, statusAs } from "../support/workerd/room.ts";

describe("resume", () => {
  it("with an immediate request withdraws nothing, two hundred times", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    for (let n = 0; n < 200; n += 1) {
      const socket = await claude.socket();
      const requestId = freshId();
      const resume = { type: "resume", parked: [] as string[], answered: [] };
      // In both orders, and with the request still on its way when `parked` was written.
      const order = n % 3;
      if (order === 0) socket.send(resume);
      const opened = post(claude, requestId);
      if (order === 1) socket.send(resume);
      const reply = await opened;
      if (order === 2) await socket.ask(resume);
      expect(reply.status).toBe(201);
      await socket.soFar("decision");
      expect((await statusAs(ana, requestId)).body.state).toBe("pending");
      await post(claude, requestId);
      const { body } = await ackAs(claude, requestId, true);
      expect(body.error?.code).toBe("not_settled");
      await socket.ask({ type: "resume", parked: [requestId], answered: [] });
      expect((await statusAs(ana, requestId)).body.state).toBe("pending");
      const withdrawn = await room.inside((object) =>
        object.withdraw("nobody", requestId, "turn_ended"),
      );
      expect(withdrawn.answer).toBe("unauthorized");
      const a = await ana.socket();
      await a.ask({ type: "decide", requestId, optionId: "no-2" });
      a.close();
      await socket.ask({ type: "decision_ack", requestId, applied: true });
    }
  }, 60_000);

  // B38
  it("of a restarted process withdraws the cards that it does not hold any more", async () => {
    const room = await createRoom();
    const [ana, claude, other] = [
      await room.human(),
      await room.resident(),
      await room.resident("other"),
    ];
    const a = await ana.socket();
    await claude.socket();
    const held = await ask(claude);
    const lost = await ask(claude);
    const foreign = await ask(other);
    const back = await claude.socket();
    expect((await back.next("welcome")).cards.map((card) => card.requestId)).toEqual([held, lost]);
    await back.ask({ type: "resume", parked: [held], answered: [] });
    expect(await a.next("card_settled")).toMatchObject({
      requestId: lost,
      settlement: { state: "withdrawn", reason: "resident_restarted" },
      delivery: { state: "none" },
    });
    expect((await statusAs(ana, held)).body.state).toBe("pending");
    expect((await statusAs(ana, foreign)).body.state).toBe("pending");
    const late = await a.ask({ type: "decide", requestId: lost, optionId: "allow-1" });
    expect(late).toMatchObject({ error: { code: "already_settled" } });
  });

  it("makes a waiting decision that no process holds not applied", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const a = await ana.socket();
    const requestId = await ask(claude);
    await a.ask({ type: "decide", requestId, optionId: "allow-1" });
    const back = await claude.socket();
    await back.ask({ type: "resume", parked: [], answered: [] });
    expect((await a.next("card_delivery")).delivery.state).toBe("not_applied");
    expect(await back.soFar("decision")).toEqual([]);
    expect((await statusAs(ana, requestId)).body).toMatchObject({
      state: "decided",
      outcome: { outcome: "cancelled" },
    });
  });

  it("tells every settled request that is still held, whatever its delivery, and ignores unknown ids", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const [a, first] = [await ana.socket(), await claude.socket()];
    const sent = await ask(claude);
    await a.ask({ type: "decide", requestId: sent, optionId: "allow-1" });
    await first.next("decision");
    const applied = await ask(claude);
    await a.ask({ type: "decide", requestId: applied, optionId: "no-2" });
    await ackAs(claude, applied, true);
    const back = await claude.socket();
    expect(await first.closed()).toBe(4000);
    const answer = await back.ask({
      type: "resume",
      parked: [sent, applied, freshId()],
      answered: [],
    });
    expect(answer.type).toBe("accepted");
    expect(await back.next("decision")).toMatchObject({
      requestId: sent,
      delivery: { state: "sent" },
    });
    expect(await back.next("decision")).toMatchObject({
      requestId: applied,
      delivery: { state: "applied" },
    });
  });
});

describe("a second socket of a resident", () => {
  // B47
  it("replaces the first: 4000 there, decisions here, acks still taken, nothing else heard", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const [a, first] = [await ana.socket(), await claude.socket()];
    const requestId = await ask(claude);
    await first.next("welcome");
    const second = await claude.socket();
    expect(await first.closed()).toBe(4000);
    await second.ask({ type: "resume", parked: [requestId], answered: [] });
    await a.ask({ type: "decide", requestId, optionId: "allow-1" });
    expect((await second.next("decision")).requestId).toBe(requestId);
    expect((await statusAs(ana, requestId)).body.delivery.state).toBe("sent");
    first.close();
    await second.ask({ type: "decision_ack", requestId, applied: true });
    expect((await statusAs(ana, requestId)).body.delivery.state).toBe("applied");
    const gone = (await a.soFar("participant_changed")).filter(
      ({ participant }) => participant.role === "resident" && !participant.present,
    );
    expect(gone).toEqual([]);
  });

  it("is known by its number after eviction too, whatever order the platform lists them in", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const a = await ana.socket();
    for (let n = 0; n < 4; n += 1) {
      const older = await claude.socket();
      const newer = await claude.socket();
      expect(await older.closed()).toBe(4000);
      await room.evict();
      const requestId = await ask(claude);
      await a.ask({ type: "decide", requestId, optionId: "allow-1" });
      expect((await newer.next("decision")).requestId).toBe(requestId);
      await newer.ask({ type: "decision_ack", requestId, applied: true });
    }
  });

  it("leaves the first only its acks", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const [a] = [await ana.socket(), await claude.socket()];
    const requestId = await ask(claude);
    await a.ask({ type: "decide", requestId, optionId: "allow-1" });
    const pending = await ask(claude);
    const [oldAck, oldResume] = [
      { type: "decision_ack", requestId, applied: true },
      { type: "resume", parked: [], answered: [] },
    ];
    await room.inside((_, state) => {
      const [old] = state.getWebSockets(`p:${claude.participantId}`);
      if (old === undefined) throw new Error("no socket");
      old.serializeAttachment({ ...old.deserializeAttachment(), lastSeqBefore: 99 });
    });
    const second = await claude.socket();
    await room.inside((object, state) => {
      const old = state
        .getWebSockets(`p:${claude.participantId}`)
        .find((socket) => socket.deserializeAttachment().isGone === true);
      // The client closed its side already; what it had sent before still arrives.
      if (old === undefined) return;
      object.webSocketMessage(old, JSON.stringify(oldResume));
      object.webSocketMessage(old, JSON.stringify(oldAck));
    });
    expect((await statusAs(ana, pending)).body.state).toBe("pending");
    expect(["sent", "applied"]).toContain((await statusAs(ana, requestId)).body.delivery.state);
    expect(await second.soFar("rejected")).toEqual([]);
  });
});
