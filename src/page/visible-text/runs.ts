import { HIDDEN, nameCharacter, PADDING_INDENT, PADDING_LINES, PADDING_SPACES } from "./hidden.ts";

/** A piece of a text as it is drawn. Text runs stand in a bidi isolate of their own, so that none reorders another. */
export type Run =
  | { kind: "text"; text: string }
  /** A hidden character by its name, `count` times. */
  | { kind: "character"; name: string; count: number }
  /** An ANSI sequence without its escape character. */
  | { kind: "ansi"; text: string }
  | { kind: "newlines"; count: number }
  /** Blanks that are folded. */
  | { kind: "spaces"; count: number }
  /** Blanks at an edge, where they are easily missed: one mark each. */
  | { kind: "edge"; text: string };

export type Line =
  | { kind: "line"; number: number; runs: readonly Run[] }
  | { kind: "blank_lines"; count: number };

/** Above this many runs the escapes of a text are drawn as plain text: a page must stay quick. */
const RUNS = 5_000;

/** Which ends of a piece are ends of a line. */
export interface Edges {
  start: boolean;
  end: boolean;
}
const BOTH: Edges = { start: true, end: true };

/** One line, or a text that is kept on one: newlines are drawn too. */
export function readRuns(text: string, edges: Edges = BOTH): readonly Run[] {
  const lead = edges.start ? (/^[ \t]+/.exec(text)?.[0].length ?? 0) : 0;
  const trail = edges.end && lead < text.length ? (/[ \t]*\r?$/.exec(text)?.[0].length ?? 0) : 0;
  const runs: Run[] = [
    ...edgeRuns(text.slice(0, lead)),
    ...innerRuns(text.slice(lead, text.length - trail)),
    ...edgeRuns(text.slice(text.length - trail)),
  ];
  return runs.length > RUNS ? [{ kind: "text", text: runs.map(runText).join("") }] : runs;
}

/** A text of many lines. A newline before the end of the text ends a line; the last one opens none. */
export function readLines(text: string): readonly Line[] {
  const parts = text.split("\n");
  if (parts.length > 1 && parts.at(-1) === "") parts.pop();
  const lines: Line[] = [];
  for (let index = 0; index < parts.length;) {
    const blank = countBlank(parts, index);
    if (blank >= PADDING_LINES) {
      lines.push({ kind: "blank_lines", count: blank });
      index += blank;
    } else {
      const edges = { start: index === 0, end: true };
      const runs = readRuns(parts[index] ?? "", edges);
      lines.push({ kind: "line", number: index + 1, runs });
      index += 1;
    }
  }
  return lines;
}

function countBlank(lines: readonly string[], start: number): number {
  let end = start;
  while (end < lines.length && /^\s*$/.test(lines[end] ?? "")) end += 1;
  return end - start;
}

function edgeRuns(blanks: string): Run[] {
  if (blanks === "") return [];
  if (blanks.length >= PADDING_SPACES) return [{ kind: "spaces", count: blanks.length }];
  const marks = blanks.replaceAll(" ", "·").replaceAll("\t", "→").replace("\r", "CR");
  return [{ kind: "edge", text: marks }];
}

function innerRuns(text: string): Run[] {
  const runs: Run[] = [];
  let from = 0;
  for (const found of text.matchAll(HIDDEN)) {
    addBlankRuns(runs, text.slice(from, found.index), from === 0);
    const { ansi, unseen } = found.groups ?? {};
    if (ansi !== undefined) runs.push({ kind: "ansi", text: ansi.slice(1) });
    else if (unseen !== undefined) {
      const count = found[0].length / unseen.length;
      runs.push({ kind: "character", name: nameCharacter(unseen), count });
    }
    from = found.index + found[0].length;
  }
  addBlankRuns(runs, text.slice(from), from === 0);
  return runs;
}

const BLANKS = new RegExp(`\\n+|[ \\t]{${PADDING_SPACES},}`, "g");

/** Folds long blanks; what is left is text. */
function addBlankRuns(runs: Run[], text: string, isStart: boolean): void {
  let from = 0;
  for (const found of text.matchAll(BLANKS)) {
    const count = found[0].length;
    const isNewline = found[0].startsWith("\n");
    if (isStart && found.index === 0 && count < PADDING_INDENT && !isNewline) continue;
    if (found.index > from) runs.push({ kind: "text", text: text.slice(from, found.index) });
    runs.push({ kind: isNewline ? "newlines" : "spaces", count });
    from = found.index + count;
  }
  if (from < text.length) runs.push({ kind: "text", text: text.slice(from) });
}

/** A run in plain characters: what its escape says. */
export function runText(run: Run): string {
  switch (run.kind) {
    case "text":
    case "edge":
      return run.text;
    case "character":
      return run.count === 1 ? `⟨${run.name}⟩` : `⟨${run.name} ×${run.count}⟩`;
    case "ansi":
      return `␛${run.text}`;
    case "newlines":
      return run.count === 1 ? "⟨newline⟩" : `⟨${run.count} newlines⟩`;
    case "spaces":
      return `⟨${run.count} spaces⟩`;
  }
}

/** A text in one line of plain characters, for names that assistive technology reads. */
export function spell(text: string): string {
  return readRuns(text, { start: false, end: false }).map(runText).join("");
}
