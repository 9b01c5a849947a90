import { describe, expect, it } from "vitest";
import { stopClock } from "../support/workerd/clock.ts";
import { ackAs, ask, createRoom, post, statusAs, withdrawAs } from "../support/workerd/room.ts";

const RESUME = { type: "resume", answered: [] };

describe("a decision", () => {
  // B40
  it("made while the resident is away waits, and reaches it once when it is back", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const a = await ana.socket();
    const first = await claude.socket();
    const requestId = await ask(claude);
    first.close();
    await room.disconnected(claude);
    const answer = await a.ask({ type: "decide", requestId, optionId: "always-9" });
    expect(answer).toMatchObject({ status: { delivery: { state: "waiting" } } });
    expect((await a.next("card_settled")).delivery.state).toBe("waiting");
    const back = await claude.socket();
    await back.next("welcome");
    expect(await back.soFar("decision")).toEqual([]);
    await back.ask({ ...RESUME, parked: [requestId] });
    const decision = await back.next("decision");
    expect(decision).toMatchObject({
      requestId,
      outcome: { outcome: "selected", optionId: "always-9" },
      delivery: { state: "sent" },
    });
    expect((await a.next("card_delivery")).delivery.state).toBe("sent");
    const acked = await back.ask({ type: "decision_ack", requestId, applied: true });
    expect(acked).toMatchObject({ type: "accepted", status: { delivery: { state: "applied" } } });
    expect((await a.next("card_delivery")).delivery.state).toBe("applied");
    expect(await back.soFar("decision")).toEqual([]);
  });

  it("not fetched until its deliverBy is not applied: the resident is told cancelled, the record says decided", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const a = await ana.socket();
    const clock = stopClock();
    const requestId = await ask(claude, { expiresInMs: 10_000 });
    await a.ask({ type: "decide", requestId, optionId: "allow-1" });
    clock.advance(59_999);
    expect((await statusAs(ana, requestId)).body.delivery.state).toBe("waiting");
    clock.advance(1);
    await room.alarm();
    expect((await a.next("card_delivery")).delivery.state).toBe("not_applied");
    const back = await claude.socket();
    await back.ask({ ...RESUME, parked: [requestId] });
    expect(await back.next("decision")).toMatchObject({
      outcome: { outcome: "cancelled" },
      settlement: { state: "decided", option: { optionId: "allow-1" }, by: { name: "Ana" } },
      delivery: { state: "not_applied" },
    });
    for (const reply of [await statusAs(claude, requestId), await post(claude, requestId)]) {
      expect(reply.body.outcome).toEqual({ outcome: "cancelled" });
    }
    await back.ask({ type: "decision_ack", requestId, applied: true });
    expect((await statusAs(ana, requestId)).body.delivery.state).toBe("not_applied");
  });

  it("is also not applied where the resident comes back late and no alarm has run", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const a = await ana.socket();
    const clock = stopClock();
    const requestId = await ask(claude, { expiresInMs: 10_000 });
    await a.ask({ type: "decide", requestId, optionId: "allow-1" });
    clock.advance(60_000);
    expect((await post(claude, requestId)).body).toMatchObject({
      outcome: { outcome: "cancelled" },
      settlement: { state: "decided" },
      delivery: { state: "not_applied" },
    });
  });

  it("settled just before the deadline is applied when it arrives well after it", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const [a, r] = [await ana.socket(), await claude.socket()];
    const clock = stopClock();
    const requestId = await ask(claude, { expiresInMs: 10_000 });
    clock.advance(9_990);
    await a.ask({ type: "decide", requestId, optionId: "allow-1" });
    clock.advance(2_010);
    await room.alarm();
    expect((await r.next("decision")).outcome).toEqual({
      outcome: "selected",
      optionId: "allow-1",
    });
    const acked = await r.ask({ type: "decision_ack", requestId, applied: true });
    expect(acked).toMatchObject({ status: { state: "decided", delivery: { state: "applied" } } });
  });

  it("once sent is never turned into not applied by time alone", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const [a] = [await ana.socket(), await claude.socket()];
    const clock = stopClock();
    const requestId = await ask(claude, { expiresInMs: 10_000 });
    await a.ask({ type: "decide", requestId, optionId: "allow-1" });
    clock.advance(86_400_000);
    await room.alarm();
    expect((await statusAs(ana, requestId)).body).toMatchObject({
      delivery: { state: "sent" },
      outcome: { outcome: "selected" },
    });
    expect((await ackAs(claude, requestId, true)).body.delivery.state).toBe("applied");
  });

  it("seen by a human's GET is not delivered; seen by its resident's it is", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const a = await ana.socket();
    const requestId = await ask(claude);
    await a.ask({ type: "decide", requestId, optionId: "allow-1" });
    expect((await statusAs(ana, requestId)).body.delivery.state).toBe("waiting");
    const seen = await statusAs(claude, requestId);
    expect(seen.body.delivery.state).toBe("sent");
    expect((await a.next("card_delivery")).delivery.state).toBe("sent");
  });

  it("whose send throws stays waiting in the same block", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const [a] = [await ana.socket(), await claude.socket()];
    const requestId = await ask(claude);
    await room.inside((_, state) => {
      for (const socket of state.getWebSockets(`p:${claude.participantId}`)) {
        socket.send = () => {
          throw new Error("broken pipe");
        };
      }
    });
    const answer = await a.ask({ type: "decide", requestId, optionId: "allow-1" });
    expect(answer).toMatchObject({ status: { delivery: { state: "waiting" } } });
    expect((await a.next("card_settled")).delivery.state).toBe("waiting");
    const alarm = await room.inside((_, state) => state.storage.getAlarm());
    expect(alarm).not.toBeNull();
    expect((await post(claude, requestId)).body.outcome).toMatchObject({ optionId: "allow-1" });
  });
});

describe("an acknowledgement", () => {
  it("lost on its way changes nothing of what was applied, when it comes again", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const [a, r] = [await ana.socket(), await claude.socket()];
    const requestId = await ask(claude);
    await a.ask({ type: "decide", requestId, optionId: "allow-1" });
    await r.next("decision");
    // The ack never left; the process comes back with it.
    const back = await claude.socket();
    await back.ask({ type: "resume", parked: [], answered: [{ requestId, applied: true }] });
    expect((await statusAs(ana, requestId)).body.delivery.state).toBe("applied");
    for (const applied of [true, false]) {
      expect((await ackAs(claude, requestId, applied)).body.delivery.state).toBe("applied");
      await back.ask({ type: "resume", parked: [], answered: [{ requestId, applied }] });
    }
    expect((await statusAs(ana, requestId)).body.delivery.state).toBe("applied");
    expect((await withdrawAs(claude, requestId)).status).toBe(409);
    expect((await statusAs(ana, requestId)).body.delivery.state).toBe("applied");
  });

  it("of a pending card is refused", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const requestId = await ask(claude);
    const reply = await ackAs(claude, requestId, true);
    expect(reply.status).toBe(409);
    expect(reply.body.error?.code).toBe("not_settled");
    expect((await statusAs(ana, requestId)).body.state).toBe("pending");
  });

  it("that says no makes the outcome cancelled from then on", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const [a, r] = [await ana.socket(), await claude.socket()];
    const requestId = await ask(claude);
    await a.ask({ type: "decide", requestId, optionId: "allow-1" });
    await r.ask({ type: "decision_ack", requestId, applied: false });
    expect((await statusAs(ana, requestId)).body).toMatchObject({
      state: "decided",
      outcome: { outcome: "cancelled" },
      delivery: { state: "not_applied" },
    });
  });
});
