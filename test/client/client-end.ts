import { onTestFinished } from "vitest";
import {
  RoomSocket,
  type ConnectionState,
  type RoomSocketOptions,
} from "../../src/client/index.ts";
import type { FrameOf, RoomFrame } from "../../src/protocol/index.ts";
import { Inbox } from "../support/inbox.ts";
import { startScriptedRoom, type RoomEnd, type ScriptedRoom } from "../support/scripted-room.ts";
import { FakeClock } from "./fake-clock.ts";

export const SOME_32_BYTES = "A".repeat(43);
export const ROOM_ID = SOME_32_BYTES;
export const SECRET = "c2VjcmV0".repeat(5) + "c2U";
export const TOKEN = `hr1.ht.${ROOM_ID}.${SECRET}`;

/** What a RoomSocket told its owner, in order. */
export type Told =
  | { told: "welcome"; welcome: FrameOf<"welcome"> }
  | { told: "frame"; frame: RoomFrame }
  | { told: "state"; state: ConnectionState }
  | { told: "bad"; type: string | undefined }
  | { told: "lost"; requestId: string | undefined };

export interface ClientEnd {
  socket: RoomSocket;
  told: Inbox<Told>;
  clock: FakeClock;
}

export async function useScriptedRoom(): Promise<ScriptedRoom> {
  const room = await startScriptedRoom();
  onTestFinished(() => room.close());
  return room;
}

/** A RoomSocket on a fake clock that waits half of each bound before it reconnects. */
export function openClient(server: string, options: Partial<RoomSocketOptions> = {}): ClientEnd {
  const told = new Inbox<Told>();
  const clock = new FakeClock();
  const socket = new RoomSocket({
    server,
    token: TOKEN,
    onWelcome: (welcome) => told.put({ told: "welcome", welcome }),
    onFrame: (frame) => told.put({ told: "frame", frame }),
    onState: (state) => told.put({ told: "state", state }),
    onBadFrame: (type) => told.put({ told: "bad", type }),
    onLostCard: (requestId) => told.put({ told: "lost", requestId }),
    clock,
    random: () => 0.5,
    ...options,
  });
  onTestFinished(() => socket.close());
  return { socket, told, clock };
}

/** A client that has its welcome, and the Room's end of its socket. */
export async function openWelcomed(
  options: Partial<RoomSocketOptions> = {},
): Promise<ClientEnd & { room: ScriptedRoom; end: RoomEnd }> {
  const room = await useScriptedRoom();
  const client = openClient(room.server, options);
  const end = await room.sockets.next();
  end.send(welcomeFrame());
  await nextState(client, "open");
  return { ...client, room, end };
}

/** Reads on to the next change to that state. */
export async function nextState<S extends ConnectionState["state"]>(
  client: Pick<ClientEnd, "told">,
  state: S,
): Promise<Extract<ConnectionState, { state: S }>> {
  for (;;) {
    const next = await client.told.next();
    if (next.told !== "state") continue;
    if (next.state.state === state) return next.state as Extract<ConnectionState, { state: S }>;
  }
}

export function welcomeFrame(): FrameOf<"welcome"> {
  return {
    type: "welcome",
    protocol: 1,
    serverTime: 1_700_000_000_000,
    you: { participantId: "p1", role: "human", name: "Ana" },
    room: { roomId: ROOM_ID, name: "Room" },
    participants: [{ participantId: "p1", role: "human", name: "Ana", present: true }],
    cards: [],
    recent: [],
    messages: [],
    limits: {
      bodyBytes: 1_048_576,
      frameBytes: 65_536,
      toolCallBytes: 983_040,
      messageBytes: 4000,
      expiresInMs: { default: 300_000, min: 1000, max: 86_400_000 },
      pendingPerResident: 64,
    },
  };
}

export function messageFrame(text: string): FrameOf<"message_posted"> {
  const from = { participantId: "p2", name: "Ben", role: "human" } as const;
  return { type: "message_posted", message: { messageId: "m1", from, text, at: 1 } };
}

/** What a promise rejects with. Handles the rejection from now on, so that it may come before it is awaited. */
export function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}
