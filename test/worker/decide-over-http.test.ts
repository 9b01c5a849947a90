import { describe, expect, it } from "vitest";
import { stopClock } from "../support/workerd/clock.ts";
import { decideAs, dismissAs } from "../support/workerd/commands.ts";
import { ask, call, freshId, statusAs, withdrawAs } from "../support/workerd/room.ts";
import { openScene } from "../support/workerd/scene.ts";

const ALLOW = { outcome: "selected", optionId: "allow-1" };

describe("a decision over HTTP", () => {
  it("settles like a frame: the resident and every human are told, the reply has it all", async () => {
    const { ana, claude, a, b, r } = await openScene();
    const requestId = await ask(claude);
    const reply = await decideAs(ana, requestId, "allow-1");
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      state: "decided",
      outcome: ALLOW,
      settlement: { by: { name: "Ana", participantId: ana.participantId, role: "human" } },
      delivery: { state: "sent" },
    });
    expect(await r.next("decision")).toMatchObject({ requestId, outcome: ALLOW });
    for (const socket of [a, b]) {
      expect((await socket.next("card_settled")).settlement).toEqual(reply.body.settlement);
    }
  });

  it("needs no socket: a human without one decides, and counts as present", async () => {
    const { room, claude } = await openScene();
    const cyd = await room.human("Cyd");
    const requestId = await ask(claude);
    const { body } = await decideAs(cyd, requestId, "no-2");
    expect(body).toMatchObject({ humansPresent: 3, settlement: { by: { name: "Cyd" } } });
  });

  it("repeated by its winner is a success over either transport", async () => {
    const { ana, claude, a, r } = await openScene();
    const [byHttp, byFrame] = [await ask(claude), await ask(claude)];
    const first = await decideAs(ana, byHttp, "allow-1");
    expect(await a.ask({ type: "decide", requestId: byHttp, optionId: "allow-1" })).toMatchObject({
      type: "accepted",
      status: { settlement: first.body.settlement },
    });
    await a.ask({ type: "decide", requestId: byFrame, optionId: "allow-1" });
    const again = await decideAs(ana, byFrame, "allow-1");
    expect(again.status).toBe(200);
    expect(again.body.outcome).toEqual(ALLOW);
    for (const requestId of [byHttp, byFrame]) {
      await r.next("decision", (frame) => frame.requestId === requestId);
    }
    expect(await r.soFar("decision")).toEqual([]);
  });

  it("that comes second is told who won, over either transport", async () => {
    const { ana, ben, claude, b } = await openScene();
    const requestId = await ask(claude);
    const { body } = await decideAs(ana, requestId, "allow-1");
    const error = { code: "already_settled", settlement: body.settlement };
    for (const optionId of ["allow-1", "no-2"]) {
      const reply = await decideAs(ben, requestId, optionId);
      expect(reply.status).toBe(409);
      expect(reply.body.error).toMatchObject(error);
      expect(await b.ask({ type: "decide", requestId, optionId })).toMatchObject({ error });
    }
    const other = await decideAs(ana, requestId, "no-2");
    expect(other.status).toBe(409);
    expect(other.body.error).toMatchObject(error);
  });

  it("after a dismissal, a withdrawal or the deadline is told so", async () => {
    const { ana, ben, claude } = await openScene();
    const clock = stopClock();
    const [dismissed, withdrawn, due] = [
      await ask(claude),
      await ask(claude),
      await ask(claude, { expiresInMs: 1000 }),
    ];
    await dismissAs(ana, dismissed);
    await withdrawAs(claude, withdrawn, "turn_cancelled");
    clock.advance(1000);
    for (const [requestId, settlement] of [
      [dismissed, { state: "dismissed" }],
      [withdrawn, { state: "withdrawn", reason: "turn_cancelled" }],
      [due, { state: "expired", at: clock.now() }],
    ] as const) {
      const reply = await decideAs(ben, requestId, "allow-1");
      expect(reply.status).toBe(409);
      expect(reply.body.error).toMatchObject({ code: "already_settled", settlement });
    }
  });

  // B3, B25, B64
  it("is refused with its own code, and the card stays pending", async () => {
    const { ana, claude } = await openScene();
    const requestId = await ask(claude);
    const path = `/api/room/permissions/${requestId}/decide`;
    const { token } = ana;
    const optionId = "allow-1";
    const refused: [Parameters<typeof call>, number, string][] = [
      [["POST", path, { token, body: { optionId: "nope" } }], 400, "option_not_offered"],
      [["POST", path, { token, body: { optionId: " allow-1" } }], 400, "option_not_offered"],
      [["POST", path, { token, body: { decision: "allow" } }], 400, "invalid_request"],
      [["POST", path, { token, body: { optionId: "" } }], 400, "invalid_request"],
      [["POST", path, { token, raw: "{" }], 400, "invalid_json"],
      [["POST", path, { body: { optionId } }], 401, "unauthorized"],
      [["POST", path, { token: claude.token, body: { optionId } }], 403, "human_only"],
      [
        ["POST", path.replace(requestId, freshId()), { token, body: { optionId } }],
        404,
        "request_not_found",
      ],
      [["GET", path, { token }], 405, "method_not_allowed"],
      [
        ["POST", path, { token, raw: "{}", headers: { "content-type": "text/plain" } }],
        415,
        "unsupported_media_type",
      ],
    ];
    for (const [args, status, code] of refused) {
      const reply = await call(...args);
      expect([reply.status, reply.body.error?.code]).toEqual([status, code]);
    }
    expect((await statusAs(ana, requestId)).body.state).toBe("pending");
  });

  // B67
  it("names the token's participant, whatever the body claims", async () => {
    const { ana, ben, claude } = await openScene();
    const requestId = await ask(claude);
    const claims = `{"optionId":"no-2","role":"resident","participantId":"${ben.participantId}","by":{"name":"Ben"},"__proto__":{"name":"Ben"}}`;
    const { body } = await call("POST", `/api/room/permissions/${requestId}/decide`, {
      token: ana.token,
      raw: claims,
    });
    expect(body).toMatchObject({
      settlement: { by: { participantId: ana.participantId, name: "Ana", role: "human" } },
    });
  });
});
