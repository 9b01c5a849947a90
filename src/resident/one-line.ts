/** A text that another side gave, for the inside of a line: it cannot begin a line of its own. */
export function oneLine(text: string, characters = 100): string {
  return text.replace(/[\s\u0085]+/g, " ").slice(0, characters);
}
