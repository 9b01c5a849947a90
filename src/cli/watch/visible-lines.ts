import { terminalText } from "../../resident/terminal-text.ts";

/** Blanks that look like nothing, or like a space that they are not; U+FE0F after a pictograph only picks its colours. */
const UNSEEN_BLANKS =
  /(?!(?<=\p{Extended_Pictographic})\uFE0F)[\p{DI}\u2800\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/gu;
/** A run of spaces that pushes what follows out of sight, or an indentation that does. */
const PADDING = /(?<=\S) {32,}| {80,}/g;
/** Blank lines that do. */
const BLANK_LINES = /\n(?:[ \t]*\n){4,}/g;
const TAB = "    ";
/** May take two cells; counting one too many only wraps sooner. */
const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{10000}-\u{10FFFF}]|\p{Extended_Pictographic}/u;

/** Text of an agent, with whatever would act on a terminal or stay unseen as an escape. Line breaks and tabs stay. */
export function visibleText(text: string): string {
  return terminalText(text).replace(
    UNSEEN_BLANKS,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** The same for the inside of one line. */
export function visibleInLine(text: string): string {
  return visibleText(text).replace(/\n/g, "\\n").replace(/\t/g, "\\t");
}

/**
 * The same as lines, each behind a gutter, the wrapped ones too: no line of an agent's can pass for one of ours. Long padding is
 * folded and marked; nothing else is left out. `columns`: of the terminal, Infinity for none.
 */
export function visibleLines(text: string, columns: number, gutter = GUTTER): string[] {
  const width = Math.max(20, columns - gutter.length - 1);
  return visibleText(text)
    .replace(BLANK_LINES, (run) => `\n⟨${run.split("\n").length - 2} blank lines⟩\n`)
    .replace(PADDING, (run) => `⟨${run.length} spaces⟩`)
    .replaceAll("\t", TAB)
    .split("\n")
    .flatMap((line) => wrap(line, width))
    .map((line) => gutter + line);
}

export const GUTTER = "  │ ";

function wrap(line: string, width: number): string[] {
  if (line.length * 2 <= width) return [line];
  const rows: string[] = [];
  let row = "";
  let used = 0;
  for (const character of line) {
    const cells = WIDE.test(character) ? 2 : 1;
    if (used + cells > width) {
      rows.push(row);
      row = "";
      used = 0;
    }
    row += character;
    used += cells;
  }
  return [...rows, row];
}
