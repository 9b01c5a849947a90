/**
 * What a reader could not see, or what would reorder what is read: control, format and bidirectional characters, blanks that are
 * not the space, unassigned and private characters. Newline and tab are not among them. U+FE0F after a pictograph only picks its
 * colours.
 */
const UNSEEN =
  "(?![\\t\\n])(?!(?<=\\p{Extended_Pictographic})\\uFE0F)" +
  "[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}\\p{Cn}\\p{Zl}\\p{Zp}\\p{DI}\\u2800\\u00A0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u3000]";
/** An ANSI control sequence: one act of a terminal. */
const ANSI = "\\u001B\\[[0-?]*[ -/]*[@-~]";
/** More marks on one letter than any writing uses: they are drawn over their neighbours. */
const STACKED = "(?<=\\p{M}{6})\\p{M}";

/** Finds one ANSI sequence (group `ansi`), or a run of one hidden character (group `unseen` is the first of it). */
export const HIDDEN = new RegExp(
  `(?<ansi>${ANSI})|(?<unseen>${UNSEEN}|${STACKED})\\k<unseen>*`,
  "gu",
);

/** A run of blanks inside a line that pushes what follows out of sight, or an indentation that does. */
export const PADDING_SPACES = 32;
export const PADDING_INDENT = 80;
/** Blank lines in a row that push what follows out of sight. */
export const PADDING_LINES = 4;

export function nameCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
