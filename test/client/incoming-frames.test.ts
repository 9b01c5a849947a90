import { expect, test } from "vitest";
import { messageFrame, openWelcomed } from "./client-end.ts";

const marker = messageFrame("marker");

test("frames of unknown types are ignored in silence", async () => {
  const client = await openWelcomed();
  client.end.send({ type: "card_sung", requestId: 7 });
  client.end.send({ type: "toString" });
  client.end.send({ type: "__proto__" });
  client.end.send(marker);
  expect(await client.told.next()).toEqual({ told: "frame", frame: marker });
});

test("a frame of a known type that does not parse is dropped and reported by its type alone", async () => {
  const client = await openWelcomed();
  client.end.send({ type: "card_delivery", requestId: "request-1", delivery: { state: "eaten" } });
  client.end.send({ type: "decision", requestId: "request-1" });
  client.end.send({ type: "message_posted", message: null });
  client.end.send(marker);
  expect(await client.told.next()).toEqual({ told: "bad", type: "card_delivery" });
  expect(await client.told.next()).toEqual({ told: "bad", type: "decision" });
  expect(await client.told.next()).toEqual({ told: "bad", type: "message_posted" });
  expect(await client.told.next()).toEqual({ told: "frame", frame: marker });
});

test.each([
  ["no JSON", "hello"],
  ["an empty text", ""],
  ["null", "null"],
  ["an array", "[]"],
  ["a string", '"message_posted"'],
  ["no type", "{}"],
  ["a type that is no string", '{"type":1}'],
  ["a ping, which only clients send", "ping"],
  ["absurd nesting", "[".repeat(200_000)],
])("%s is dropped and reported without a type", async (_, text) => {
  const client = await openWelcomed();
  client.end.sendText(text);
  client.end.send(marker);
  expect(await client.told.next()).toEqual({ told: "bad", type: undefined });
  expect(await client.told.next()).toEqual({ told: "frame", frame: marker });
});

test("a binary message is dropped, whatever it says", async () => {
  const client = await openWelcomed();
  client.end.sendBytes(Buffer.from(JSON.stringify(messageFrame("binary"))));
  client.end.send(marker);
  expect(await client.told.next()).toEqual({ told: "bad", type: undefined });
  expect(await client.told.next()).toEqual({ told: "frame", frame: marker });
});

test("unknown fields of a known frame are no fault", async () => {
  const client = await openWelcomed();
  client.end.send({ ...marker, since: "version 2" });
  expect(await client.told.next()).toEqual({ told: "frame", frame: marker });
});

test("an answer that nobody waits for is reported", async () => {
  const client = await openWelcomed();
  client.end.send({ type: "accepted", ref: "never-sent" });
  client.end.send({ type: "rejected", error: { code: "invalid_json", message: "no" } });
  expect(await client.told.next()).toEqual({ told: "bad", type: "accepted" });
  expect(await client.told.next()).toEqual({ told: "bad", type: "rejected" });
});
