import { createRoom, type Member, type TestRoom } from "./room.ts";
import type { TestSocket } from "./socket.ts";

/** Two humans and a resident in a Room of their own, each with a socket. */
export interface Scene {
  readonly room: TestRoom;
  readonly ana: Member;
  readonly ben: Member;
  readonly claude: Member;
  readonly a: TestSocket;
  readonly b: TestSocket;
  readonly r: TestSocket;
}

export async function openScene(): Promise<Scene> {
  const room = await createRoom();
  const [ana, ben, claude] = [
    await room.human("Ana"),
    await room.human("Ben"),
    await room.resident(),
  ];
  const [a, b, r] = [await ana.socket(), await ben.socket(), await claude.socket()];
  return { room, ana, ben, claude, a, b, r };
}
