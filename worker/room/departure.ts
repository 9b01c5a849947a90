import { giveUp, isSettled, type StoredCard, withdraw } from "../../src/approval/index.ts";
import { CLOSE } from "../../src/protocol/index.ts";
import type { StoredParticipant } from "./participant-store.ts";
import type { RoomParts } from "./room-parts.ts";

/**
 * A participant leaves or is removed: its token is worth nothing from here on, its sockets are closed, and what it asked is
 * withdrawn, because nobody is left to hear an answer. @returns what announces it.
 */
export function depart(
  parts: RoomParts,
  participant: StoredParticipant,
  reason: "resident_left" | "resident_removed",
  now: number,
): () => void {
  const { cards, longPolls, participants, presence, settling, sockets, transaction } = parts;
  const { participantId } = participant;
  const changes = transaction(() => {
    const ended = cards.ofResume(participantId, []).map((card) => {
      return settling.store(card, endOf(card, reason, now), now);
    });
    participants.remove(participantId);
    return ended;
  });
  return () => {
    for (const change of changes) settling.announce(change, now);
    for (const socket of sockets.of(participantId)) {
      sockets.dismiss(socket, CLOSE.unauthorized, "this credential is no longer valid");
      presence.noteEnd(socket);
    }
    presence.forget(participant);
    longPolls.wakeParticipant(participantId);
  };
}

function endOf(card: StoredCard, reason: "resident_left" | "resident_removed", now: number) {
  const { card: ended } = withdraw(card, reason, now);
  return isSettled(ended) ? giveUp(ended, now) : ended;
}
