import { describe, expect, it } from "vitest";
import {
  ackAs,
  ask,
  call,
  createRoom,
  post,
  statusAs,
  withdrawAs,
} from "../support/workerd/room.ts";

describe("isolation", () => {
  it("Room A knows nothing of Room B, and the same requestId is free in each", async () => {
    const [a, b] = [await createRoom("A"), await createRoom("B")];
    const [inA, inB] = [await a.resident(), await b.resident()];
    const [ana, ben] = [await a.human(), await b.human()];
    const [socketA, socketB] = [await ana.socket(), await ben.socket()];
    const requestId = await ask(inA);
    expect((await statusAs(ben, requestId)).status).toBe(404);
    expect(await socketB.ask({ type: "decide", requestId, optionId: "allow-1" })).toMatchObject({
      error: { code: "request_not_found" },
    });
    expect((await post(inB, requestId)).status).toBe(201);
    await socketB.ask({ type: "decide", requestId, optionId: "no-2" });
    expect((await statusAs(ana, requestId)).body.state).toBe("pending");
    expect(await socketA.soFar("card_settled")).toEqual([]);
  });

  // B71
  it("a resident learns nothing of another's cards, decisions or load", async () => {
    const room = await createRoom();
    const ana = await room.human();
    const [one, two] = [await room.resident("one"), await room.resident("two")];
    const [a, r2] = [await ana.socket(), await two.socket()];
    const requestId = await ask(one, { toolCall: { toolCallId: "t", title: "SECRET-COMMAND" } });
    await a.ask({ type: "decide", requestId, optionId: "allow-1" });
    for (const type of ["card_opened", "card_settled", "decision", "card_delivery"] as const) {
      expect(await r2.soFar(type)).toEqual([]);
    }
    for (const reply of [
      await statusAs(two, requestId),
      await ackAs(two, requestId, true),
      await withdrawAs(two, requestId),
    ]) {
      expect(reply.status).toBe(404);
      expect(reply.body.error?.code).toBe("request_not_found");
    }
    const acked = await r2.ask({ type: "decision_ack", requestId, applied: true });
    expect(acked).toMatchObject({ type: "rejected", error: { code: "request_not_found" } });
    await r2.ask({
      type: "resume",
      parked: [requestId],
      answered: [{ requestId, applied: false }],
    });
    expect(await r2.soFar("decision")).toEqual([]);
    expect((await statusAs(ana, requestId)).body.delivery.state).toBe("waiting");
    const view = await call("GET", "/api/room", { token: two.token });
    expect(JSON.stringify(view.body)).not.toContain("SECRET-COMMAND");
    expect(view.body).toMatchObject({ cards: [], recent: [] });
  });

  it("a tool call is read by humans alone", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const requestId = await ask(claude);
    const path = `/api/room/permissions/${requestId}/tool-call`;
    expect((await call("GET", path, { token: ana.token })).status).toBe(200);
    const refused = await call("GET", path, { token: claude.token });
    expect(refused.body.error?.code).toBe("human_only");
  });
});
