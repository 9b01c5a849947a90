import { HIDDEN, nameCharacter, PADDING_INDENT, PADDING_LINES, PADDING_SPACES } from "./hidden.ts";

/** A piece of a text as it is drawn. Text runs stand in a bidi isolate of their own, so that none reorders another. */
export type Run =
  | { kind: "text"; text: string }
  /** What is left of a text of which enough is drawn piece by piece. */
  | { kind: "rest"; text: string }
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

/** Runs of one line, and of one text, that are drawn each by itself: a page must stay quick. What follows is plain text. */
const LINE_RUNS = 5_000;
const TEXT_RUNS = 20_000;
/** However many texts share these. */
const FEW_RUNS = 4;

/** Which ends of a piece are ends of a line. */
export interface Edges {
  start: boolean;
  end: boolean;
}
const BOTH: Edges = { start: true, end: true };

/** How a text is read, and among how many what can be drawn is shared. */
export interface Reading {
  edges?: Edges | undefined;
  sharing?: number;
  /** It is read in the order it is stored: letters that are written from right to left reorder nothing around them. */
  asStored?: boolean;
}

/** One line, or a text that is kept on one: newlines are drawn too. */
export function readRuns(text: string, reading: Reading = {}): readonly Run[] {
  const { edges = BOTH, sharing = 1, asStored = false } = reading;
  return readSome(text, { edges, asStored, most: shareOf(LINE_RUNS, sharing) });
}

function shareOf(runs: number, sharing: number): number {
  return Math.max(FEW_RUNS, Math.floor(runs / Math.max(1, sharing)));
}

interface Some {
  edges: Edges;
  asStored: boolean;
  /** From this run on they are one plain text. */
  most: number;
}

function readSome(text: string, { edges, asStored, most }: Some): readonly Run[] {
  const lead = edges.start ? (/^[ \t]+/.exec(text)?.[0].length ?? 0) : 0;
  const end = edges.end ? findTrail(text, lead) : text.length;
  const runs: Run[] = [
    ...edgeRuns(text.slice(0, lead)),
    ...splitWritings(innerRuns(text.slice(lead, end)), asStored && FROM_RIGHT.test(text)),
    ...edgeRuns(text.slice(end)),
  ];
  if (runs.length <= most) return runs;
  const rest = runs.splice(most - 1);
  return [...runs, { kind: "rest", text: rest.map(spellRun).join("") }];
}

/** Letters that are written from right to left, in groups as they stand. */
const FROM_RIGHT =
  /([\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]+)/u;

/** Blanks, signs and digits between such words would go with them, and a command read from its end. */
function splitWritings(runs: Run[], isMixed: boolean): Run[] {
  if (!isMixed) return runs;
  return runs.flatMap((run): Run | Run[] =>
    run.kind === "text"
      ? run.text.split(FROM_RIGHT).flatMap((text) => (text === "" ? [] : { kind: run.kind, text }))
      : run,
  );
}

/** Where the blanks begin that end a line. A pattern would look for its end from every blank of the line. */
function findTrail(text: string, lead: number): number {
  let end = text.endsWith("\r") && text.length > lead ? text.length - 1 : text.length;
  while (end > lead && (text[end - 1] === " " || text[end - 1] === "\t")) end -= 1;
  return end;
}

/** A text of many lines. A newline before the end of the text ends a line; the last one opens none. */
export function readLines(text: string, reading: Omit<Reading, "edges"> = {}): readonly Line[] {
  const { sharing = 1, asStored = false } = reading;
  const parts = text.split("\n");
  if (parts.length > 1 && parts.at(-1) === "") parts.pop();
  const lines: Line[] = [];
  // A line of plain text costs nothing of them.
  let left = shareOf(TEXT_RUNS, sharing);
  for (let index = 0; index < parts.length;) {
    const blank = countBlank(parts, index);
    if (blank >= PADDING_LINES) {
      lines.push({ kind: "blank_lines", count: blank });
      index += blank;
    } else {
      const edges = { start: index === 0, end: true };
      const most = Math.min(LINE_RUNS, left + 1);
      const runs = readSome(parts[index] ?? "", { edges, asStored, most });
      left -= Math.max(0, runs.length - 1);
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
    const [, ansi, unseen] = found;
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
  // Between hidden characters texts are short, and to set out a search costs more than they do.
  const isPlain = text.length < PADDING_SPACES && !text.includes("\n");
  for (const found of isPlain ? [] : text.matchAll(BLANKS)) {
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
    case "rest":
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

/** What marks an escape, where it stands in a text itself. */
const MARKS = /[⟨⟩␛]/g;

/** A run in plain characters among which nothing else reads like an escape. */
function spellRun(run: Run): string {
  if (run.kind === "edge") return `⟨${run.text}⟩`;
  if (run.kind !== "text") return runText(run);
  return run.text.replace(MARKS, (mark) => `⟨${nameCharacter(mark)}⟩`);
}

/** A text in one line of plain characters, for names that assistive technology reads. */
export function spell(text: string): string {
  return readRuns(text, { edges: { start: false, end: false } })
    .map(spellRun)
    .join("");
}
