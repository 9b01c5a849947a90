import { utf8Bytes } from "../protocol/index.ts";
import { isRecord } from "./json-record.ts";

/** Characters kept of what an agent says last in a turn. */
const KEPT_CHARACTERS = 16_000;

/** What the agent says in a turn after the last thing that it did: its answer. */
export class TurnText {
  #text = "";
  #leftOutBytes = 0;

  get text(): string {
    return this.#text.trim();
  }

  /** What it said beyond what is kept. */
  get leftOutBytes(): number {
    return this.#leftOutBytes;
  }

  clear(): void {
    this.#text = "";
    this.#leftOutBytes = 0;
  }

  /** Takes the raw params of one `session/update`. Returns the text that it brings, if it brings any. */
  note(params: unknown): string | undefined {
    if (!isRecord(params) || !isRecord(params["update"])) return undefined;
    const { sessionUpdate, content } = params["update"];
    if (sessionUpdate === "tool_call") this.clear();
    if (sessionUpdate !== "agent_message_chunk" || !isRecord(content)) return undefined;
    const { text } = content;
    if (typeof text !== "string") return undefined;
    const room = KEPT_CHARACTERS - this.#text.length;
    this.#text += text.slice(0, room);
    this.#leftOutBytes += utf8Bytes(text.slice(room));
    return text;
  }
}
