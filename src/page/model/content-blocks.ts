import { joinParts, readPart, type FileChange, type ReadChange } from "./file-parts.ts";
import { fieldsOf, isEmpty, isFields, type Fields } from "./tool-call-fields.ts";

/** Takes changes and notes out of `content`; what a block carries besides stays there, with what tells which block it was. */
export function takeContent(fields: Fields): { notes: string[]; changes: FileChange[] } {
  const content = fields["content"];
  if (!Array.isArray(content)) return { notes: [], changes: [] };
  const read = content.map((block: unknown) => ({
    block,
    change: readChange(block),
    note: readNote(block),
  }));
  const changes = joinParts(read.flatMap(({ change }) => change ?? []));
  const joined = new Set<unknown>(changes.flatMap(({ parts }) => parts ?? []));
  const unread = read.flatMap(({ block, change, note }) => {
    if (change !== undefined) return leftOfChange(block, joined.has(change.part));
    return note === undefined ? [block] : leftOfNote(block);
  });
  if (unread.length === 0) delete fields["content"];
  else fields["content"] = unread;
  return { notes: read.flatMap(({ note }) => note ?? []), changes };
}

function readChange(block: unknown): ReadChange | undefined {
  if (!isFields(block) || block["type"] !== "diff") return undefined;
  const { path, oldText, newText } = block;
  if (typeof path !== "string" || typeof newText !== "string") return undefined;
  const isNew = oldText === null || oldText === undefined;
  if (!isNew && typeof oldText !== "string") return undefined;
  const change = { path, oldText: isNew ? undefined : oldText, newText };
  const part = readPart(block, change);
  return part === undefined ? change : { ...change, part };
}

function readNote(block: unknown): string | undefined {
  if (!isFields(block) || block["type"] !== "content" || !isFields(block["content"])) {
    return undefined;
  }
  const { type, text } = block["content"];
  return type === "text" && typeof text === "string" && text !== "" ? text : undefined;
}

function leftOfChange(block: unknown, isJoined: boolean): Fields[] {
  const { type, path, oldText: _old, newText: _new, ...left } = fieldsOf(block);
  if (isJoined && isOnlyPlace(left["_meta"])) delete left["_meta"];
  return isEmpty(left) ? [] : [{ type, path, ...left }];
}

/** `_meta` that says nothing but which part of a file this is. */
function isOnlyPlace(meta: unknown): boolean {
  const { handraise, ...others } = fieldsOf(meta);
  const { hunk, ...more } = fieldsOf(handraise);
  const { number: _number, of: _of, oldStart: _old, newStart: _new, ...untold } = fieldsOf(hunk);
  return [others, more, untold].every(isEmpty);
}

function leftOfNote(block: unknown): Fields[] {
  const { type, content, ...others } = fieldsOf(block);
  const { type: _type, text: _text, ...more } = fieldsOf(content);
  const left = isEmpty(more) ? others : { ...others, content: more };
  return isEmpty(left) ? [] : [{ type, ...left }];
}
