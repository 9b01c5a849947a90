import { expect, test } from "vitest";
import { limits, PING, PONG } from "../../src/protocol/index.ts";
import { messageFrame, nextState, openWelcomed, welcomeFrame } from "./client-end.ts";

test("B50: a page that is idle for four minutes pings in the runtime's own words and never reconnects", async () => {
  const client = await openWelcomed();
  const { clock, end, room } = client;
  const pings: string[] = [];
  for (let elapsed = 0; elapsed < 240_000; elapsed += limits.PING_INTERVAL_MS) {
    clock.advance(limits.PING_INTERVAL_MS);
    pings.push(await end.messages.next());
    // The pong has come when only the next ping is left to wait for.
    await clock.until(() => clock.running.length === 1);
  }
  expect(pings).toEqual(Array.from({ length: 8 }, () => "ping"));
  expect([PING, PONG]).toEqual(["ping", "pong"]);
  expect(client.socket.state).toEqual({ state: "open" });
  expect(client.told.drain()).toEqual([]);
  expect(room.sockets.drain()).toEqual([]);
});

test("a pong that stays away shows offline within ten seconds of the ping, and a new socket is opened", async () => {
  const client = await openWelcomed();
  const { clock, end, room } = client;
  end.answersPings = false;
  clock.advance(limits.PING_INTERVAL_MS);
  expect(await end.messages.next()).toBe("ping");
  clock.advance(limits.PONG_TIMEOUT_MS - 1);
  expect(client.socket.state).toEqual({ state: "open" });
  clock.advance(1);
  const { retryAt } = await nextState(client, "waiting");
  clock.advance(retryAt - clock.now());
  await nextState(client, "connecting");
  (await room.sockets.next()).send(welcomeFrame());
  await nextState(client, "open");
});

test("other frames are no pong", async () => {
  const client = await openWelcomed();
  client.end.answersPings = false;
  client.clock.advance(limits.PING_INTERVAL_MS);
  client.end.send(messageFrame("still here"));
  expect(await client.told.next()).toMatchObject({ told: "frame" });
  client.clock.advance(limits.PONG_TIMEOUT_MS);
  expect(client.socket.state).toMatchObject({ state: "waiting" });
});

test("reconnectNow() on an open socket asks for a pong at once, however often it is called", async () => {
  const client = await openWelcomed();
  client.end.answersPings = false;
  client.socket.reconnectNow();
  client.socket.reconnectNow();
  expect(await client.end.messages.next()).toBe("ping");
  client.clock.advance(limits.PONG_TIMEOUT_MS);
  expect(client.socket.state).toMatchObject({ state: "waiting" });
  await client.end.closed.next();
  expect(client.end.messages.drain()).toEqual([]);
});

test("no timer outlives close()", async () => {
  const client = await openWelcomed();
  client.clock.advance(limits.PING_INTERVAL_MS);
  client.socket.close();
  expect(client.clock.running).toEqual([]);
});
