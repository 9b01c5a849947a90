import { utf8Bytes } from "../protocol/index.ts";
import type { DiffBlock } from "./diff-block.ts";
import { mapStrings } from "./json-strings.ts";
import { isPatchOf, looksLikePatch } from "./patch-text.ts";

/** Smaller repeats stay as sent. */
const REPEAT_BYTES = 1024;
/** Patch texts that are compared with the changes of one call: each costs a walk through a file. */
const PATCHES = 8;

/** A raw input in which every large text that a diff block of the same call shows is replaced by words that say so. */
export function withoutRepeats(rawInput: unknown, changes: readonly DiffBlock[]): unknown {
  let patchesLeft = PATCHES;
  return mapStrings(rawInput, (text) => {
    if (utf8Bytes(text) < REPEAT_BYTES) return text;
    let marker = markWholeText(text, changes);
    if (marker === undefined && patchesLeft > 0 && looksLikePatch(text)) {
      patchesLeft -= 1;
      marker = markPatch(text, changes);
    }
    return marker !== undefined && marker.length < text.length ? marker : text;
  });
}

function markWholeText(text: string, changes: readonly DiffBlock[]): string | undefined {
  const whole = changes.find(({ oldText, newText }) => text === newText || text === oldText);
  if (whole === undefined) return undefined;
  return describe(text === whole.newText ? "the new text" : "the old text", whole.path, text);
}

function markPatch(text: string, changes: readonly DiffBlock[]): string | undefined {
  const patched = changes.find((change) => isPatchOf(text, change));
  return patched === undefined ? undefined : describe("a patch", patched.path, text);
}

function describe(what: string, path: string, text: string): string {
  const bytes = String(utf8Bytes(text)).replace(/\B(?=(?:\d{3})+$)/g, " ");
  return `‹${what} of ${path}: shown above as a diff, ${bytes} bytes›`;
}
