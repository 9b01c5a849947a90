import type { ToolCall } from "../../protocol/index.ts";

/** A file before and after; `oldText` undefined: there was none. */
export interface FileChange {
  path: string;
  oldText: string | undefined;
  newText: string;
}

/** A text that the agent's request carries under a name this page knows. */
export interface TextEvidence {
  what: "command" | "arguments" | "address" | "plan" | "patch" | "note" | "title";
  text: string;
}

export interface Place {
  path: string;
  line?: number;
}

/** What a tool call says, sorted for reading. Each known field of the wrong type is absent here and stands raw in `rest`. */
export interface ReadToolCall {
  title: string | undefined;
  kind: string | undefined;
  /** What will be done, most telling first. */
  texts: readonly TextEvidence[];
  cwd: string | undefined;
  changes: readonly FileChange[];
  /** Every path that no change names. */
  places: readonly Place[];
  /** All that is shown nowhere else, as JSON. */
  rest: Readonly<Record<string, unknown>>;
  /** No command, path or change: only `rest`, or nothing, says what will be done. */
  isVague: boolean;
  saysNothing: boolean;
}

type Fields = Record<string, unknown>;

/** Sorts a tool call by what ACP and real agents put where. Nothing is dropped: what is not understood stays in `rest`. */
export function readToolCall(toolCall: ToolCall): ReadToolCall {
  const rest: Fields = { ...toolCall };
  const title = takeText(rest, "title");
  const kind = takeText(rest, "kind");
  const { notes, changes } = takeContent(rest);
  const places = takePlaces(rest);
  const input = takeInput(rest);
  const rawInput = input.rest;
  if (rawInput !== undefined) rest["rawInput"] = rawInput;
  const texts = [...input.texts, ...newNotes(input.texts, notes)];
  const isVague =
    input.texts.length === 0 && changes.length === 0 && places.length === 0;
  const titleIsSeen = title === undefined || isSeen(title, texts, changes, places);
  if (isVague && kind === "execute" && !titleIsSeen) {
    texts.unshift({ what: "title", text: title });
  }
  const named = new Set(changes.map((change) => change.path));
  return {
    title: titleIsSeen || texts[0]?.what === "title" ? undefined : title,
    kind,
    texts,
    cwd: input.cwd,
    changes,
    places: places.filter((place) => place.line !== undefined || !named.has(place.path)),
    rest,
    isVague,
    saysNothing: isVague && notes.length === 0 && rest["rawInput"] === undefined,
  };
}

function isSeen(
  title: string,
  texts: readonly TextEvidence[],
  changes: readonly FileChange[],
  places: readonly Place[],
): boolean {
  return (
    texts.some((evidence) => evidence.text === title) ||
    changes.some((change) => change.path === title) ||
    places.some((place) => place.path === title)
  );
}

/** Notes that do not repeat what stands above them. */
function newNotes(above: readonly TextEvidence[], notes: readonly string[]): TextEvidence[] {
  const said = new Set(above.map((evidence) => evidence.text.trim()));
  return notes
    .filter((text) => !said.has(text.trim()))
    .map((text) => ({ what: "note", text }));
}

function takeText(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (typeof value !== "string" || value === "") return undefined;
  delete fields[name];
  return value;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `rawInput`: the command and its kin come out, the rest stays. */
function takeInput(fields: Fields): {
  texts: TextEvidence[];
  cwd: string | undefined;
  rest: Fields | undefined;
} {
  const value = fields["rawInput"];
  if (!isFields(value)) return { texts: [], cwd: undefined, rest: undefined };
  const rest: Fields = { ...value };
  delete fields["rawInput"];
  const texts: TextEvidence[] = [];
  const command = takeText(rest, "command");
  if (command !== undefined) texts.push({ what: "command", text: command });
  else if (isArguments(rest["command"])) {
    texts.push({ what: "arguments", text: JSON.stringify(rest["command"]) });
    delete rest["command"];
  }
  const known = [
    ["url", "address"],
    ["plan", "plan"],
    ["diff", "patch"],
  ] as const;
  for (const [name, what] of known) {
    const text = takeText(rest, name);
    if (text !== undefined) texts.push({ what, text });
  }
  const cwd = takeText(rest, "cwd") ?? takeText(rest, "workdir");
  return { texts, cwd, rest: Object.keys(rest).length === 0 ? undefined : rest };
}

function isArguments(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");
}

function takeContent(fields: Fields): { notes: string[]; changes: FileChange[] } {
  const notes: string[] = [];
  const changes: FileChange[] = [];
  const content = fields["content"];
  if (!Array.isArray(content)) return { notes, changes };
  const unread = content.filter((block: unknown) => {
    const change = readChange(block);
    const note = readNote(block);
    if (change !== undefined) changes.push(change);
    if (note !== undefined) notes.push(note);
    return change === undefined && note === undefined;
  });
  if (unread.length === 0) delete fields["content"];
  else fields["content"] = unread;
  return { notes, changes };
}

function readChange(block: unknown): FileChange | undefined {
  if (!isFields(block) || block["type"] !== "diff") return undefined;
  const { path, oldText, newText } = block;
  if (typeof path !== "string" || typeof newText !== "string") return undefined;
  if (oldText === null || oldText === undefined) return { path, oldText: undefined, newText };
  return typeof oldText === "string" ? { path, oldText, newText } : undefined;
}

function readNote(block: unknown): string | undefined {
  if (!isFields(block) || block["type"] !== "content" || !isFields(block["content"])) {
    return undefined;
  }
  const { type, text } = block["content"];
  return type === "text" && typeof text === "string" && text !== "" ? text : undefined;
}

function takePlaces(fields: Fields): Place[] {
  const locations = fields["locations"];
  if (!Array.isArray(locations)) return [];
  const places: Place[] = [];
  const unread = locations.filter((location: unknown) => {
    const place = readPlace(location);
    if (place !== undefined) places.push(place);
    return place === undefined;
  });
  if (unread.length === 0) delete fields["locations"];
  else fields["locations"] = unread;
  return places;
}

function readPlace(location: unknown): Place | undefined {
  if (!isFields(location) || typeof location["path"] !== "string") return undefined;
  const { path, line } = location;
  if (typeof line === "number") return { path, line };
  return line === undefined || line === null ? { path } : undefined;
}

/** The tool kind alone, where it is a text. */
export function readKindOf(toolCall: ToolCall): string | undefined {
  return takeText({ ...toolCall }, "kind");
}

/** What a reader would call this request by, in one line: no more than its beginning. */
export function headline(read: ReadToolCall): string | undefined {
  const text =
    read.texts[0]?.text ?? read.changes[0]?.path ?? read.places[0]?.path ?? read.title ?? "";
  return text === "" ? undefined : text.slice(0, 200).toWellFormed();
}
