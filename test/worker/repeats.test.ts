import { describe, expect, it } from "vitest";
import {
  ask,
  createRoom,
  freshId,
  post,
  requestBody,
  STD,
  statusAs,
  withdrawAs,
} from "../support/workerd/room.ts";

describe("a repeated request", () => {
  it("while pending is the same card with the same deadline", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const a = await ana.socket();
    const requestId = freshId();
    const first = await post(claude, requestId, { expiresInMs: 60_000 });
    expect(first.status).toBe(201);
    expect(first.body).not.toHaveProperty("duplicate");
    const again = await post(claude, requestId, { expiresInMs: 90_000 });
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({
      duplicate: true,
      state: "pending",
      expiresAt: first.body.expiresAt,
    });
    await a.next("card_opened");
    expect(await a.soFar("card_opened")).toEqual([]);
  });

  it("once settled is answered with the settlement, and counts as taken", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const a = await ana.socket();
    const requestId = await ask(claude);
    await a.ask({ type: "decide", requestId, optionId: "allow-1" });
    const again = await post(claude, requestId);
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({
      duplicate: true,
      state: "decided",
      outcome: { outcome: "selected", optionId: "allow-1" },
      settlement: { state: "decided", by: { name: "Ana" } },
      delivery: { state: "sent" },
    });
    expect((await a.next("card_delivery")).delivery.state).toBe("sent");
  });

  // B25
  it("with other content is a conflict and leaves the first as it was", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const a = await ana.socket();
    const requestId = await ask(claude);
    const before = (await statusAs(ana, requestId)).body;
    const changed = [
      { toolCall: { toolCallId: "t1", title: "npm test", rawInput: { command: "rm -rf /" } } },
      { options: STD.slice(0, 2) },
      { options: STD.toReversed() },
      { turnId: "another" },
    ];
    for (const more of changed) {
      const reply = await post(claude, requestId, more);
      expect(reply.status).toBe(409);
      expect(Object.keys(reply.body.error ?? {}).sort()).toEqual(["code", "message"]);
      expect(reply.body.error?.code).toBe("request_conflict");
    }
    const after = (await statusAs(ana, requestId)).body;
    expect({ ...after, serverTime: 0 }).toEqual({ ...before, serverTime: 0 });
    expect((await a.next("card_opened")).card.toolCall["title"]).toBe("npm test");
  });

  it("is the same in whatever order its fields come", async () => {
    const room = await createRoom();
    const claude = await room.resident();
    const requestId = await ask(claude);
    const { toolCall, options } = requestBody(requestId) as {
      toolCall: object;
      options: object[];
    };
    const reversed = (value: object): object =>
      Object.fromEntries(Object.entries(value).toReversed());
    const again = await post(claude, requestId, {
      toolCall: reversed(toolCall),
      options: options.map(reversed),
    });
    expect(again.body).toMatchObject({ duplicate: true });
  });

  it("of another resident's id is a conflict that says nothing of the other", async () => {
    const room = await createRoom();
    const [one, two] = [await room.resident("one"), await room.resident("two")];
    const requestId = await ask(one);
    const reply = await post(two, requestId);
    expect(reply.status).toBe(409);
    expect(JSON.stringify(reply.body)).not.toContain("one");
    expect(JSON.stringify(reply.body)).not.toContain(one.participantId);
  });

  it("is never refused by a cap", async () => {
    const room = await createRoom();
    const claude = await room.resident();
    const ids = [];
    for (let n = 0; n < 64; n += 1) ids.push(await ask(claude));
    const over = await post(claude, freshId());
    expect(over.status).toBe(429);
    expect(over.body.error?.code).toBe("too_many_pending");
    expect(over.headers.get("retry-after")).not.toBeNull();
    expect((await post(claude, ids[0] as string)).status).toBe(200);
    // B109: another resident still gets through.
    expect((await post(await room.resident("other"), freshId())).status).toBe(201);
  });
});

describe("a withdrawal", () => {
  it("settles the card, names its reason, and repeats as a success", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const [a, r] = [await ana.socket(), await claude.socket()];
    const requestId = await ask(claude);
    const reply = await withdrawAs(claude, requestId, "turn_cancelled");
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      state: "withdrawn",
      settlement: { reason: "turn_cancelled" },
      outcome: { outcome: "cancelled" },
      delivery: { state: "none" },
    });
    const settled = await a.next("card_settled");
    expect(settled.settlement).not.toHaveProperty("by");
    expect((await withdrawAs(claude, requestId, "turn_cancelled")).status).toBe(200);
    expect(await a.ask({ type: "decide", requestId, optionId: "allow-1" })).toMatchObject({
      type: "rejected",
      error: { code: "already_settled", settlement: { state: "withdrawn" } },
    });
    expect(await r.soFar("decision")).toEqual([]);
  });

  it("that comes after a decision is told of it, which delivers it", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const a = await ana.socket();
    const requestId = await ask(claude);
    await a.ask({ type: "decide", requestId, optionId: "allow-1" });
    const reply = await withdrawAs(claude, requestId);
    expect(reply.status).toBe(409);
    expect(reply.body.error).toMatchObject({
      code: "already_settled",
      settlement: { state: "decided", option: { optionId: "allow-1" } },
    });
    expect((await statusAs(ana, requestId)).body.delivery.state).toBe("sent");
  });

  it("that overtakes its own request leaves no card behind", async () => {
    const room = await createRoom();
    const [ana, claude, other] = [
      await room.human(),
      await room.resident(),
      await room.resident("other"),
    ];
    const a = await ana.socket();
    const requestId = freshId();
    const reply = await withdrawAs(claude, requestId);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ state: "withdrawn", settlement: { reason: "turn_ended" } });
    expect(reply.body.openedAt).toBe(reply.body.expiresAt);
    expect((await post(claude, requestId)).body).toMatchObject({ state: "withdrawn" });
    expect((await post(other, requestId)).body.error?.code).toBe("request_conflict");
    expect((await withdrawAs(other, requestId)).status).toBe(404);
    expect((await statusAs(ana, requestId)).status).toBe(404);
    expect(await a.soFar("card_opened")).toEqual([]);
    expect(await a.soFar("card_settled")).toEqual([]);
  });
});
