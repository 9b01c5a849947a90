import { distinctName, type Role, limits } from "../../src/protocol/index.ts";
import type { StoredParticipant } from "./participant-store.ts";
import { roomEndsAt } from "./ending.ts";
import * as refusals from "./refusals.ts";
import { created, type RoomReply } from "./reply.ts";
import type { RoomParts } from "./room-parts.ts";

export interface CreateCommand {
  readonly roomId: string;
  readonly name: string;
  readonly humanInviteHash: string;
  readonly residentInviteHash: string;
}

export interface RoomCreation {
  readonly name: string;
  readonly createdAt: number;
}

/** Credentials are minted and hashed by the Worker; the Room only ever sees hashes. */
export interface JoinCommand {
  readonly inviteHash: string;
  readonly participantId: string;
  readonly tokenHash: string;
  readonly name: string;
}

/** A repeat of the same creation, as after a lost reply, changes nothing. */
export function createRoom(parts: RoomParts, command: CreateCommand, now: number): RoomCreation {
  const { room, participants, deadlines } = parts;
  if (room.find() === undefined) {
    parts.transaction(() => {
      room.insert({ roomId: command.roomId, name: command.name, createdAt: now });
      participants.insertInvite(command.humanInviteHash, "hi", now);
      participants.insertInvite(command.residentInviteHash, "ri", now);
    });
    deadlines.armBy(roomEndsAt(parts, now), now);
  }
  const { name, createdAt } = room.get();
  return { name, createdAt };
}

/** Trades an invite for a participant. The role is the invite's, never the caller's word. */
export function joinRoom(parts: RoomParts, command: JoinCommand, now: number): RoomReply {
  const { participants, room, presence } = parts;
  const kind = participants.inviteKind(command.inviteHash);
  if (kind === undefined) return refusals.unauthorized();
  const { roomId, joinedAt } = room.get();
  const repeated = participants.byTokenHash(command.tokenHash);
  if (repeated !== undefined) return created({ roomId, ...repeated });
  if (participants.count() >= limits.PARTICIPANTS) return refusals.roomFull("participants");
  const role: Role = kind === "hi" ? "human" : "resident";
  const places = limits.PARTICIPANTS - limits.PLACES_FOR_HUMANS;
  if (role === "resident" && participants.countRole(role) >= places) {
    return refusals.roomFull("residents");
  }
  const name = distinctName(command.name, (key) => participants.isNameTaken(key));
  const participant: StoredParticipant = { participantId: command.participantId, role, name };
  parts.transaction(() => {
    participants.insert(participant, command.tokenHash, now);
    if (joinedAt === undefined) room.setJoined(now);
  });
  presence.refresh(now);
  return created({ roomId, ...participant });
}
