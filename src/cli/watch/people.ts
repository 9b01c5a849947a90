import type { Participant, Role } from "../../protocol/index.ts";
import { inLine } from "../safe-text.ts";

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

  /** `People here: Ana, Ben. Agents here: nobody.` */
  describe(): string {
    return `People here: ${this.#names("human")}. Agents here: ${this.#names("resident")}.`;
  }

  #names(role: Role): string {
    const names = [...this.#byId.values()]
      .filter((participant) => participant.role === role && participant.present)
      .map((participant) => inLine(participant.name));
    return names.length === 0 ? "none" : names.join(", ");
  }
}
