import { describe, expect, it } from "vitest";
import { CLOSE, limits } from "../../src/protocol/index.ts";
import { stopClock } from "../support/workerd/clock.ts";
import { toldByFrame } from "../support/workerd/either.ts";
import { ask, createRoom, statusAs } from "../support/workerd/room.ts";
import type { TestSocket } from "../support/workerd/socket.ts";

/** A frame that is taken and changes nothing. */
const HARMLESS = { type: "decide", requestId: "request-none", optionId: "x" };

async function countCodes(socket: TestSocket, count: number): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (let n = 0; n < count; n += 1) {
    const answer = await socket.ask(HARMLESS);
    const code = answer.type === "rejected" ? answer.error.code : answer.type;
    counted[code] = (counted[code] ?? 0) + 1;
  }
  return counted;
}

describe("the frames of a socket", () => {
  it("may come 60 at once and 20 a second; more are rejected and do nothing", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const requestId = await ask(claude);
    const clock = stopClock();
    const a = await ana.socket();
    expect(await countCodes(a, limits.FRAME_BURST)).toEqual({
      request_not_found: limits.FRAME_BURST,
    });
    const answer = await a.ask({ type: "decide", requestId, optionId: "allow-1" });
    expect(answer).toMatchObject({ type: "rejected", error: { code: "rate_limited" } });
    expect((await statusAs(ana, requestId)).body.state).toBe("pending");
    clock.advance(1000);
    expect(await countCodes(a, limits.FRAMES_PER_SECOND + 1)).toEqual({
      request_not_found: limits.FRAMES_PER_SECOND,
      rate_limited: 1,
    });
    clock.advance(1000 / limits.FRAMES_PER_SECOND);
    expect(await countCodes(a, 2)).toEqual({ request_not_found: 1, rate_limited: 1 });
    clock.advance(60_000);
    expect(await countCodes(a, limits.FRAME_BURST + 1)).toMatchObject({ rate_limited: 1 });
  });

  it("are each socket's own", async () => {
    const room = await createRoom();
    const ana = await room.human();
    stopClock();
    const [one, two] = [await ana.socket(), await ana.socket()];
    await countCodes(one, limits.FRAME_BURST + 1);
    expect(await countCodes(two, limits.FRAME_BURST)).not.toHaveProperty("rate_limited");
  });

  it("rejected 100 times within 10 s close it with 4008; 99 do not", async () => {
    const room = await createRoom();
    const ana = await room.human();
    const clock = stopClock();
    const a = await ana.socket();
    await countCodes(a, limits.FRAME_BURST);
    const most = limits.FRAME_ABUSE_REJECTIONS - 1;
    expect(await countCodes(a, most)).toEqual({ rate_limited: most });
    a.send(HARMLESS);
    expect(await a.closed()).toBe(CLOSE.abuse);
    const again = await ana.socket();
    await countCodes(again, limits.FRAME_BURST);
    expect(await countCodes(again, most)).toEqual({ rate_limited: most });
    clock.advance(limits.FRAME_ABUSE_WINDOW_MS + 1);
    expect(await countCodes(again, limits.FRAME_BURST + 1)).toEqual({
      request_not_found: limits.FRAME_BURST,
      rate_limited: 1,
    });
  });

  it("count where they are broken or binary too", async () => {
    const room = await createRoom();
    const ana = await room.human();
    stopClock();
    const a = await ana.socket();
    for (let n = 0; n < limits.FRAME_BURST; n += 1) {
      if (n % 2 === 0) a.send("{");
      else a.sendBytes(new ArrayBuffer(8));
      expect((await a.next("rejected")).error.code).not.toBe("rate_limited");
    }
    a.sendBytes(new ArrayBuffer(8));
    expect((await a.next("rejected")).error.code).toBe("rate_limited");
    for (let n = 1; n < limits.FRAME_ABUSE_REJECTIONS; n += 1) a.sendBytes(new ArrayBuffer(8));
    expect(await a.closed()).toBe(CLOSE.abuse);
  });

  it("are not counted where they only make things safer: acknowledgements and withdrawals", async () => {
    const room = await createRoom();
    const claude = await room.resident();
    const requestId = await ask(claude);
    stopClock();
    const r = await claude.socket();
    const codes = new Set<string>();
    for (let n = 0; n < 2 * limits.FRAME_BURST; n += 1) {
      const frame =
        n % 2 === 0
          ? { type: "decision_ack", requestId, applied: false }
          : { type: "withdraw", requestId: `unknown-${n}0000`, reason: "turn_ended" };
      codes.add(toldByFrame(await r.ask(frame)).code);
    }
    expect([...codes].sort()).toEqual(["not_settled", "ok"]);
    for (let n = 0; n < limits.FRAME_BURST; n += 1) await r.ask({ type: "nothing" });
    const limited = await r.ask({ type: "say", text: "too much" });
    expect(limited).toMatchObject({ error: { code: "rate_limited" } });
    const withdrawn = await r.ask({ type: "withdraw", requestId, reason: "turn_ended" });
    expect(withdrawn).toMatchObject({ type: "accepted", status: { state: "withdrawn" } });
  });
});

describe("talk", () => {
  it("may come 5 at once and then 1 a second, over all sockets of one participant", async () => {
    const room = await createRoom();
    const [ana, ben] = [await room.human("Ana"), await room.human("Ben")];
    const clock = stopClock();
    const [one, two, b] = [await ana.socket(), await ana.socket(), await ben.socket()];
    for (let n = 0; n < limits.MESSAGE_BURST; n += 1) {
      const answer = await (n % 2 === 0 ? one : two).ask({ type: "say", text: `message ${n}` });
      expect(answer.type).toBe("accepted");
    }
    for (const socket of [one, two]) {
      const answer = await socket.ask({ type: "say", text: "too much" });
      expect(answer).toMatchObject({ type: "rejected", error: { code: "rate_limited" } });
    }
    expect((await b.ask({ type: "say", text: "from Ben" })).type).toBe("accepted");
    clock.advance(limits.MESSAGE_INTERVAL_MS);
    expect((await one.ask({ type: "say", text: "again" })).type).toBe("accepted");
    expect((await one.ask({ type: "say", text: "too soon" })).type).toBe("rejected");
    const heard = (await b.soFar("message_posted")).map(({ message }) => message.text);
    expect(heard).toHaveLength(limits.MESSAGE_BURST + 2);
    expect(heard).not.toContain("too much");
  });
});
