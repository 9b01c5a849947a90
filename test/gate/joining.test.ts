import { expect, test, vi } from "vitest";
import { RoomRefusal, RoomUnreachable } from "../../src/client/index.ts";
import { RoomGate } from "../../src/gate/index.ts";
import {
  html,
  INVITE,
  json,
  type Play,
  PlayedRoom,
  refusal,
  SECRET,
  stopTime,
  TOKEN,
} from "./played-room.ts";

const JOINED = {
  roomId: "A".repeat(43),
  participantId: "p-bot",
  role: "resident",
  name: "bot",
  token: TOKEN,
};

function join(room: PlayedRoom, options: { signal?: AbortSignal; invite?: string } = {}) {
  const { fetch } = room;
  return RoomGate.join({
    server: "http://room.example",
    invite: INVITE,
    name: "bot",
    fetch,
    ...options,
  });
}

test("an invite is traded for a place, and the place is given up", async () => {
  const room = new PlayedRoom();
  room.play = ({ path }) => (path === "/api/room/join" ? json(201, JOINED) : undefined);
  const gate = await join(room);
  await gate.leave();
  expect(room.calls.map(({ path, body }) => [path, body])).toEqual([
    ["/api/room/join", { name: "bot" }],
    ["/api/room/leave", {}],
  ]);
});

test("a Room that refuses or cannot be reached is told as such, after one try", async () => {
  const room = new PlayedRoom();
  room.play = () => refusal(410, "room_closed");
  await expect(join(room)).rejects.toThrow(RoomRefusal);
  room.play = () => html(404);
  await expect(join(room)).rejects.toThrow(RoomUnreachable);
  expect(room.calls).toHaveLength(2);
});

test.each([INVITE.replace(".ri.", ".hi."), TOKEN, "", `${INVITE}x`])(
  "only a resident's invite is used, and no error tells it",
  async (invite) => {
    const room = new PlayedRoom();
    const error = await join(room, { invite }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(TypeError);
    expect(`${String(error)} ${(error as Error).stack}`).not.toContain(SECRET);
    expect(room.calls).toEqual([]);
  },
);

test("a join that is taken back rejects at once, and gives up the place that it got all the same", async () => {
  const room = new PlayedRoom();
  const abort = new AbortController();
  let reply: (response: Response) => void = () => undefined;
  const fetch: typeof globalThis.fetch = (input, init) =>
    String(input).endsWith("/join")
      ? new Promise((resolve) => {
          reply = resolve;
        })
      : room.fetch(input, init);
  const joining = RoomGate.join({
    server: "http://room.example",
    invite: INVITE,
    name: "bot",
    fetch,
    signal: abort.signal,
  });
  abort.abort(new Error("stopped"));
  await expect(joining).rejects.toThrow("stopped");
  expect(room.calls).toEqual([]);
  reply(json(201, JOINED));
  await vi.waitFor(() => expect(room.callsTo("/leave")).toHaveLength(1));
  await expect(join(room, { signal: AbortSignal.abort(new Error("before")) })).rejects.toThrow(
    "before",
  );
  expect(room.calls).toHaveLength(1);
});

test("leaving a Room that cannot be reached takes a moment and never throws", async () => {
  stopTime();
  const room = new PlayedRoom();
  const faults: Play[] = [() => "cut", () => "silence", () => refusal(401, "unauthorized")];
  for (const fault of faults) {
    room.play = fault;
    const left = room
      .gate()
      .leave()
      .then(() => true);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await left).toBe(true);
  }
});
