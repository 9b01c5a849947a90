import type { DiffBlock, DiffRow } from "./diff.ts";

const SIGNS = { same: " ", added: "+", removed: "-" };

/** The rows as patch text, for copying. Each part of a larger file begins with its place there. */
export function diffText(path: string, blocks: readonly DiffBlock[]): string {
  const lines = blocks.flatMap((block, index) => {
    const rows = block.rows.map(lineOf);
    return block.unsent === undefined ? rows : [placeOf(blocks, index), ...rows];
  });
  return [`--- ${path}`, `+++ ${path}`, ...lines, ""].join("\n");
}

function lineOf(row: DiffRow): string {
  return SIGNS[row.change] + row.parts.map((part) => part.text).join("");
}

function placeOf(blocks: readonly DiffBlock[], start: number): string {
  const next = blocks.findIndex((block, index) => index > start && block.unsent !== undefined);
  const rows = blocks.slice(start, next < 0 ? undefined : next).flatMap((block) => block.rows);
  const oldLines = rows.flatMap((row) => row.oldLine ?? []);
  const newLines = rows.flatMap((row) => row.newLine ?? []);
  const range = (lines: readonly number[]) => `${lines[0] ?? 0},${lines.length}`;
  return `@@ -${range(oldLines)} +${range(newLines)} @@`;
}
