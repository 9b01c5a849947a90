import type { Participant, Role } from "../../protocol/index.ts";
import { inLine } from "../safe-text.ts";
import { nameWithId } from "./settled-words.ts";

/** Who is in the Room, as it told. */
export class People {
  readonly #byId = new Map<string, Participant>();

  replace(participants: readonly Participant[]): void {
    this.#byId.clear();
    for (const participant of participants) this.#byId.set(participant.participantId, participant);
  }

  /** @returns whether their presence changed */
  change(participant: Participant): boolean {
    const before = this.#byId.get(participant.participantId)?.present ?? false;
    this.#byId.set(participant.participantId, participant);
    return before !== participant.present;
  }

  isPresent(participantId: string): boolean {
    return this.#byId.get(participantId)?.present ?? false;
  }

  get present(): readonly Participant[] {
    return [...this.#byId.values()].filter(({ present }) => present);
  }

  /** `Builder (f3a9c1)`, as cards name whoever asks; undefined for somebody who has never been here. */
  nameOf(participantId: string): string | undefined {
    const participant = this.#byId.get(participantId);
    return participant === undefined ? undefined : nameWithId(participant);
  }

  /** `People here: Ana, Ben. Agents here: nobody.` */
  describe(): string {
    return `People here: ${this.#names("human")}. Agents here: ${this.#names("resident")}.`;
  }

  #names(role: Role): string {
    const names = this.present
      .filter((participant) => participant.role === role)
      .map((participant) => inLine(participant.name));
    return names.length === 0 ? "none" : names.join(", ");
  }
}
