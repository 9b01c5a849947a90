import { createServer, type AddressInfo } from "node:net";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import {
  HANDSHAKE_TIMEOUT_MS,
  RECONNECT_BASE_MS,
  RECONNECT_CAP_MS,
  reconnectDelay,
  STABLE_CONNECTION_MS,
  type ConnectionState,
} from "../../src/client/index.ts";
import { limits } from "../../src/protocol/index.ts";
import {
  messageFrame,
  nextState,
  openClient,
  openWelcomed,
  useScriptedRoom,
  welcomeFrame,
} from "./client-end.ts";
import { StubWebSocket } from "./stub-web-socket.ts";

const TERMINAL = [4000, 4001, 4003, 4004, 4010];
const OTHER = [1000, 1001, 1005, 1006, 1009, 1011, 1012, 1013, 4002, 4008, 4029, 4999];

function openStub(random = 0.5) {
  const client = openClient("http://room.example", {
    WebSocket: StubWebSocket.asGlobal,
    random: () => random,
  });
  return client;
}

function waitOf(state: ConnectionState, now: number): number {
  if (state.state !== "waiting") throw new Error(`expected to wait, is ${state.state}`);
  return state.retryAt - now;
}

test.each(TERMINAL)("%i after the welcome ends it for good", async (code) => {
  const client = await openWelcomed();
  client.end.close(code);
  expect(await nextState(client, "closed")).toEqual({ state: "closed", code });
  client.socket.reconnectNow();
  expect(client.clock.running).toEqual([]);
  expect(client.socket.state).toEqual({ state: "closed", code });
});

test.each(TERMINAL)("%i in place of a welcome ends it for good", async (code) => {
  const room = await useScriptedRoom();
  const client = openClient(room.server);
  (await room.sockets.next()).close(code);
  expect(await nextState(client, "closed")).toEqual({ state: "closed", code });
  expect(client.clock.running).toEqual([]);
});

test.each(OTHER)("%i is followed by another attempt", async (code) => {
  const client = openStub();
  const first = StubWebSocket.last;
  first.open(welcomeFrame());
  first.end(code);
  client.clock.advance(waitOf(client.socket.state, client.clock.now()));
  expect(client.socket.state).toEqual({ state: "connecting" });
  expect(StubWebSocket.last).not.toBe(first);
});

test("a cut without a close frame is followed by another attempt", async () => {
  const client = await openWelcomed();
  client.end.cut();
  const { retryAt } = await nextState(client, "waiting");
  client.clock.advance(retryAt - client.clock.now());
  (await client.room.sockets.next()).send(welcomeFrame());
  expect(await nextState(client, "open")).toEqual({ state: "open" });
});

test("a server that is not there is tried again", async () => {
  const room = await useScriptedRoom();
  await room.close();
  const client = openClient(room.server);
  const { retryAt } = await nextState(client, "waiting");
  expect(retryAt - client.clock.now()).toBe(RECONNECT_BASE_MS / 2);
});

test("property: a wait is within full jitter's bounds, which double up to the cap", () => {
  const jitter = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.nat(2000), jitter, (attempt, value) => {
      const delay = reconnectDelay(attempt, () => value);
      const bound = Math.min(RECONNECT_CAP_MS, RECONNECT_BASE_MS * 2 ** attempt);
      expect(delay).toBeGreaterThanOrEqual(0);
      expect(delay).toBeLessThan(bound);
      expect(Math.abs(delay - value * bound)).toBeLessThanOrEqual(1);
    }),
  );
});

