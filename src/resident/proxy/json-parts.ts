/** One name and its value, as bytes of the text that they stand in. */
export interface Member {
  name: string;
  value: Buffer;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;

/** Every member of a JSON object, also those whose name comes twice: parsers disagree on which of them counts. Takes valid JSON. */
export function listMembers(json: Buffer): Member[] {
  return cutAtCommas(json).map((part) => {
    const nameEnd = skipString(part, 0);
    const name = JSON.parse(part.toString("utf8", 0, nameEnd)) as string;
    return { name, value: trim(part, part.indexOf(COLON, nameEnd) + 1, part.length) };
  });
}

/** The elements of a JSON array. Takes valid JSON. */
export function listElements(json: Buffer): Buffer[] {
  return cutAtCommas(json);
}

/** What stands between the commas of the outermost object or array. */
function cutAtCommas(json: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let depth = 0;
  let from = 0;
  const cut = (to: number): void => {
    const part = trim(json, from, to);
    if (part.length > 0) parts.push(part);
    from = to + 1;
  };
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) at = skipString(json, at) - 1;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth += 1;
      if (depth === 1) from = at + 1;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth -= 1;
      if (depth === 0) cut(at);
    } else if (byte === COMMA && depth === 1) cut(at);
  }
  return parts;
}

/** Returns the place after the string that starts at `start`. */
function skipString(json: Buffer, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

function trim(json: Buffer, from: number, to: number): Buffer {
  let start = from;
  let end = to;
  while (start < end && (json[start] ?? 0) <= SPACE) start += 1;
  while (end > start && (json[end - 1] ?? 0) <= SPACE) end -= 1;
  return json.subarray(start, end);
}
