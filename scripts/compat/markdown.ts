const SHOWN = 200;

/** A table; cells are Markdown already. */
export function writeTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Text that is not ours, in one line of code: an agent's id, or an error, must not become anything else on a page. */
export function code(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  const plain = line
    .replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, "\u{FFFD}")
    .replaceAll(/[`|<>&]/g, "\u{FFFD}");
  return `\`${plain.slice(0, SHOWN)}\``;
}