test("property: whatever closes, every wait is within its bounds, and abuse waits 30 s at least", () => {
  const jitter = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const closes = fc.array(fc.record({ code: fc.constantFrom(...OTHER), jitter }), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(closes, (series) => {
      let random = 0;
      const client = openClient("http://room.example", {
        WebSocket: StubWebSocket.asGlobal,
        random: () => random,
      });
      for (const [attempt, { code, jitter }] of series.entries()) {
        random = jitter;
        StubWebSocket.last.open(welcomeFrame());
        StubWebSocket.last.end(code);
        const wait = waitOf(client.socket.state, client.clock.now());
        const floor = code === 4008 ? 30_000 : 0;
        expect(wait).toBeGreaterThanOrEqual(floor);
        expect(wait).toBeLessThan(floor + Math.min(15_000, 500 * 2 ** attempt));
        client.clock.advance(wait);
        expect(client.socket.state).toEqual({ state: "connecting" });
      }
      client.socket.close();
      expect(client.clock.running).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

test("waits start anew only after a connection that stayed", () => {
  const client = openStub();
  const live = (ms: number): number => {
    StubWebSocket.last.open(welcomeFrame());
    client.clock.advance(ms);
    StubWebSocket.last.end(1006);
    const wait = waitOf(client.socket.state, client.clock.now());
    client.clock.advance(wait);
    return wait;
  };
  expect(live(0)).toBe(250);
  expect(live(STABLE_CONNECTION_MS - 1)).toBe(500);
  expect(live(0)).toBe(1000);
  expect(live(STABLE_CONNECTION_MS)).toBe(250);
  expect(live(0)).toBe(500);
});

test("a handshake that never opens is given up", async () => {
  const server = createServer();
  const { promise: dialled, resolve } = Promise.withResolvers<void>();
  server.on("connection", (socket) => {
    onTestFinished(() => void socket.destroy());
    resolve();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const client = openClient(`http://127.0.0.1:${port}`);
  await dialled;
  client.clock.advance(HANDSHAKE_TIMEOUT_MS - 1);
  expect(client.socket.state).toEqual({ state: "connecting" });
  client.clock.advance(1);
  expect(client.socket.state).toMatchObject({ state: "waiting" });
});

test("a socket that opens but brings no welcome is given up", async () => {
  const room = await useScriptedRoom();
  const client = openClient(room.server);
  const end = await room.sockets.next();
  end.sendText("not a welcome");
  await client.told.next();
  client.clock.advance(HANDSHAKE_TIMEOUT_MS);
  expect(client.socket.state).toMatchObject({ state: "waiting" });
  await end.closed.next();
});

test("a handshake that failed without a close event, as in Node 22, is tried again", () => {
  const client = openStub();
  StubWebSocket.last.dispatchEvent(new Event("error"));
  expect(client.socket.state).toMatchObject({ state: "waiting" });
});

test("an error on an open socket leaves it to the close event to say why", () => {
  const client = openStub();
  StubWebSocket.last.open(welcomeFrame());
  StubWebSocket.last.dispatchEvent(new Event("error"));
  expect(client.socket.state).toEqual({ state: "open" });
  StubWebSocket.last.end(4003);
  expect(client.socket.state).toEqual({ state: "closed", code: 4003 });
});

test("reconnectNow() does not wait, and one attempt is enough", () => {
  const client = openStub();
  const first = StubWebSocket.last;
  first.open(welcomeFrame());
  first.end(1006);
  const before = StubWebSocket.made.length;
  client.socket.reconnectNow();
  client.socket.reconnectNow();
  expect(StubWebSocket.made.length).toBe(before + 1);
  expect(client.socket.state).toEqual({ state: "connecting" });
  // The wait that it cut short brings no second socket.
  client.clock.advance(RECONNECT_BASE_MS);
  expect(StubWebSocket.made.length).toBe(before + 1);
});

test("reconnectNow() does not shorten the wait for abuse", () => {
  const client = openStub();
  StubWebSocket.last.open(welcomeFrame());
  StubWebSocket.last.end(4008);
  const waiting = client.socket.state;
  client.socket.reconnectNow();
  expect(client.socket.state).toBe(waiting);
  expect(waitOf(waiting, client.clock.now())).toBeGreaterThanOrEqual(30_000);
});

test("whatever an abandoned socket still brings is ignored: its 4000 is no verdict on the new one", () => {
  const client = openStub();
  const old = StubWebSocket.last;
  old.open(welcomeFrame());
  client.clock.advance(limits.PING_INTERVAL_MS + limits.PONG_TIMEOUT_MS);
  expect(old.sent).toEqual(["ping"]);
  expect(old.closedWith).toEqual([1000]);
  client.clock.advance(waitOf(client.socket.state, client.clock.now()));
  StubWebSocket.last.open(welcomeFrame());
  expect(client.socket.state).toEqual({ state: "open" });
  client.told.drain();

  old.bring(JSON.stringify(messageFrame("late")));
  old.bring(JSON.stringify(welcomeFrame()));
  old.bring("pong");
  old.dispatchEvent(new Event("error"));
  old.end(4000);
  expect(client.told.drain()).toEqual([]);
  expect(client.socket.state).toEqual({ state: "open" });
});

test("close() is final, said once, and closes the socket", async () => {
  const client = await openWelcomed();
  client.socket.close();
  client.socket.close();
  client.socket.reconnectNow();
  expect(client.told.drain()).toEqual([
    { told: "state", state: { state: "closed", code: undefined } },
  ]);
  expect(await client.end.closed.next()).toBe(1000);
});

test("close() while waiting takes the attempt back", () => {
  const client = openStub();
  StubWebSocket.last.end(1006);
  client.socket.close();
  expect(client.clock.running).toEqual([]);
  expect(client.socket.state).toEqual({ state: "closed", code: undefined });
});
