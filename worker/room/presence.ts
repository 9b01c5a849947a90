import type { FrameOf, Role } from "../../src/protocol/index.ts";
import type { ParticipantStore } from "./participant-store.ts";
import type { Sockets } from "./sockets.ts";

/**
 * Who is here: a hint for people, never an authority. There are no timers: it is worked out when something happens anyway, and
 * a change that is found is announced then.
 */
export class Presence {
  readonly #participants: ParticipantStore;
  readonly #sockets: Sockets;
  /** A copy of what the store says was announced; read again after a start. */
  #announced: Set<string> | undefined;

  constructor(participants: ParticipantStore, sockets: Sockets) {
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

  /**
   * Drops sockets that have gone silent, then stores and announces what has changed since the last look.
   * @returns humans present now.
   */
  refresh(now: number): number {
    for (const socket of this.#sockets.all()) {
      if (!this.#sockets.isFresh(socket, now)) {
        this.#sockets.dismiss(socket, SILENT, "no ping for too long; connect again");
      }
    }
    const present = this.now(now);
    const announced = (this.#announced ??= new Set(this.#participants.announcedPresent()));
    for (const participantId of present.keys()) {
      if (!announced.has(participantId)) this.#announce(participantId, true, announced);
    }
    for (const participantId of announced) {
      if (!present.has(participantId)) this.#announce(participantId, false, announced);
    }
    return countHumans(present);
  }

  #announce(participantId: string, present: boolean, announced: Set<string>): void {
    this.#participants.setAnnounced(participantId, present);
    if (present) announced.add(participantId);
    else announced.delete(participantId);
    const participant = this.#participants.byId(participantId);
    if (participant === undefined) return;
    const frame: FrameOf<"participant_changed"> = {
      type: "participant_changed",
      participant: { ...participant, present },
    };
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
