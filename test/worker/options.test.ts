import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ask, createRoom, freshId, post, statusAs } from "../support/workerd/room.ts";
import { ORIGIN, requestBody, worker } from "../support/workerd/room.ts";

/** Well-formed Unicode of any kind, at most `max` UTF-8 bytes. */
function text(min: number, max: number): fc.Arbitrary<string> {
  return fc
    .string({ unit: "binary", minLength: min, maxLength: Math.floor(max / 4) })
    .filter((one) => one.isWellFormed());
}

const option = fc.record(
  {
    optionId: text(1, 512),
    name: text(0, 400),
    kind: fc.oneof(
      fc.constantFrom("allow_once", "allow_always", "reject_once", "reject_always"),
      text(0, 64),
    ),
    _meta: fc.jsonValue({ maxDepth: 3 }),
  },
  { requiredKeys: ["optionId", "name"] },
);

const offered = fc.uniqueArray(option, {
  minLength: 1,
  maxLength: 32,
  selector: (one) => one.optionId,
});

describe("options", () => {
  it("come to humans and go back byte for byte, whatever Unicode they hold", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const [a, r] = [await ana.socket(), await claude.socket()];
    await fc.assert(
      fc.asyncProperty(offered, fc.nat(), async (options, pick) => {
        const requestId = await ask(claude, { options });
        const { card } = await a.next("card_opened");
        expect(JSON.stringify(card.options)).toBe(JSON.stringify(options));
        const { optionId } = options[pick % options.length] as { optionId: string };
        await a.ask({ type: "decide", requestId, optionId });
        const decision = await r.next("decision");
        expect(decision.outcome).toEqual({ outcome: "selected", optionId });
        r.send({ type: "decision_ack", requestId, applied: true });
      }),
      { numRuns: 150 },
    );
  });

  it("that differ only in white space or normalisation are different options", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const [a, r] = [await ana.socket(), await claude.socket()];
    const ids = ["é", "e\u0301", "a", " a", "a ", "a\u200b", "A", "\u0000", "\ufeffa", "ａ"];
    const options = ids.map((optionId) => ({ optionId, name: "Same", kind: "allow_once" }));
    for (const optionId of ids) {
      const requestId = await ask(claude, { options });
      await a.ask({ type: "decide", requestId, optionId });
      expect((await r.next("decision")).outcome).toEqual({ outcome: "selected", optionId });
    }
  });

  // B1, B2, B7
  it("keep unknown and missing kinds, extra fields and names such as constructor", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const [a, r] = [await ana.socket(), await claude.socket()];
    const raw = `[{"optionId":"constructor","name":"constructor"},
      {"name":"","optionId":"__proto__","kind":"allow_persistent","__proto__":{"x":1},"toString":"no"},
      {"optionId":"hasOwnProperty","name":"b","kind":"","_meta":{"z":1,"a":[null,true]}}]`;
    const requestId = freshId();
    const body = JSON.stringify(requestBody(requestId)).replace(
      /"options":\[.*?\]/,
      () => `"options":${raw}`,
    );
    const response = await worker().fetch(`${ORIGIN}/api/room/permissions/request`, {
      method: "POST",
      headers: { authorization: `Bearer ${claude.token}`, "content-type": "application/json" },
      body,
    });
    expect(response.status).toBe(201);
    const { card } = await a.next("card_opened");
    expect(JSON.stringify(card.options)).toBe(JSON.stringify(JSON.parse(raw)));
    await a.ask({ type: "decide", requestId, optionId: "__proto__" });
    const { outcome, settlement } = await r.next("decision");
    expect(outcome).toEqual({ outcome: "selected", optionId: "__proto__" });
    expect(JSON.stringify(settlement)).toContain('"__proto__":{"x":1}');
  });

  it("may be thirty-two, and not one more", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const a = await ana.socket();
    const many = (n: number): object[] =>
      Array.from({ length: n }, (_, i) => ({ optionId: `o${i}`, name: `Option ${i}` }));
    await ask(claude, { options: many(32) });
    expect((await a.next("card_opened")).card.options).toEqual(many(32));
    expect((await post(claude, freshId(), { options: many(33) })).body.error?.code).toBe(
      "invalid_request",
    );
  });

  it("with ill-formed text are refused, not repaired", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    for (const broken of [
      { optionId: "\ud800", name: "x" },
      { optionId: "a", name: "\udc00x" },
      { optionId: "a", name: "x", kind: "\ud83d" },
      { optionId: "a", name: "x", _meta: { deep: ["\ud800"] } },
    ]) {
      const requestId = freshId();
      const reply = await post(claude, requestId, { options: [broken] });
      expect(reply.status).toBe(400);
      expect(reply.body.error?.code).toBe("invalid_request");
      expect((await statusAs(ana, requestId)).status).toBe(404);
    }
    const twice = [
      { optionId: "same", name: "a" },
      { optionId: "same", name: "b" },
    ];
    expect((await post(claude, freshId(), { options: twice })).body.error?.code).toBe(
      "invalid_request",
    );
  });
});
