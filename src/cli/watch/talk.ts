import type { Participant } from "../../protocol/index.ts";
import { findAddressee } from "./addressee.ts";
import { type FrameSocket, refusedWords, sendFrame } from "./press.ts";
import type { View } from "./screen.ts";

interface Options {
  screen: Pick<View, "print">;
  socket: FrameSocket;
  /** Who is here, but for the person who types. */
  others(): readonly Participant[];
}

/** What a person writes to the Room. Nothing of it can answer a card. */
export class Talk {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** To everybody. */
  say(text: string): void {
    if (text.startsWith("@")) {
      this.#tell(
        "This goes to everybody, and no agent takes it as a prompt. For one alone: to NAME TEXT.",
      );
    }
    void this.#post(text);
  }

  /** To one participant: an agent may take it as its prompt. */
  address(name: string, text: string): void {
    const addressee = findAddressee(name, this.#options.others());
    if (addressee.type === "none") return this.#tell(`Not said. ${addressee.why}`);
    if (text === "") return this.#tell("Not said: there is no text. Write: to NAME TEXT.");
    void this.#post(text, addressee.participant.participantId);
  }

  async #post(text: string, to?: string): Promise<void> {
    const frame = { type: "say", text, ...(to === undefined ? {} : { to }) } as const;
    const sent = await sendFrame(this.#options.socket, frame);
    if (sent.state === "refused") this.#tell(`Not said: ${refusedWords(sent.error)}`);
    else if (sent.state === "not_sent") this.#tell("Not said: there is no connection.");
    else if (sent.state === "unknown") this.#tell("Whether it was said is not known.");
  }

  #tell(text: string): void {
    this.#options.screen.print([text]);
  }
}
