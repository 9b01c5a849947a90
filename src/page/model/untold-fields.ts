import type { FileChange } from "./file-parts.ts";
import { isFields, type Fields, type Place, type TextEvidence } from "./tool-call-fields.ts";

/** What of a tool call is in view anyway. */
interface Told {
  /** Nothing but the title and notes: then every field counts. */
  isVague: boolean;
  texts: readonly TextEvidence[];
  changes: readonly FileChange[];
  places: readonly Place[];
}

type IsTold = (value: unknown, told: Told) => boolean;

const isText: IsTold = (value) => typeof value === "string";
const isNumber: IsTold = (value) => typeof value === "number";
const isPath: IsTold = (value, { changes, places }) =>
  [...changes, ...places].some(({ path }) => path === value);
const isOld: IsTold = (value, { changes }) => changes.some(({ oldText }) => oldText === value);
const isNew: IsTold = (value, { changes }) => changes.some(({ newText }) => newText === value);

/** Fields of real agents that change nothing of what will be done, or repeat what is drawn. Any other name may be what runs. */
const TOLD = new Map<string, IsTold>([
  ["description", isText],
  ["sessionId", isText],
  ["planFilePath", isText],
  // An agent that fetches repeats it as a note.
  ["prompt", (value, { texts }) => texts.some(({ text }) => text === value)],
  ["timeout", isNumber],
  ["initial_wait", isNumber],
  ["limit", isNumber],
  ["replace_all", (value) => value === false],
  ["mode", (value) => value === "sync"],
  ["format", (value) => value === "text" || value === "markdown"],
  [
    "commands",
    (value, { texts }) =>
      Array.isArray(value) &&
      value.length === 1 &&
      texts[0]?.what === "command" &&
      texts[0].text === value[0],
  ],
  ["path", isPath],
  ["file_path", isPath],
  ["filePath", isPath],
  ["filepath", isPath],
  ["old_string", isOld],
  ["oldString", isOld],
  ["new_string", isNew],
  ["newString", isNew],
  ["content", isNew],
  // A patch that does not only repeat a change is taken out as a text of its own.
  ["diff", (value, { changes }) => typeof value === "string" && value !== "" && changes.length > 0],
]);

/** Fields of a tool call itself that change nothing of what will be done. */
const TOLD_OUTSIDE = new Map<string, IsTold>([
  ["toolCallId", isText],
  ["status", isText],
  // An agent's name for its tool.
  ["name", isText],
  ["_meta", isFields],
]);

/** Parts what stands in no other piece of a card: what may say what will be done and has to be in view, and what may be folded. */
export function splitRest(rest: Readonly<Fields>, told: Told): { untold: unknown; folded: Fields } {
  const { rawInput, ...others } = rest;
  const outer = splitFields(others, TOLD_OUTSIDE, told);
  const inner = splitInput(rawInput, told);
  const folded = inner.told === undefined ? {} : { rawInput: inner.told };
  return {
    untold: outer.untold === undefined ? inner.untold : withInput(outer.untold, inner.untold),
    folded: { ...outer.told, ...folded },
  };
}

function splitInput(rawInput: unknown, told: Told): { untold: unknown; told: unknown } {
  if (isNothing(rawInput)) return { untold: undefined, told: rawInput };
  if (told.isVague || !isFields(rawInput)) return { untold: rawInput, told: undefined };
  return splitFields(rawInput, TOLD, told);
}

/** Says nothing, however it is written. */
function isNothing(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === null || value === "";
  return Object.values(value).every(isNothing);
}

function withInput(fields: Fields, rawInput: unknown): Fields {
  return rawInput === undefined ? fields : { ...fields, rawInput };
}

function splitFields(fields: Fields, known: ReadonlyMap<string, IsTold>, told: Told) {
  const entries = Object.entries(fields);
  const isTold = ([name, value]: [string, unknown]) =>
    isNothing(value) || known.get(name)?.(value, told) === true;
  return {
    untold: orNothing(entries.filter((entry) => !isTold(entry))),
    told: orNothing(entries.filter(isTold)),
  };
}

function orNothing(entries: readonly [string, unknown][]): Fields | undefined {
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
