import { describe, expect, it } from "vitest";
import { stopClock } from "../support/workerd/clock.ts";
import { decideAs, dismissAs, recordsAs } from "../support/workerd/commands.ts";
import { type Told, toldByFrame, toldByHttp } from "../support/workerd/either.ts";
import { ask, freshId, type Member, statusAs } from "../support/workerd/room.ts";
import { openScene } from "../support/workerd/scene.ts";

const BY_ANA = { name: "Ana", role: "human" };

describe.each(["a frame", "HTTP"])("a dismissal by %s", (transport) => {
  async function dismissed(who: Member, requestId: string): Promise<Told> {
    return transport === "HTTP"
      ? toldByHttp(await dismissAs(who, requestId))
      : toldByFrame(await (await who.socket()).ask({ type: "dismiss", requestId }));
  }

  // B106
  it("is no option, however few refuse: the agent is told cancelled, the record names the human", async () => {
    const { ana, claude, a, b, r } = await openScene();
    const options = [
      { optionId: "once", name: "Allow once", kind: "allow_once" },
      { optionId: "always", name: "Always allow", kind: "allow_always" },
    ];
    const requestId = await ask(claude, { options });
    expect((await dismissed(ana, requestId)).code).toBe("ok");
    const decision = await r.next("decision");
    expect(decision.outcome).toEqual({ outcome: "cancelled" });
    expect(decision.settlement).toMatchObject({ state: "dismissed", by: BY_ANA });
    expect(decision.settlement).not.toHaveProperty("option");
    for (const socket of [a, b]) {
      expect(await socket.next("card_settled")).toMatchObject({
        settlement: decision.settlement,
        outcome: { outcome: "cancelled" },
        delivery: { state: "sent" },
      });
    }
    const { body } = await statusAs(ana, requestId);
    expect(body).toMatchObject({ state: "dismissed", outcome: { outcome: "cancelled" } });
    expect(await recordsAs(ana)).toMatchObject([
      { requestId, settlement: decision.settlement, outcome: { outcome: "cancelled" } },
    ]);
  });

  it("repeated by its own human is a success that tells nobody anything new", async () => {
    const { ana, claude, b, r } = await openScene();
    const requestId = await ask(claude);
    const first = await dismissAs(ana, requestId);
    const again = await dismissed(ana, requestId);
    expect(again.status?.settlement).toEqual(first.body.settlement);
    await r.next("decision");
    await b.next("card_settled");
    expect(await r.soFar("decision")).toEqual([]);
    expect(await b.soFar("card_settled")).toEqual([]);
  });

  it("by another human, or after another end, is told who settled it and how", async () => {
    const { ana, ben, claude } = await openScene();
    const clock = stopClock();
    const [refused, decided, due] = [
      await ask(claude),
      await ask(claude),
      await ask(claude, { expiresInMs: 1000 }),
    ];
    await dismissAs(ana, refused);
    await decideAs(ana, decided, "allow-1");
    clock.advance(1000);
    for (const [requestId, settlement] of [
      [refused, { state: "dismissed", by: BY_ANA }],
      [decided, { state: "decided", by: BY_ANA, option: { optionId: "allow-1" } }],
      [due, { state: "expired" }],
    ] as const) {
      expect(await dismissed(ben, requestId)).toMatchObject({
        code: "already_settled",
        error: { settlement },
      });
    }
  });

  it("of an unknown request, or by a resident, changes nothing", async () => {
    const { ana, claude } = await openScene();
    const requestId = await ask(claude);
    expect((await dismissed(ana, freshId())).code).toBe("request_not_found");
    expect((await dismissed(claude, requestId)).code).toBe("human_only");
    expect((await statusAs(ana, requestId)).body.state).toBe("pending");
  });
});
