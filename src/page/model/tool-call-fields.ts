// Each function takes what it understands out of `fields` and leaves the rest there, so that nothing is shown twice or not at all.

export type Fields = Record<string, unknown>;

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

export function takeText(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (typeof value !== "string" || value === "") return undefined;
  delete fields[name];
  return value;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `rawInput`: the command and its kin come out, the rest stays. A patch stays where `content` has the change itself. */
export function takeInput(
  fields: Fields,
  hasChanges: boolean,
): {
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
    const text = hasChanges && what === "patch" ? undefined : takeText(rest, name);
    if (text !== undefined) texts.push({ what, text });
  }
  const cwd = takeText(rest, "cwd") ?? takeText(rest, "workdir");
  return { texts, cwd, rest: Object.keys(rest).length === 0 ? undefined : rest };
}

function isArguments(value: unknown): value is string[] {
  return (
    Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string")
  );
}

export function takeContent(fields: Fields): { notes: string[]; changes: FileChange[] } {
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

export function takePlaces(fields: Fields): Place[] {
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
