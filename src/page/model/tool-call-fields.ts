// Each function takes what it understands out of `fields` and leaves the rest there, so that nothing is shown twice or not at all.

export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** As far as it is an object; nothing of anything else. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

export function isEmpty(fields: Fields): boolean {
  return Object.keys(fields).length === 0;
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

/** `rawInput`: the command and its kin come out, the rest stays. A patch stays where it only repeats changes shown anyway. */
export function takeInput(
  fields: Fields,
  isRepeated: (patch: string) => boolean,
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
    const value = rest[name];
    if (what === "patch" && typeof value === "string" && isRepeated(value)) continue;
    const text = takeText(rest, name);
    if (text !== undefined) texts.push({ what, text });
  }
  const cwd = takeText(rest, "cwd") ?? takeText(rest, "workdir");
  return { texts, cwd, rest: isEmpty(rest) ? undefined : rest };
}

function isArguments(value: unknown): value is string[] {
  return (
    Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string")
  );
}

export function takePlaces(fields: Fields): Place[] {
  const locations = fields["locations"];
  if (!Array.isArray(locations)) return [];
  const places: Place[] = [];
  const unread = locations.flatMap((location: unknown) => {
    const place = readPlace(location);
    if (place === undefined) return [location];
    places.push(place);
    const { path, line: _line, ...more } = fieldsOf(location);
    return isEmpty(more) ? [] : [{ path, ...more }];
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
