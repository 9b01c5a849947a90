import type { ToolCall } from "../../protocol/index.ts";
import { changeText } from "./change-text.ts";

/** One piece of what a card says: our heading, and the agent's own text. */
export interface Part {
  heading: string;
  text: string;
}

type Fields = Record<string, unknown>;

const KINDS: ReadonlyMap<string, string> = new Map([
  ["execute", "Run a command"],
  ["edit", "Edit a file"],
  ["delete", "Delete"],
  ["move", "Move"],
  ["read", "Read"],
  ["search", "Search"],
  ["fetch", "Fetch"],
  ["think", "Think"],
  ["switch_mode", "Switch mode"],
]);

/** What its sender does with a request, after their name: `asks: Run a command`. */
export function askingWords(toolCall: ToolCall): string {
  const { kind } = toolCall;
  const words = typeof kind === "string" ? KINDS.get(kind) : undefined;
  if (words !== undefined) return `asks: ${words}`;
  if (isQuestion(toolCall)) return "asks a question";
  return isPlainKind(kind) ? "asks to use a tool" : "asks to use a tool, of a kind not known here";
}

function isPlainKind(kind: unknown): boolean {
  return kind === undefined || kind === "other";
}

/** Whether it is a text and nothing else: no command, no input, no change, no path. */
function isQuestion({ kind, rawInput, locations, content }: ToolCall): boolean {
  const isOnlyText =
    content === undefined ||
    (Array.isArray(content) && content.every((block) => readNote(block) !== undefined));
  return isPlainKind(kind) && isNothing(rawInput) && isNothing(locations) && isOnlyText;
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** All that a tool call says, the most telling first. What is not understood comes last, as JSON; nothing is left out. */
export function readParts(toolCall: ToolCall): Part[] {
  const rest: Fields = { ...toolCall };
  const { kind } = toolCall;
  // One that ACP does not name stands among the parts.
  if (isPlainKind(kind) || (typeof kind === "string" && KINDS.has(kind))) delete rest["kind"];
  const title = takeText(rest, "title");
  const input = takeInput(rest);
  const content = takeContent(rest);
  const places = takePlaces(rest);
  const notes = isQuestion(toolCall)
    ? content.notes.map((note) => nameInQuestion(note, title))
    : content.notes;
  const telling = [...input, ...content.changes, ...notes, ...places];
  const isRepeated = telling.some((part) => part.text === title);
  const named =
    title === undefined || isRepeated ? [] : [{ heading: "Agent's title", text: title }];
  // The call's own id, by itself, says nothing about what will be done.
  const isOnlyId = Object.keys(rest).every((name) => name === "toolCallId");
  const other = isOnlyId
    ? []
    : [{ heading: "Other fields", text: JSON.stringify(rest, undefined, 2) }];
  return [...named, ...telling, ...other];
}

/** A question has it in its title, and again as its first text; what follows is there to be read before the answer. */
function nameInQuestion({ text }: Part, title: string | undefined): Part {
  return { heading: text === title ? "Question" : "Details", text };
}

/** What a reader would call this request by: the beginning of its command, path or title. */
export function headline(toolCall: ToolCall): string {
  const { title } = toolCall;
  const parts = readParts(toolCall);
  const command = parts.find((part) => part.heading === "Command");
  const text = command?.text ?? (typeof title === "string" ? title : undefined) ?? parts[0]?.text;
  const line = /\S[^\n]*/.exec(text ?? "")?.[0] ?? "a request without a title";
  const start = Array.from(line.slice(0, 200)).slice(0, 60).join("");
  return start.length < line.length ? `${start}…` : start;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function takeText(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (typeof value !== "string" || value === "") return undefined;
  delete fields[name];
  return value;
}

function takeInput(fields: Fields): Part[] {
  const value = fields["rawInput"];
  if (!isFields(value)) return [];
  const rest: Fields = { ...value };
  const parts: Part[] = [];
  const take = (name: string, heading: string): void => {
    const text = takeText(rest, name);
    if (text !== undefined) parts.push({ heading, text });
  };
  const { command } = rest;
  if (Array.isArray(command) && command.length > 0) {
    parts.push({ heading: "Command, as a list of arguments", text: JSON.stringify(command) });
    delete rest["command"];
  }
  take("command", "Command");
  take("cwd", "In the folder");
  take("workdir", "In the folder");
  take("url", "Address");
  take("plan", "Plan");
  if (Object.keys(rest).length === 0) delete fields["rawInput"];
  else fields["rawInput"] = rest;
  return parts;
}

function takeContent(fields: Fields): { changes: Part[]; notes: Part[] } {
  const changes: Part[] = [];
  const notes: Part[] = [];
  const { content } = fields;
  if (!Array.isArray(content)) return { changes, notes };
  const unread = content.filter((block: unknown) => {
    const change = readChange(block);
    const note = readNote(block);
    if (change !== undefined) changes.push(change);
    else if (note !== undefined) notes.push(note);
    else return true;
    return false;
  });
  if (unread.length === 0) delete fields["content"];
  else fields["content"] = unread;
  return { changes, notes };
}

function readChange(block: unknown): Part | undefined {
  if (!isFields(block) || block["type"] !== "diff") return undefined;
  const { type: _type, path, oldText, newText, ...more } = block;
  if (typeof path !== "string" || typeof newText !== "string") return undefined;
  if (oldText !== null && oldText !== undefined && typeof oldText !== "string") return undefined;
  const { heading, text } = changeText(path, oldText ?? undefined, newText);
  return { heading, text: text + moreText(more) };
}

function readNote(block: unknown): Part | undefined {
  if (!isFields(block) || block["type"] !== "content" || !isFields(block["content"]))
    return undefined;
  const { type, text, ...more } = block["content"];
  return type === "text" && typeof text === "string" && text !== ""
    ? { heading: "Agent's text", text: text + moreText(more) }
    : undefined;
}

/** Fields beside those that are shown: nothing is left out. */
function moreText(more: Fields): string {
  return Object.keys(more).length === 0 ? "" : `\n(also: ${JSON.stringify(more)})`;
}

function takePlaces(fields: Fields): Part[] {
  const { locations } = fields;
  if (!Array.isArray(locations) || locations.length === 0) return [];
  const lines = locations.map((place: unknown) => {
    if (!isFields(place) || typeof place["path"] !== "string") return JSON.stringify(place);
    const { path, line, ...more } = place;
    const at = line === undefined || line === null ? "" : `, line ${JSON.stringify(line)}`;
    return `${String(path)}${at}${moreText(more)}`;
  });
  delete fields["locations"];
  return [{ heading: lines.length === 1 ? "Path" : "Paths", text: lines.join("\n") }];
}
