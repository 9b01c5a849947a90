import { type Attempt, CLOSE, limits } from "../../src/protocol/index.ts";
import type { StoredParticipant } from "./participant-store.ts";
import * as refusals from "./refusals.ts";
import type { RoomReply } from "./reply.ts";
import type { RoomParts } from "./room-parts.ts";
import { settleDue } from "./sweep.ts";
import { roomViewJson, welcomeFrame } from "./welcome.ts";

/** Accepts a participant's socket and sends its `welcome`, which is the first frame on it. */
export function connect(
  parts: RoomParts,
  socket: WebSocket,
  you: StoredParticipant,
  attempt: Attempt | undefined,
  now: number,
): void {
  const { sockets, cards, presence } = parts;
  const { participantId, role } = you;
  if (sockets.isOvertaken(participantId, attempt)) {
    socket.accept();
    socket.close(CLOSE.replaced, REPLACED);
    return;
  }
  settleDue(parts, now, role === "human" ? undefined : participantId);
  for (const replaced of replacedBy(parts, you, attempt)) {
    sockets.dismiss(replaced, CLOSE.replaced, REPLACED);
  }
  const lastSeqBefore = cards.lastSeq();
  sockets.accept(socket, { participantId, role, acceptedAt: now, attempt, lastSeqBefore });
  if (role === "human") presence.noteHuman();
  sockets.send(socket, welcomeFrame(roomViewJson(parts, you, now)));
  presence.refresh(now);
}

const REPLACED = "a newer connection took over";

/** A resident has one socket; a human a few, and one for each client: what that client gave up must not act any more. */
function replacedBy(
  { sockets }: RoomParts,
  { participantId, role }: StoredParticipant,
  attempt: Attempt | undefined,
): WebSocket[] {
  const older = sockets.of(participantId);
  if (role === "resident") return older;
  const isGivenUp = (socket: WebSocket): boolean => {
    const other = sockets.identity(socket)?.attempt;
    return other !== undefined && other.clientId === attempt?.clientId;
  };
  const others = older.filter((socket) => !isGivenUp(socket));
  const surplus = Math.max(0, others.length - (limits.SOCKETS_PER_HUMAN - 1));
  return [...older.filter(isGivenUp), ...others.slice(0, surplus)];
}

/** Why a participant cannot come in now, if it cannot. Whoever is here already can always connect again. */
export function refusalIfFull(
  { presence }: RoomParts,
  you: StoredParticipant,
  now: number,
): RoomReply | undefined {
  let others = 0;
  for (const [participantId, role] of presence.now(now)) {
    if (role === you.role && participantId !== you.participantId) others += 1;
  }
  const limit = you.role === "human" ? limits.HUMANS_PRESENT : limits.RESIDENTS_PRESENT;
  return others < limit ? undefined : refusals.roomFull(`${you.role}s at once`);
}
