import { describe, expect, it } from "vitest";
import { CLOSE, limits, type RequestStatus, utf8Bytes } from "../../src/protocol/index.ts";
import { decideAs } from "../support/workerd/commands.ts";
import { ask, freshId, post, requestBody, statusAs } from "../support/workerd/room.ts";
import { openScene } from "../support/workerd/scene.ts";
import type { TestSocket } from "../support/workerd/socket.ts";

function requestFrame(requestId: string, more: Record<string, unknown> = {}): object {
  return { type: "request", ...requestBody(requestId, more) };
}

async function statusOf(socket: TestSocket, frame: object): Promise<RequestStatus | undefined> {
  const answer = await socket.ask(frame);
  if (answer.type === "rejected") throw new Error(answer.error.code);
  return answer.status;
}

/** What must not differ between the transports. */
function without(status: object | undefined, ...fields: string[]): object {
  return Object.fromEntries(
    Object.entries(status ?? {}).filter(([field]) => !fields.includes(field)),
  );
}

describe("a request frame", () => {
  it("opens the same card as a POST", async () => {
    const { claude, a, r } = await openScene();
    const [byFrame, byHttp] = [freshId(), freshId()];
    const more = { expiresInMs: 60_000, maxExpiresInMs: 120_000, turnId: "turn-1" };
    const answered = await statusOf(r, requestFrame(byFrame, more));
    const posted = (await post(claude, byHttp, more)).body;
    const times = ["requestId", "openedAt", "expiresAt", "maxExpiresAt", "serverTime", "delivery"];
    expect(without(answered, ...times)).toEqual(without(posted, ...times));
    const opened = await a.next("card_opened");
    const other = await a.next("card_opened");
    expect(without(opened.card, ...times)).toEqual(without(other.card, ...times));
    expect(opened.card.expiresAt - opened.card.openedAt).toBe(60_000);
  });

  it("repeated by POST, or after one, is a duplicate and no second card", async () => {
    const { claude, a, r } = await openScene();
    const [byFrame, byHttp] = [freshId(), freshId()];
    await r.ask(requestFrame(byFrame));
    const posted = await post(claude, byFrame);
    expect([posted.status, posted.body.duplicate]).toEqual([200, true]);
    await post(claude, byHttp);
    expect(await statusOf(r, requestFrame(byHttp))).toMatchObject({ duplicate: true });
    await a.next("card_opened");
    await a.next("card_opened");
    expect(await a.soFar("card_opened")).toEqual([]);
  });

  it("repeated once settled is answered with the settlement, which so is sent", async () => {
    const { room, ana, claude } = await openScene();
    const requestId = await ask(claude);
    const gone = await room.resident("other");
    await decideAs(ana, requestId, "allow-1");
    const r = await claude.socket();
    expect(await statusOf(r, requestFrame(requestId))).toMatchObject({
      duplicate: true,
      outcome: { outcome: "selected", optionId: "allow-1" },
      delivery: { state: "sent" },
    });
    const foreign = await (await gone.socket()).ask(requestFrame(requestId));
    expect(foreign).toMatchObject({
      type: "rejected",
      requestId,
      error: { code: "request_conflict" },
    });
    expect(JSON.stringify(foreign)).not.toContain("allow-1");
  });

  it("is refused with its id and its reason, as over HTTP", async () => {
    const { claude, a, r } = await openScene();
    const known = await ask(claude);
    const other = { toolCall: { toolCallId: "t1", title: "rm -rf /" } };
    for (const [frame, code] of [
      [requestFrame(known, other), "request_conflict"],
      [requestFrame(freshId(), { options: [] }), "invalid_request"],
      [requestFrame("short"), "invalid_request"],
      [
        requestFrame(freshId(), {
          options: Array.from({ length: 20 }, (_, n) => ({
            optionId: `o${n}`,
            name: "x".repeat(2000),
          })),
        }),
        "payload_too_large",
      ],
    ] as const) {
      expect(await r.ask(frame)).toMatchObject({ type: "rejected", error: { code } });
    }
    await a.next("card_opened");
    expect(await a.soFar("card_opened")).toEqual([]);
  });

  it("by a human is refused, whatever it carries", async () => {
    const { ana, a } = await openScene();
    const requestId = freshId();
    expect(await a.ask(requestFrame(requestId))).toMatchObject({
      type: "rejected",
      error: { code: "resident_only" },
    });
    expect((await statusAs(ana, requestId)).status).toBe(404);
  });

  it("may be 64 KiB; one byte more closes the socket and opens nothing", async () => {
    const { ana, claude, r } = await openScene();
    const frameOf = (requestId: string, size: number): string => {
      const frame = (pad: string): string =>
        JSON.stringify({
          ...requestFrame(requestId, { toolCall: { toolCallId: "t1", rawInput: { pad } } }),
          ref: "largest",
        });
      return frame("é".repeat(20_000) + "x".repeat(size - 40_000 - utf8Bytes(frame(""))));
    };
    const [fits, tooLarge] = [freshId(), freshId()];
    r.send(frameOf(fits, limits.FRAME_BYTES));
    expect(await r.next("accepted")).toMatchObject({
      ref: "largest",
      status: { requestId: fits, state: "pending" },
    });
    r.send(frameOf(tooLarge, limits.FRAME_BYTES + 1));
    expect(await r.closed()).toBe(CLOSE.frameTooLarge);
    expect((await statusAs(ana, fits)).body.state).toBe("pending");
    expect((await statusAs(ana, tooLarge)).status).toBe(404);
    const again = await post(claude, tooLarge);
    expect(again.status).toBe(201);
  });
});

describe("many requests at once", () => {
  // B107
  it("each become a card of their own, over either transport", async () => {
    const { claude, a, r } = await openScene();
    const ids = Array.from({ length: 10 }, freshId);
    await Promise.all(
      ids.map((requestId, n) =>
        n % 2 === 0 ? r.ask(requestFrame(requestId)) : post(claude, requestId),
      ),
    );
    const opened = await a.soFar("card_opened");
    expect(opened.map(({ card }) => card.requestId).sort()).toEqual(ids);
  });
});
