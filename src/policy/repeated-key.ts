// In valid JSON every quote belongs to one of these, and a text before a colon is a key.
const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|[{[]|[}\]]/g;

/** The first key that a JSON object names twice, or undefined. What is nested in it is not looked at. @param text valid JSON */
export function repeatedKey(text: string): string | undefined {
  const seen = new Set<string>();
  let depth = 0;
  for (const [token, quoted, colon] of text.matchAll(TOKENS)) {
    if (quoted === undefined) depth += token === "{" || token === "[" ? 1 : -1;
    else if (colon !== undefined && depth === 1) {
      const key = JSON.parse(quoted) as string;
      if (seen.has(key)) return key;
      seen.add(key);
    }
  }
  return undefined;
}
