import type { Participant } from "../../protocol/index.ts";
import { idEnd, nameWithId } from "./settled-words.ts";

export type Addressee = { type: "one"; participant: Participant } | { type: "none"; why: string };

/**
 * Whom a typed name means: the whole name or the end of an id, else the only name that begins so. Never a guess between two.
 * `others`: who is here, but for the person who types.
 */
export function findAddressee(typed: string, others: readonly Participant[]): Addressee {
  const wanted = fold(typed);
  if (wanted === "") return { type: "none", why: "Write: to NAME TEXT." };
  const whole = others.filter(
    ({ name, participantId }) => fold(name) === wanted || idEnd(participantId) === typed,
  );
  const found =
    whole.length > 0 ? whole : others.filter(({ name }) => fold(name).startsWith(wanted));
  const [participant] = found;
  if (participant !== undefined && found.length === 1) return { type: "one", participant };
  return found.length === 0
    ? { type: "none", why: `Nobody of that name is here. ${listOf("Here", others)}` }
    : { type: "none", why: `That name is not clear. ${listOf("It may be", found)}` };
}

function fold(name: string): string {
  return name.trim().toLowerCase();
}

function listOf(lead: string, participants: readonly Participant[]): string {
  const names = participants.map(nameWithId).join(", ");
  return `${lead}: ${names === "" ? "nobody else" : names}. The six characters in brackets will do too.`;
}
