import type { HumanPresence } from "../../src/approval/index.ts";
import type { FrameOf, Participant, Role } from "../../src/protocol/index.ts";
import type { ParticipantStore, StoredParticipant } from "./participant-store.ts";
import type { RoomStore } from "./room-store.ts";
import type { Sockets } from "./sockets.ts";

/** Who was here at one look. */
export interface Seen {
  readonly present: ReadonlyMap<string, Role>;
  readonly humans: number;
}

/**
 * Who is here: a hint for people, never an authority. There are no timers: it is worked out when something happens anyway, and
 * a change that is found is announced then.
 */
export class Presence {
  readonly #room: RoomStore;
  readonly #participants: ParticipantStore;
  readonly #sockets: Sockets;
  /** A copy of what the store says was announced; read again after a start. */
  #announced: Set<string> | undefined;

  constructor(room: RoomStore, participants: ParticipantStore, sockets: Sockets) {
    this.#room = room;
    this.#participants = participants;
    this.#sockets = sockets;
  }

  /** Participants present now, by id. */
  now(now: number): Map<string, Role> {
    const present = new Map<string, Role>();
    for (const socket of this.#sockets.all()) {
      const identity = this.#sockets.identity(socket);
      if (identity !== undefined && this.#sockets.isFresh(socket, now)) {
        present.set(identity.participantId, identity.role);
      }
    }
    for (const { participantId, role } of this.#participants.calledLately(now)) {
      present.set(participantId, role);
    }
    return present;
  }

  /** Humans present now: participants, not sockets. */
  humans(now: number): number {
    return countHumans(this.now(now));
  }

  /** Looks, and tells everybody what has changed. */
  refresh(now: number): void {
    this.announceChanges(this.look(now));
  }

  /** Drops sockets that have gone silent, and sees who is here. */
  look(now: number): Seen {
    for (const socket of this.#sockets.all()) {
      if (this.#sockets.isFresh(socket, now)) continue;
      this.#sockets.dismiss(socket, SILENT, "no ping for too long; connect again");
      this.noteEnd(socket);
    }
    const present = this.now(now);
    if (present.size > 0) this.noteActivity();
    return { present, humans: countHumans(present) };
  }

  /** Stores and announces what has changed since it was last announced. */
  announceChanges({ present }: Seen): void {
    const announced = (this.#announced ??= new Set(this.#participants.announcedPresent()));
    for (const participantId of present.keys()) {
      if (!announced.has(participantId)) this.#announce(participantId, true, announced);
    }
    for (const participantId of announced) {
      if (!present.has(participantId)) this.#announce(participantId, false, announced);
    }
  }

  /** Somebody is here: the Room is not idle, whatever it was. */
  noteActivity(): void {
    if (this.#room.get().idleSince !== undefined) this.#room.setIdleSince(undefined);
  }

  /** A human's socket was accepted: from now on a Room without humans may only have lost its sockets. */
  noteHuman(): void {
    if (!this.#room.get().humansHere) this.#room.setHumansHere(true);
  }

  /** A socket has ended in a way that the Room saw. With the last human's, nobody is expected back. */
  noteEnd(socket: WebSocket): void {
    if (this.#sockets.identity(socket)?.role !== "human" || this.#sockets.humans().length > 0)
      return;
    if (this.#room.get().humansHere) this.#room.setHumansHere(false);
  }

  /** What counts for a request that does not want to wait in an empty Room. */
  humanPresence(humansPresent: number): HumanPresence {
    return { present: humansPresent, mayReturn: this.#room.get().humansHere };
  }

  /** Forgets somebody who has left or was removed, telling everybody else. */
  forget(participant: StoredParticipant): void {
    this.#announced?.delete(participant.participantId);
    this.#tell({ ...participant, present: false });
  }

  #announce(participantId: string, present: boolean, announced: Set<string>): void {
    this.#participants.setAnnounced(participantId, present);
    if (present) announced.add(participantId);
    else announced.delete(participantId);
    const participant = this.#participants.byId(participantId);
    if (participant !== undefined) this.#tell({ ...participant, present });
  }

  #tell(participant: Participant): void {
    const frame: FrameOf<"participant_changed"> = { type: "participant_changed", participant };
    const text = JSON.stringify(frame);
    for (const socket of this.#sockets.all()) this.#sockets.send(socket, text);
  }
}

/** Not terminal: a client that was only asleep comes back. */
const SILENT = 1001;

function countHumans(present: ReadonlyMap<string, Role>): number {
  let humans = 0;
  for (const role of present.values()) if (role === "human") humans += 1;
  return humans;
}
