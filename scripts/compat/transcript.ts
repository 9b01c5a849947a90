import { existsSync } from "node:fs";
import {
  type Entry,
  field,
  isReplyTo,
  type Message,
  modeOption,
  readAnswer,
  readAsk,
  readEntries,
  type SeenAsk,
  type SeenSettings,
} from "./transcript-entries.ts";

/** What crossed an agent's stdio in one or more of its processes: the witness that neither side wrote itself. */
export class Transcript {
  readonly #entries: Entry[];

  constructor(file: string) {
    this.#entries = existsSync(file) ? readEntries(file) : [];
  }

  /** What the agent says of itself. */
  get agentInfo(): { name?: string; version?: string } {
    return (this.#replyTo("initialize")?.["agentInfo"] as { name?: string } | undefined) ?? {};
  }

  /** Ids of the modes that it offers. */
  get modes(): string[] {
    const opened = this.#replyTo("session/new");
    const option = modeOption(opened?.["configOptions"]);
    const choices = option?.["options"] ?? field(opened, "modes")?.["availableModes"];
    if (!Array.isArray(choices)) return [];
    return choices.flatMap((choice: Message) => {
      const id = choice["value"] ?? choice["id"];
      return typeof id === "string" ? [id] : [];
    });
  }

  /** The session's settings as the agent last reported them before its first prompt: its mode, and every config option. */
  get settings(): SeenSettings {
    return this.#settingsBefore("session/prompt");
  }

  /** As it reported them last. */
  get lastSettings(): SeenSettings {
    return this.#settingsBefore(undefined);
  }

  #settingsBefore(method: string | undefined): SeenSettings {
    let mode: unknown;
    let config: Record<string, unknown> = {};
    const note = (report: Message | undefined): void => {
      const options = report?.["configOptions"];
      mode = report?.["currentModeId"] ?? field(report, "modes")?.["currentModeId"] ?? mode;
      if (!Array.isArray(options)) return;
      mode = modeOption(options)?.["currentValue"] ?? mode;
      config = Object.fromEntries(
        options.map((option: Message) => [String(option["id"]), option["currentValue"]]),
      );
    };
    for (const { way, message } of this.#entries) {
      if (method !== undefined && message["method"] === method) break;
      if (way === "to") continue;
      const request = this.#requestOf(message);
      if (message["method"] === "session/update") note(field(message["params"], "update"));
      else if (message["result"] !== undefined) {
        if (request?.["method"] === "session/set_mode") mode = field(request, "params")?.["modeId"];
        note(field(message, "result"));
      }
    }
    return { mode: typeof mode === "string" ? mode : undefined, config };
  }

  /** How every turn ended: a stop reason, `error`, or undefined for one that did not end. */
  get turnEnds(): (string | undefined)[] {
    return this.#entries
      .filter(({ message }) => message["method"] === "session/prompt")
      .map(({ message }) => {
        const reply = this.#replyOf(message["id"], "from");
        if (reply === undefined) return undefined;
        return String(field(reply, "result")?.["stopReason"] ?? "error");
      });
  }

  /** Every permission request of the session, in order. */
  get asks(): SeenAsk[] {
    let isCancelled = false;
    let endedAt = Number.POSITIVE_INFINITY;
    const asks: SeenAsk[] = [];
    for (const [index, { message }] of this.#entries.entries()) {
      if (message["method"] === "session/prompt") {
        isCancelled = false;
        endedAt = this.#indexAfter(index, "from", message["id"]);
      }
      if (message["method"] === "session/cancel") isCancelled = true;
      if (message["method"] !== "session/request_permission") continue;
      const answeredAt = this.#indexAfter(index, "to", message["id"]);
      asks.push({
        ...readAsk(message),
        afterCancel: isCancelled,
        isDangling: endedAt < answeredAt,
        ...readAnswer(this.#entries[answeredAt]?.message),
      });
    }
    return asks;
  }

  /** Where a request has its reply; Infinity where it has none. */
  #indexAfter(index: number, way: Entry["way"], id: unknown): number {
    const found = this.#entries.findIndex(
      (entry, at) => at > index && entry.way === way && isReplyTo(entry.message, id),
    );
    return found < 0 ? Number.POSITIVE_INFINITY : found;
  }

  #replyTo(method: string): Message | undefined {
    const request = this.#entries.find(({ message }) => message["method"] === method)?.message;
    return field(this.#replyOf(request?.["id"], "from"), "result");
  }

  #replyOf(id: unknown, from: Entry["way"]): Message | undefined {
    return this.#entries.find(({ way, message }) => way === from && isReplyTo(message, id))
      ?.message;
  }

  #requestOf(reply: Message): Message | undefined {
    return this.#entries.find(
      ({ way, message }) =>
        way === "to" && message["method"] !== undefined && message["id"] === reply["id"],
    )?.message;
  }
}
