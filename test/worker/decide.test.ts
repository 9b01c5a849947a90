import { describe, expect, it } from "vitest";
import { ask, createRoom, freshId, type Member, STD, statusAs } from "../support/workerd/room.ts";

describe("a human's decision", () => {
  it("goes to the one resident with the exact option, and to every human", async () => {
    const room = await createRoom();
    const [ana, ben, claude] = [
      await room.human("Ana"),
      await room.human("Ben"),
      await room.resident(),
    ];
    const [a, b, r] = [await ana.socket(), await ben.socket(), await claude.socket()];
    const requestId = await ask(claude);
    const opened = await b.next("card_opened");
    expect(opened.card.options).toEqual(STD);
    const answer = await a.ask({ type: "decide", requestId, optionId: "no-2" });
    expect(answer).toMatchObject({ type: "accepted", status: { state: "decided" } });
    const decision = await r.next("decision");
    expect(decision.outcome).toEqual({ outcome: "selected", optionId: "no-2" });
    for (const socket of [a, b]) {
      const settled = await socket.next("card_settled");
      expect(settled.settlement).toEqual(decision.settlement);
      expect(settled.settlement).toMatchObject({ by: { name: "Ana", role: "human" } });
    }
    expect((await statusAs(ben, requestId)).body.settlement).toEqual(decision.settlement);
  });

  // B16
  it("is won by one of fifty who decide at once; the others are told who won, and all agree", async () => {
    const room = await createRoom();
    const claude = await room.resident();
    const resident = await claude.socket();
    const humans = await Promise.all(
      Array.from({ length: 50 }, (_, n) => room.human(`Human ${n}`)),
    );
    const sockets = await Promise.all(humans.map((human) => human.socket()));
    const options = Array.from({ length: 25 }, (_, n) => ({
      optionId: `c${n}`,
      name: `Choice ${n}`,
      kind: n % 2 === 0 ? "allow_once" : "reject_once",
    }));
    const requestId = await ask(claude, { options });
    const answers = await Promise.all(
      sockets.map((socket, n) => socket.ask({ type: "decide", requestId, optionId: `c${n % 25}` })),
    );
    const decision = await resident.next("decision");
    const winners = answers.filter((answer) => answer.type === "accepted");
    expect(winners).toHaveLength(1);
    expect(winners[0]).toMatchObject({ status: { settlement: decision.settlement } });
    const losers = answers.filter((answer) => answer.type === "rejected");
    expect(losers).toHaveLength(49);
    for (const loser of losers) {
      expect(loser.error).toMatchObject({
        code: "already_settled",
        settlement: decision.settlement,
      });
    }
    for (const socket of sockets) {
      expect((await socket.next("card_settled")).settlement).toEqual(decision.settlement);
      expect(await socket.soFar("card_settled")).toEqual([]);
    }
    expect(await resident.soFar("decision")).toEqual([]);
    const { body } = await statusAs(humans[7] as Member, requestId);
    expect(body.settlement).toEqual(decision.settlement);
    expect(body.outcome).toEqual(decision.outcome);
  });

  it("sent twice by its winner is a success with the same settlement and no second decision", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const [a, r] = [await ana.socket(), await claude.socket()];
    const requestId = await ask(claude);
    const first = await a.ask({ type: "decide", requestId, optionId: "allow-1" });
    const again = await a.ask({ type: "decide", requestId, optionId: "allow-1" });
    expect(again).toMatchObject({ type: "accepted" });
    expect((again as typeof first & { status: object }).status).toMatchObject({
      settlement: (first as { status: { settlement: object } }).status.settlement,
    });
    await r.next("decision");
    expect(await r.soFar("decision")).toEqual([]);
    const other = await a.ask({ type: "decide", requestId, optionId: "no-2" });
    expect(other).toMatchObject({
      type: "rejected",
      requestId,
      error: { code: "already_settled", settlement: { option: { optionId: "allow-1" } } },
    });
  });

  // B3, B18, B25, B119
  it("names a request and an offered option, or changes nothing", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const a = await ana.socket();
    const requestId = await ask(claude);
    const refused: [object, string][] = [
      [{ type: "decide", requestId, optionId: "nope" }, "option_not_offered"],
      [{ type: "decide", requestId, optionId: " allow-1" }, "option_not_offered"],
      [{ type: "decide", requestId, optionId: "Allow once" }, "option_not_offered"],
      [{ type: "decide", requestId, optionId: "allow_once" }, "option_not_offered"],
      [{ type: "decide", requestId, optionId: "constructor" }, "option_not_offered"],
      [{ type: "decide", requestId, decision: "allow" }, "invalid_request"],
      [{ type: "decide", optionId: "allow-1" }, "invalid_request"],
      [{ type: "decide", requestId: freshId(), optionId: "allow-1" }, "request_not_found"],
    ];
    for (const [frame, code] of refused) {
      expect(await a.ask(frame)).toMatchObject({ type: "rejected", error: { code } });
    }
    expect((await statusAs(ana, requestId)).body.state).toBe("pending");
  });

  // B24, B107
  it("settles the named card among many, in any order", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const [a, r] = [await ana.socket(), await claude.socket()];
    const ids = await Promise.all(Array.from({ length: 5 }, () => ask(claude)));
    for (const requestId of [3, 0, 4, 2, 1].map((n) => ids[n] as string)) {
      await a.ask({ type: "decide", requestId, optionId: "allow-1" });
      expect((await r.next("decision")).requestId).toBe(requestId);
    }
  });

  // B6
  it("is never guessed from an id that looks like a kind", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const [a, r] = [await ana.socket(), await claude.socket()];
    const options = [
      { optionId: "allow_once", name: "No", kind: "reject_once" },
      { optionId: "reject_once", name: "Yes", kind: "allow_once" },
    ];
    const requestId = await ask(claude, { options });
    await a.ask({ type: "decide", requestId, optionId: "reject_once" });
    const { settlement } = await r.next("decision");
    expect(settlement).toMatchObject({ option: options[1] });
  });

  // B72
  it("tells two residents with one name apart", async () => {
    const room = await createRoom();
    const ana = await room.human();
    const [one, two] = [await room.resident("claude"), await room.resident("Claude")];
    expect(two.name).toBe("Claude (2)");
    const a = await ana.socket();
    await ask(one);
    await ask(two);
    const first = (await a.next("card_opened")).card.resident;
    const second = (await a.next("card_opened")).card.resident;
    expect(first.participantId).not.toBe(second.participantId);
    expect(first.name).not.toBe(second.name);
  });
});
