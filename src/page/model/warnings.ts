import type { PermissionOption } from "../../protocol/index.ts";
import { addHidden, inspectText, type Hidden } from "../visible-text/inspect.ts";
import type { ReadToolCall } from "./evidence.ts";
import { claimsAnotherKind, readKind, refuses } from "./option-kind.ts";

/** What a person must know before pressing. */
export interface Warnings {
  hidden: Hidden;
  /** Options, by their place from 1, that are named like the opposite of their kind. */
  claims: readonly { place: number; refuses: boolean }[];
}

export function findWarnings(
  read: ReadToolCall,
  options: readonly PermissionOption[],
  residentName: string,
): Warnings {
  const texts = [
    residentName,
    read.title,
    read.kind,
    read.cwd,
    ...read.texts.map((evidence) => evidence.text),
    ...read.changes.flatMap((change) => [change.path, change.oldText, change.newText]),
    ...read.places.map((place) => place.path),
    ...options.flatMap((option) => [option.name, option.kind]),
    Object.keys(read.rest).length === 0 ? undefined : JSON.stringify(read.rest),
  ];
  const hidden = texts
    .filter((text) => text !== undefined)
    .map(inspectText)
    .reduce(addHidden, { characters: 0, spaces: 0, blankLines: 0 });
  const claims = options
    .map((option, index) => ({ option, place: index + 1 }))
    .filter(({ option }) => claimsAnotherKind(option))
    .map(({ option, place }) => ({ place, refuses: refuses(readKind(option)) }));
  return { hidden, claims };
}
