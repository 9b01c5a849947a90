import type { ToolCall } from "../../protocol/index.ts";
import { takeContent } from "./content-blocks.ts";
import type { FileChange } from "./file-parts.ts";
import { isSamePatch } from "./same-patch.ts";
import {
  takeInput,
  takePlaces,
  takeText,
  type Fields,
  type Place,
  type TextEvidence,
} from "./tool-call-fields.ts";
import { splitRest } from "./untold-fields.ts";

export type { FileChange, Place, TextEvidence };

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
  rest: Readonly<Fields>;
  /** What of `rest` may say what will be done, so that it must be in view. */
  untold: unknown;
  /** `rest` without that. */
  folded: Readonly<Fields>;
  /** No command, path or change: only `rest`, or nothing, says what will be done. */
  isVague: boolean;
  saysNothing: boolean;
  /** A file is to be edited, and no change came. */
  hasNoDiff: boolean;
}

/** Sorts a tool call by what ACP and real agents put where. Nothing is dropped: what is not understood stays in `rest`. */
export function readToolCall(toolCall: ToolCall): ReadToolCall {
  const rest: Fields = { ...toolCall };
  const title = takeText(rest, "title");
  const kind = takeText(rest, "kind");
  const { notes, changes } = takeContent(rest);
  const places = takePlaces(rest);
  const input = takeInput(rest, (patch) => isSamePatch(patch, changes));
  const rawInput = input.rest;
  if (rawInput !== undefined) rest["rawInput"] = rawInput;
  const texts = [...input.texts, ...newNotes(input.texts, notes)];
  const isVague = input.texts.length === 0 && changes.length === 0 && places.length === 0;
  const titleIsSeen = title === undefined || isSeen(title, texts, changes, places);
  if (isVague && kind === "execute" && !titleIsSeen) {
    texts.unshift({ what: "title", text: title });
  }
  const named = new Set(changes.map((change) => change.path));
  const isUntold = input.texts.length === 0 && changes.length === 0;
  const { untold, folded } = splitRest(rest, { isVague, texts, changes, places });
  const saysNothing = isVague && notes.length === 0 && untold === undefined;
  return {
    title: titleIsSeen || texts[0]?.what === "title" ? undefined : title,
    kind,
    texts,
    cwd: input.cwd,
    changes,
    places: places.filter((place) => place.line !== undefined || !named.has(place.path)),
    rest,
    untold,
    folded,
    isVague,
    saysNothing,
    hasNoDiff: kind === "edit" && isUntold && !saysNothing,
  };
}

/** What is known so far of a tool call of which only a summary is here: it says little because it was cut, not because the agent did. */
export function readSummary(read: ReadToolCall): ReadToolCall {
  const known = { ...read, saysNothing: false, hasNoDiff: false };
  const [first, ...texts] = read.texts;
  return first?.what === "title" ? { ...known, title: first.text, texts } : known;
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
  return notes.filter((text) => !said.has(text.trim())).map((text) => ({ what: "note", text }));
}

/** The tool kind alone, where it is a text. */
export function readKindOf(toolCall: ToolCall): string | undefined {
  return takeText({ ...toolCall }, "kind");
}

const HEADLINE_LENGTH = 200;

/** What a reader would call this request by: the beginning of its first line that says anything. */
export function headline(read: ReadToolCall): string | undefined {
  const text =
    read.texts[0]?.text ?? read.changes[0]?.path ?? read.places[0]?.path ?? read.title ?? "";
  const line = /\S.*/.exec(text.slice(0, 10 * HEADLINE_LENGTH))?.[0];
  return line?.slice(0, HEADLINE_LENGTH).toWellFormed();
}
