import { HIDDEN, PADDING_LINES, PADDING_SPACES } from "./hidden.ts";

/** What a text hides from a reader, counted. */
export interface Hidden {
  /** Hidden or reordering characters; an ANSI sequence counts once. */
  characters: number;
  /** Blanks in runs that push text out of sight. */
  spaces: number;
  blankLines: number;
}

const SPACES = new RegExp(`[ \\t]{${PADDING_SPACES},}`, "g");
const LINES = new RegExp(`(?:^|\\n)((?:[^\\S\\n]*\\n){${PADDING_LINES},})`, "g");

export function inspectText(text: string): Hidden {
  const hidden: Hidden = { characters: 0, spaces: 0, blankLines: 0 };
  // Most texts are plain: two quick searches are all they cost.
  for (const found of text.replaceAll("\r\n", "\n").matchAll(HIDDEN)) {
    const [, , unseen] = found;
    hidden.characters += unseen === undefined ? 1 : found[0].length / unseen.length;
  }
  for (const found of text.matchAll(SPACES)) {
    if (!isIndent(text, found.index)) hidden.spaces += found[0].length;
  }
  for (const found of text.matchAll(LINES)) {
    hidden.blankLines += (found[1]?.match(/\n/g) ?? []).length;
  }
  return hidden;
}

function isIndent(text: string, index: number): boolean {
  return index > 0 && text[index - 1] === "\n";
}

export function addHidden(one: Hidden, other: Hidden): Hidden {
  return {
    characters: one.characters + other.characters,
    spaces: one.spaces + other.spaces,
    blankLines: one.blankLines + other.blankLines,
  };
}
