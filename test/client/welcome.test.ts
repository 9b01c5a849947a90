import { expect, test } from "vitest";
import { NotSent } from "../../src/client/index.ts";
import {
  messageFrame,
  nextState,
  openClient,
  openWelcomed,
  TOKEN,
  useScriptedRoom,
  welcomeFrame,
} from "./client-end.ts";
import { StubWebSocket } from "./stub-web-socket.ts";

test("the credential travels as a subprotocol and never in the URL", async () => {
  const room = await useScriptedRoom();
  openClient(room.server);
  const end = await room.sockets.next();
  expect(end.path).toBe("/api/room/socket");
  expect(end.protocols.split(/,\s*/)).toEqual([
    "handraise.v1",
    `token.${TOKEN}`,
    expect.stringMatching(/^attempt\.[0-9a-f]{32}\.1$/),
  ]);
});

test("an https origin is dialled with wss, and its path is not part of it", () => {
  openClient("https://room.example/r#x", { WebSocket: StubWebSocket.asGlobal });
  expect(StubWebSocket.last.url).toBe("wss://room.example/api/room/socket");
});

test("a token that no header could carry is refused without being quoted", () => {
  for (const token of ["se cret", "se,cret", "se\ncret", "sécret", ""]) {
    expect(() => openClient("http://room.example", { token })).toThrow(/^not a participant token$/);
  }
});

test("a server that is no http(s) origin is refused", () => {
  expect(() => openClient("ftp://room.example")).toThrow(TypeError);
  expect(() => openClient("room.example")).toThrow(TypeError);
});

test("a connection is open with its welcome and not before", async () => {
  const room = await useScriptedRoom();
  const client = openClient(room.server);
  expect(client.socket.state).toEqual({ state: "connecting" });
  const end = await room.sockets.next();
  end.send({ type: "made_up" });
  end.sendText("{");
  // The broken message has arrived, so the socket is open by now.
  expect(await client.told.next()).toEqual({ told: "bad", type: undefined });
  expect(client.socket.state).toEqual({ state: "connecting" });
  await expect(client.socket.send({ type: "say", text: "hi" })).rejects.toThrow(NotSent);
  end.send(welcomeFrame());
  await nextState(client, "open");
  expect(client.socket.state).toEqual({ state: "open" });
});

test("the welcome comes first, then the state, then frames in their order", async () => {
  const room = await useScriptedRoom();
  const client = openClient(room.server);
  const end = await room.sockets.next();
  end.send(messageFrame("too early"));
  end.send(welcomeFrame());
  end.send(messageFrame("one"));
  end.send(messageFrame("two"));
  expect(await client.told.next()).toEqual({ told: "bad", type: "message_posted" });
  expect(await client.told.next()).toEqual({ told: "welcome", welcome: welcomeFrame() });
  expect(await client.told.next()).toEqual({ told: "state", state: { state: "open" } });
  expect(await client.told.next()).toEqual({ told: "frame", frame: messageFrame("one") });
  expect(await client.told.next()).toEqual({ told: "frame", frame: messageFrame("two") });
});

test("a second welcome on one socket is dropped", async () => {
  const client = await openWelcomed();
  client.end.send(welcomeFrame());
  client.end.send(messageFrame("later"));
  expect(await client.told.next()).toEqual({ told: "bad", type: "welcome" });
  expect(await client.told.next()).toEqual({ told: "frame", frame: messageFrame("later") });
});

test("what is sent while the welcome is handled leaves first and in order", async () => {
  const room = await useScriptedRoom();
  const answers: Promise<unknown>[] = [];
  const client = openClient(room.server, {
    onWelcome: () => {
      const { socket } = client;
      answers.push(socket.send({ type: "decision_ack", requestId: "request-1", applied: true }));
      answers.push(socket.send({ type: "resume", parked: ["request-2"], answered: [] }));
    },
    onState: ({ state }) => {
      if (state === "open") answers.push(client.socket.send({ type: "say", text: "back" }));
    },
  });
  const end = await room.sockets.next();
  end.send(welcomeFrame());
  const frames = [await end.nextFrame(), await end.nextFrame(), await end.nextFrame()];
  expect(frames.map(({ type }) => type)).toEqual(["decision_ack", "resume", "say"]);
  for (const { ref } of frames) end.send({ type: "accepted", ref });
  await Promise.all(answers);
});

test("closing while the welcome is handled leaves it closed", async () => {
  const room = await useScriptedRoom();
  const client = openClient(room.server, { onWelcome: () => client.socket.close() });
  const end = await room.sockets.next();
  end.send(welcomeFrame());
  expect(await client.told.next()).toEqual({
    told: "state",
    state: { state: "closed", code: undefined },
  });
  await end.closed.next();
  expect(client.socket.state).toEqual({ state: "closed", code: undefined });
  expect(client.told.drain()).toEqual([]);
});
