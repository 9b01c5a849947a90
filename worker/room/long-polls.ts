import { limits } from "../../src/protocol/index.ts";

interface Waiting {
  readonly participantId: string;
  readonly wake: (hasRoomEnded: boolean) => void;
}

/**
 * Calls that wait for a request to settle. Held in memory only, with the one kind of timer that a Room has: an eviction ends
 * them as unavailable, and the client repeats.
 */
export class LongPolls {
  readonly #waiting = new Map<string, Set<Waiting>>();

  /** Whether one more call of this participant may wait. */
  admits(participantId: string): boolean {
    const all = [...this.#waiting.values()].flatMap((waiting) => [...waiting]);
    const own = all.filter((waiting) => waiting.participantId === participantId);
    return (
      all.length < limits.LONG_POLLS_PER_ROOM && own.length < limits.LONG_POLLS_PER_PARTICIPANT
    );
  }

  /** Resolves when the request settles, or after `ms`, or when the Room ends: @returns whether that was it. */
  wait(requestId: string, participantId: string, ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting: Waiting = {
        participantId,
        wake: (hasRoomEnded) => {
          clearTimeout(timer);
          this.#remove(requestId, waiting);
          resolve(hasRoomEnded);
        },
      };
      const timer = setTimeout(() => waiting.wake(false), ms);
      const others = this.#waiting.get(requestId);
      if (others === undefined) this.#waiting.set(requestId, new Set([waiting]));
      else others.add(waiting);
    });
  }

  wake(requestId: string): void {
    for (const waiting of this.#waiting.get(requestId) ?? []) waiting.wake(false);
  }

  /** Ends the waits of somebody who has left: the calls find out why. */
  wakeParticipant(participantId: string): void {
    for (const waiting of this.#waiting.values()) {
      for (const one of waiting) if (one.participantId === participantId) one.wake(false);
    }
  }

  /** The Room has ended. Nobody can look again once it is deleted, so that is what they are told. */
  wakeAll(): void {
    for (const all of this.#waiting.values()) for (const waiting of all) waiting.wake(true);
  }

  #remove(requestId: string, waiting: Waiting): void {
    const others = this.#waiting.get(requestId);
    others?.delete(waiting);
    if (others?.size === 0) this.#waiting.delete(requestId);
  }
}
