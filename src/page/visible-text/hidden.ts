/**
 * What a reader could not see, or what would reorder what is read: control, format and bidirectional characters, blanks that are
 * not the space, unassigned and private characters. Newline and tab are not among them. U+FE0F after a pictograph only picks its
 * colours.
 */
const UNSEEN =
  "(?![\\t\\n])(?!(?<=\\p{Extended_Pictographic})\\uFE0F)" +
  "[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}\\p{Cn}\\p{Zl}\\p{Zp}\\p{DI}\\uFFFC\\u2800\\u00A0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u3000]";
/** An ANSI control sequence: one act of a terminal. One that is longer than any in use is escape characters and text. */
const ANSI = "\\u001B\\[[0-9;:?]{0,16}[ -/]?[@-~]";
/** More marks on one letter than any writing uses: they are drawn over their neighbours. */
const STACKED = "(?<=\\p{M}{6})\\p{M}";

/**
 * Finds one ANSI sequence (group 1), or a run of one hidden character (group 2 is the first of it). Names for the groups would
 * double the time that a text of nothing else takes.
 */
export const HIDDEN = new RegExp(`(${ANSI})|(${UNSEEN}|${STACKED})\\2*`, "gu");

/** A run of blanks inside a line that pushes what follows out of sight, or an indentation that does. */
export const PADDING_SPACES = 32;
export const PADDING_INDENT = 80;
/** Blank lines in a row that push what follows out of sight. */
export const PADDING_LINES = 4;

export function nameCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
