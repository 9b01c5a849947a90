import type { Message, Participant } from "../../protocol/index.ts";
import { isPending, type RoomState } from "./state.ts";

/** A word with which people answer questions, at the start of a message: easily meant as an answer to a card. */
const SOUNDS_LIKE_AN_ANSWER =
  /^\W*(y|yes|yep|yeah|yup|ok|okay|sure|fine|allow(ed)?|approved?|accept(ed)?|agreed?|granted?|permit(ted)?|confirm(ed)?|proceed|continue|go|do it|run it|lgtm|always|no|nope|never|reject(ed)?|refused?|den(y|ied)|stop|cancel|don['’]?t|ja|nein|oui|non|s[ií]|da)(?![\p{L}\p{N}])|^\s*(\+1|👍|👎|✅|✔|❌|🆗)/iu;

export function soundsLikeAnAnswer(text: string): boolean {
  return SOUNDS_LIKE_AN_ANSWER.test(text);
}

/** For your own message that sounds as if it answered a card: how many that it did not answer still wait. Otherwise 0. */
export function stillWaiting(state: RoomState, { from, text, at }: Message): number {
  if (from.participantId !== state.you?.participantId || !soundsLikeAnAnswer(text)) return 0;
  return state.open.filter((entry) => isPending(entry) && entry.card.openedAt <= at).length;
}

/** Whom a message may be addressed to: agents, those that are here first. */
export function addressees({ participants }: RoomState): Participant[] {
  const residents = participants.filter(({ role }) => role === "resident");
  return residents.sort((one, other) => Number(other.present) - Number(one.present));
}
