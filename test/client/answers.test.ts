import { expect, test } from "vitest";
import { ANSWER_TIMEOUT_MS, AnswerUnknown, NotSent, RoomRefusal } from "../../src/client/index.ts";
import { limits } from "../../src/protocol/index.ts";
import { errorOf, nextState, openClient, openWelcomed, welcomeFrame } from "./client-end.ts";
import { StubWebSocket } from "./stub-web-socket.ts";

const status = {
  requestId: "request-1",
  state: "dismissed",
  openedAt: 1,
  expiresAt: 2,
  serverTime: 3,
  humansPresent: 1,
  outcome: { outcome: "cancelled" },
  settlement: {
    state: "dismissed",
    at: 3,
    by: { participantId: "p1", name: "Ana", role: "human" },
  },
  delivery: { state: "sent", at: 3 },
} as const;

test("answers find their frames by ref, in any order", async () => {
  const { socket, end } = await openWelcomed();
  const answers = ["a", "b", "c"].map((text) => socket.send({ type: "say", text }));
  const frames = [await end.nextFrame(), await end.nextFrame(), await end.nextFrame()];
  expect(frames.map(({ text }) => text)).toEqual(["a", "b", "c"]);
  const refs = frames.map(({ ref }) => ref);
  expect(new Set(refs).size).toBe(3);
  end.send({ type: "accepted", ref: refs[2] });
  end.send({ type: "rejected", ref: refs[0], error: { code: "rate_limited", message: "slow" } });
  end.send({ type: "accepted", ref: refs[1], status });
  const settled = await Promise.allSettled(answers);
  expect(settled[0]).toMatchObject({ status: "rejected", reason: { code: "rate_limited" } });
  expect(settled[1]).toEqual({
    status: "fulfilled",
    value: { type: "accepted", ref: refs[1], status },
  });
  expect(settled[2]).toEqual({ status: "fulfilled", value: { type: "accepted", ref: refs[2] } });
});

test("a rejected frame is a refusal with the Room's detail", async () => {
  const { socket, end } = await openWelcomed();
  const answer = socket.send({ type: "decide", requestId: "request-1", optionId: "allow" });
  const { ref } = await end.nextFrame();
  const detail = {
    code: "already_settled",
    message: "Ana dismissed it",
    settlement: status.settlement,
  };
  end.send({ type: "rejected", ref, requestId: "request-1", error: detail });
  const refusal = await errorOf(answer);
  expect(refusal).toBeInstanceOf(RoomRefusal);
  expect(refusal).toMatchObject({ code: "already_settled", status: 0, detail });
  expect((refusal as Error).message).toBe("Ana dismissed it");
});

test("a code from a later version is a refusal all the same", async () => {
  const { socket, end } = await openWelcomed();
  const answer = socket.send({ type: "dismiss", requestId: "request-1" });
  const { ref } = await end.nextFrame();
  end.send({ type: "rejected", ref, error: { code: "not_on_sundays", message: "closed" } });
  await expect(answer).rejects.toMatchObject({ name: "RoomRefusal", code: "not_on_sundays" });
});

test("an option id arrives byte for byte", async () => {
  const { socket, end } = await openWelcomed();
  const optionId = " a\u0301\u00e1\n\u202e\u{1f44d}\u0000";
  const answer = socket.send({ type: "decide", requestId: "request-1", optionId });
  const frame = await end.nextFrame();
  expect(frame["optionId"]).toBe(optionId);
  end.send({ type: "accepted", ref: frame.ref });
  await answer;
});

test.each([
  ["the Room closes it", 1012],
  ["the Room replaces it", 4000],
])("where %s during a send the answer is unknown", async (_, code) => {
  const client = await openWelcomed();
  const answers = Promise.allSettled([
    client.socket.send({ type: "dismiss", requestId: "request-1" }),
    client.socket.send({ type: "dismiss", requestId: "request-2" }),
  ]);
  await client.end.nextFrame();
  client.end.close(code);
  for (const answer of await answers) {
    expect(answer).toMatchObject({ status: "rejected", reason: expect.any(AnswerUnknown) });
  }
});

test("where the connection is cut during a send the answer is unknown, and then nothing is sent", async () => {
  const client = await openWelcomed();
  const answer = client.socket.send({ type: "dismiss", requestId: "request-1" });
  const unknown = errorOf(answer);
  await client.end.nextFrame();
  client.end.cut();
  expect(await unknown).toBeInstanceOf(AnswerUnknown);
  await nextState(client, "waiting");
  await expect(client.socket.send({ type: "say", text: "x" })).rejects.toThrow(NotSent);
});

test("close() during a send leaves its answer unknown, and later sends are not sent", async () => {
  const { socket } = await openWelcomed();
  const unknown = errorOf(socket.send({ type: "say", text: "x" }));
  socket.close();
  expect(await unknown).toBeInstanceOf(AnswerUnknown);
  await expect(socket.send({ type: "say", text: "y" })).rejects.toThrow(NotSent);
});

test("a socket that is closing would swallow the frame: not sent", async () => {
  const { socket } = openClient("http://room.example", { WebSocket: StubWebSocket.asGlobal });
  const stub = StubWebSocket.last;
  stub.open(welcomeFrame());
  stub.readyState = 2;
  await expect(socket.send({ type: "say", text: "x" })).rejects.toThrow(NotSent);
  expect(stub.sent).toEqual([]);
});

test("a frame over the limit stays here: it would cost the socket", async () => {
  const { socket, end } = await openWelcomed();
  const frameBytes = (text: string) =>
    Buffer.byteLength(JSON.stringify({ type: "say", text, ref: "1" }));
  const fits = "é".repeat((limits.FRAME_BYTES - frameBytes("")) / 2);
  const pad = limits.FRAME_BYTES - frameBytes(fits);
  await expect(socket.send({ type: "say", text: `${fits}${"a".repeat(pad)}a` })).rejects.toThrow(
    NotSent,
  );
  const answer = socket.send({ type: "say", text: "small" });
  const frame = await end.nextFrame();
  expect(frame["text"]).toBe("small");
  end.send({ type: "accepted", ref: frame.ref });
  await answer;
});

test("a Room that answers pings but not frames is given up after a while", async () => {
  const client = await openWelcomed();
  const answer = client.socket.send({ type: "dismiss", requestId: "request-1" });
  const unknown = errorOf(answer);
  await client.end.nextFrame();
  client.clock.advance(ANSWER_TIMEOUT_MS - 1);
  expect(client.socket.state).toEqual({ state: "open" });
  client.clock.advance(1);
  expect(await unknown).toBeInstanceOf(AnswerUnknown);
  expect(client.socket.state).toMatchObject({ state: "waiting" });
});
