import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRoom } from "../../src/client/index.ts";
import {
  type AskOptions,
  type GateQuestion,
  RoomGate,
  type Waiting,
} from "../../src/gate/index.ts";
import type { Card, RoomCreated } from "../../src/protocol/index.ts";
import { LiveMember } from "../support/live-member.ts";
import { LiveServer } from "../support/live-server.ts";

const QUESTION: GateQuestion = {
  title: "Deploy 4.2",
  kind: "execute",
  rawInput: { command: "./deploy 4.2 ‮‹é›" },
};

const server = new LiveServer();
let room: RoomCreated;
let gate: RoomGate;
let ana: LiveMember;

beforeAll(async () => {
  await server.start();
  room = await createRoom({ server: server.url }, {});
  gate = await RoomGate.join({ server: server.url, invite: room.residentInvite, name: "deploy" });
  ana = await LiveMember.join(server.url, room.humanInvite, "Ana");
  await ana.connect();
});
afterAll(async () => {
  ana?.disconnect();
  await server.end();
});

/** Asks, and hands on the card as Ana sees it. */
async function ask(question = QUESTION, options: AskOptions = {}) {
  const answer = gate.ask(question, options);
  const { card } = await ana.next("card_opened");
  return { answer, card };
}

/** Resolves when the Room knows that an answer was acted on. */
async function applied({ requestId }: Card): Promise<void> {
  await ana.next(
    "card_delivery",
    (frame) => frame.requestId === requestId && frame.delivery.state === "applied",
  );
}

describe("a script that asks a Room", () => {
  it("runs what a person allowed, and the Room knows that it did", async () => {
    const { answer, card } = await ask();
    expect(card).toMatchObject({
      resident: { name: "deploy" },
      toolCall: QUESTION,
      options: [
        { optionId: "allow_once", name: "Allow once", kind: "allow_once" },
        { optionId: "reject_once", name: "Deny", kind: "reject_once" },
      ],
    });
    await ana.send({ type: "decide", requestId: card.requestId, optionId: "allow_once" });
    expect(await answer).toMatchObject({
      reply: { kind: "approve" },
      end: "decided",
      status: { settlement: { by: { name: "Ana" }, option: { optionId: "allow_once" } } },
    });
    await applied(card);
  });

  // B11
  it("does not run what a person refused", async () => {
    const { answer, card } = await ask();
    await ana.send({ type: "decide", requestId: card.requestId, optionId: "reject_once" });
    expect(await answer).toMatchObject({
      reply: { kind: "reject", message: "A person refused this." },
      end: "decided",
    });
    await applied(card);
  });

  // B106
  it("with options that only allow, is dismissed: nobody's answer, and no option's", async () => {
    const options = [
      { optionId: "reject_once", name: "Yes", kind: "allow_once" },
      { optionId: "b", name: "Always", kind: "allow_always" },
    ];
    const { answer, card } = await ask({ ...QUESTION, options });
    expect(card.options).toEqual(options);
    await ana.send({ type: "dismiss", requestId: card.requestId });
    const { reply, end, status } = await answer;
    expect([reply, end, status?.outcome]).toEqual([
      { kind: "teardown" },
      "dismissed",
      { outcome: "cancelled" },
    ]);
    await applied(card);
  });

  // B100: "always" is the asker's to keep; the Room answers nothing by itself.
  it("asks again for what was always allowed", async () => {
    const question = {
      ...QUESTION,
      options: [{ optionId: "é-9", name: "Always", kind: "allow_always" }],
    };
    const first = await ask(question);
    await ana.send({ type: "decide", requestId: first.card.requestId, optionId: "é-9" });
    expect((await first.answer).reply).toEqual({ kind: "approve", scope: "always" });
    const second = await ask(question);
    expect(second.card.requestId).not.toBe(first.card.requestId);
    await ana.send({ type: "dismiss", requestId: second.card.requestId });
    expect((await second.answer).reply.kind).toBe("teardown");
  });

  it("is told who is there, and that its question expired", async () => {
    const waitings: Waiting[] = [];
    const { answer, card } = await ask(QUESTION, {
      expiresInMs: 1_500,
      onWaiting: (waiting) => waitings.push(waiting),
    });
    expect(await answer).toMatchObject({ reply: { kind: "teardown" }, end: "expired" });
    expect(waitings[0]).toMatchObject({ humansPresent: 1, names: ["Ana"] });
    expect(waitings[0]?.remainingMs).toBeLessThanOrEqual(1_500);
    await applied(card);
  });

  it("takes its question back", async () => {
    const abort = new AbortController();
    const { answer, card } = await ask(QUESTION, { signal: abort.signal });
    abort.abort();
    expect(await answer).toMatchObject({ reply: { kind: "teardown" }, end: "aborted" });
    const { settlement } = await ana.next("card_settled", (f) => f.requestId === card.requestId);
    expect(settlement).toMatchObject({ state: "withdrawn", reason: "resident_stopped" });
  });

  it("gets its answers to more questions than may be polled at a time", async () => {
    const answers = Array.from({ length: 6 }, (_, n) => gate.ask({ ...QUESTION, title: `${n}` }));
    const cards = [];
    for (const _ of answers) cards.push((await ana.next("card_opened")).card);
    for (const { requestId, toolCall } of cards) {
      const optionId = Number(toolCall["title"]) % 2 === 0 ? "allow_once" : "reject_once";
      await ana.send({ type: "decide", requestId, optionId });
    }
    const kinds = (await Promise.all(answers)).map(({ reply }) => reply.kind);
    expect(kinds).toEqual(["approve", "reject", "approve", "reject", "approve", "reject"]);
  });

  it("gets its answer through a restart of the server", async () => {
    const { answer, card } = await ask();
    await server.kill();
    await server.start();
    await ana.next("welcome");
    await ana.send({ type: "decide", requestId: card.requestId, optionId: "allow_once" });
    expect((await answer).reply).toEqual({ kind: "approve" });
    await applied(card);
  });

  it("with nobody there, may end at once", async () => {
    const empty = await createRoom({ server: server.url }, {});
    const { residentInvite: invite } = empty;
    const alone = await RoomGate.join({ server: server.url, invite, name: "deploy" });
    const answer = await alone.ask(QUESTION, { ifNoHuman: "withdraw" });
    expect(answer).toMatchObject({ reply: { kind: "teardown" }, end: "no_human" });
    await alone.leave();
  });

  it("leaves the Room when it is done, and can ask nothing more", async () => {
    await gate.leave();
    const { participant } = await ana.next(
      "participant_changed",
      ({ participant }) => participant.name === "deploy" && !participant.present,
    );
    expect(participant.role).toBe("resident");
    expect(await gate.ask(QUESTION)).toEqual({
      reply: { kind: "teardown" },
      end: "refused",
      code: "unauthorized",
    });
  });
});
