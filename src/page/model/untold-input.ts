import type { FileChange } from "./file-parts.ts";
import {
  isEmpty,
  isFields,
  type Fields,
  type Place,
  type TextEvidence,
} from "./tool-call-fields.ts";

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

/** Parts what is left of `rawInput`: what has to be in view, and what may be folded. */
export function splitInput(rawInput: unknown, told: Told): { untold: unknown; told: unknown } {
  if (told.isVague || !isFields(rawInput)) return { untold: rawInput, told: undefined };
  const fields = Object.entries(rawInput);
  const isTold = ([name, value]: [string, unknown]) => TOLD.get(name)?.(value, told) === true;
  return {
    untold: orNothing(Object.fromEntries(fields.filter((field) => !isTold(field)))),
    told: orNothing(Object.fromEntries(fields.filter(isTold))),
  };
}

function orNothing(fields: Fields): Fields | undefined {
  return isEmpty(fields) ? undefined : fields;
}
