import { isRecord } from "./json-record.ts";

/** Characters kept of what an agent says last in a turn. */
const KEPT_CHARACTERS = 16_000;

/** What the agent says in a turn after the last thing that it did: its answer. */
export class TurnText {
  #text = "";

  get text(): string {
    return this.#text.trim();
  }

  clear(): void {
    this.#text = "";
  }

  /** Takes the raw params of one `session/update`. Returns the text that it brings, if it brings any. */
  note(params: unknown): string | undefined {
    if (!isRecord(params) || !isRecord(params["update"])) return undefined;
    const { sessionUpdate, content } = params["update"];
    if (sessionUpdate === "tool_call") this.clear();
    if (sessionUpdate !== "agent_message_chunk" || !isRecord(content)) return undefined;
    const { text } = content;
    if (typeof text !== "string") return undefined;
    if (this.#text.length < KEPT_CHARACTERS) {
      this.#text = (this.#text + text).slice(0, KEPT_CHARACTERS);
    }
    return text;
  }
}
