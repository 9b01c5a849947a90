/** What acts on a terminal, turns the reading direction, or stands there unseen; U+FE0F after a pictograph only picks its colours. */
const UNSEEN =
  /(?!(?<=\p{Extended_Pictographic})\uFE0F)[\p{C}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;

/** Text of an agent for a terminal, with such characters as escapes. Line breaks and tabs stay. */
export function terminalText(text: string): string {
  return text.replace(UNSEEN, (character) => {
    if (character === "\n" || character === "\t") return character;
    const code = character.codePointAt(0) ?? 0xfffd;
    return `\\u{${code.toString(16)}}`;
  });
}
