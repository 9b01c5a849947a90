/**
 * Text of an agent for a terminal: everything that could act there, move the cursor or turn the reading direction is shown as an
 * escape. Line breaks and tabs stay.
 */
export function terminalText(text: string): string {
  return text.replace(/[^\P{C}\n\t]|[\u2028\u2029]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0xfffd;
    return `\\u{${code.toString(16)}}`;
  });
}
