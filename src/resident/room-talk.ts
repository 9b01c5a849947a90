import type { FrameOf, Message } from "../protocol/index.ts";

/** The humans who are in the Room now. */
export class PeopleThere {
  readonly #names = new Map<string, string>();

  get names(): string[] {
    return [...this.#names.values()];
  }

  welcome({ participants }: FrameOf<"welcome">): void {
    this.#names.clear();
    for (const participant of participants) this.#note(participant);
  }

  change({ participant }: FrameOf<"participant_changed">): void {
    this.#note(participant);
  }

  #note({ participantId, role, name, present }: FrameOf<"welcome">["participants"][number]): void {
    if (role === "human" && present) this.#names.set(participantId, name);
    else this.#names.delete(participantId);
  }
}

/** Messages remembered, to tell those of a new `welcome` that have not been seen: it brings the newest 50. */
const SEEN_MESSAGES = 1_000;

/** What humans address to this resident, each message once. What was said before it came is nobody's order to it. */
export class AddressedTalk {
  readonly #seen = new Set<string>();
  #me: string | undefined;

  /** What was said while there was no connection. */
  welcome({ you, messages }: FrameOf<"welcome">): Message[] {
    const isFirst = this.#me === undefined;
    this.#me = you.participantId;
    const prompts = this.take(messages);
    return isFirst ? [] : prompts;
  }

  take(messages: readonly Message[]): Message[] {
    const fresh = messages.filter(({ messageId }) => !this.#seen.has(messageId));
    for (const { messageId } of fresh) this.#remember(messageId);
    return fresh
      .filter(({ from, to }) => from.role === "human" && to === this.#me && this.#me !== undefined)
      .sort((one, other) => one.at - other.at);
  }

  #remember(messageId: string): void {
    this.#seen.add(messageId);
    const [oldest] = this.#seen;
    if (this.#seen.size > SEEN_MESSAGES && oldest !== undefined) this.#seen.delete(oldest);
  }
}
