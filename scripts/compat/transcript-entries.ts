import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

export type Message = Record<string, unknown>;
/** One line and its direction. */
export interface Entry {
  way: "to" | "from";
  message: Message;
}

/** One option as an agent offered it. */
export interface SeenOption {
  optionId: string;
  kind: string;
}

export interface SeenSettings {
  mode: string | undefined;
  /** Config option id → value. */
  config: Record<string, unknown>;
}

/** One permission request, as it crossed the agent's own stdio. */
export interface SeenAsk {
  toolKind: string;
  options: SeenOption[];
  /** The turn had been cancelled before it was asked. */
  afterCancel: boolean;
  /** The id of the option that the agent was told; undefined for anything else. */
  selected: string | undefined;
  /** Its turn had ended before it was answered. */
  isDangling: boolean;
  /** `selected`, `cancelled`, `other`, or undefined where it had no answer. */
  outcome: string | undefined;
}

export function readEntries(file: string): Entry[] {
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return lines.flatMap((line) => {
    const { way, line: text } = JSON.parse(line) as { way: Entry["way"]; line: string };
    const message = parseObject(text);
    return message === undefined ? [] : [{ way, message }];
  });
}

function parseObject(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Message) : undefined;
  } catch {
    return undefined;
  }
}

export function readAsk(message: Message): Pick<SeenAsk, "toolKind" | "options"> {
  const params = field(message, "params");
  const options = Array.isArray(params?.["options"]) ? (params["options"] as SeenOption[]) : [];
  return {
    toolKind: String(field(params, "toolCall")?.["kind"] ?? "other"),
    options: options.map(({ optionId, kind }) => ({ optionId, kind })),
  };
}

export function readAnswer(answer: Message | undefined): Pick<SeenAsk, "selected" | "outcome"> {
  if (answer === undefined) return { selected: undefined, outcome: undefined };
  const outcome = field(answer["result"], "outcome");
  if (isDeepStrictEqual(outcome, { outcome: "cancelled" })) {
    return { selected: undefined, outcome: "cancelled" };
  }
  const optionId = outcome?.["optionId"];
  const isSelected = outcome?.["outcome"] === "selected" && typeof optionId === "string";
  return isSelected
    ? { selected: optionId, outcome: "selected" }
    : { selected: undefined, outcome: "other" };
}

export function isReplyTo(message: Message, id: unknown): boolean {
  return message["method"] === undefined && message["id"] === id;
}

export function modeOption(options: unknown): Message | undefined {
  if (!Array.isArray(options)) return undefined;
  return (options as Message[]).find(({ category }) => category === "mode");
}

export function field(value: unknown, name: string): Message | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const found = (value as Message)[name];
  return typeof found === "object" && found !== null ? (found as Message) : undefined;
}
