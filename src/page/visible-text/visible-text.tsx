import { createContext, type ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { readLines, readRuns, runText, type Edges, type Line, type Run } from "./runs.ts";

/** `ltr` for what is read in the order it is stored: commands, paths, code. `auto` for what somebody wrote as prose. */
type Direction = "ltr" | "auto";

interface TextProps {
  text: string;
  dir?: Direction;
}

/** Among how many texts below it what a page can draw of escapes is shared. */
export const Sharing = createContext(1);

/** A text that the page did not write, in one line: nothing in it is markup, and nothing in it is hidden. */
export function VisibleText({ text, dir = "auto", edges }: TextProps & { edges?: Edges }) {
  const runs = readRuns(text, { edges, sharing: useContext(Sharing), asStored: dir === "ltr" });
  return <Runs runs={runs} dir={dir} />;
}

function Runs({ runs, dir }: { runs: readonly Run[]; dir: Direction }) {
  return runs.map((run, index) => <OneRun key={index} run={run} dir={dir} />);
}

function OneRun({ run, dir }: { run: Run; dir: Direction }) {
  switch (run.kind) {
    case "text":
      return <bdi dir={dir}>{run.text}</bdi>;
    case "rest":
      // Too much to part what is written from right to left: letter by letter, so that nothing is out of its place.
      return dir === "ltr" ? <bdo dir={dir}>{run.text}</bdo> : <bdi dir={dir}>{run.text}</bdi>;
    case "edge":
      return <span class="ws">{run.text}</span>;
    case "ansi":
      return (
        <span class="esc">
          <EscapeGlyph />
          {run.text}
        </span>
      );
    default:
      return <span class="esc">{runText(run)}</span>;
  }
}

/** Common fonts have no ␛. */
function EscapeGlyph() {
  return (
    <>
      <svg class="esc-glyph" viewBox="0 0 16 16" aria-hidden="true">
        <path d="M5 1.5H1.5v5H5M1.5 4h2.6M10 5c-.4-.6-1-.9-1.6-.9-.9 0-1.6.5-1.6 1.3 0 1.9 3.3.9 3.3 2.8 0 .8-.7 1.4-1.7 1.4-.8 0-1.4-.3-1.8-.9M15 10.6c-.5-.7-1.1-1-1.8-1-1.3 0-2.2 1.1-2.2 2.5s.9 2.5 2.2 2.5c.7 0 1.3-.3 1.8-1" />
      </svg>
      <span class="sr">␛</span>
    </>
  );
}

/** Above this many lines they are drawn in blocks, without numbers: a page must stay quick. */
const NUMBERED_LINES = 3_000;
const BLOCK_LINES = 200;

/** A text of many lines that the page did not write, each in a row of its own. */
export function VisibleLines({ text, dir = "ltr" }: TextProps) {
  const lines = readLines(text, { sharing: useContext(Sharing), asStored: dir === "ltr" });
  return <Lines lines={lines} dir={dir} />;
}

export function Lines({ lines, dir }: { lines: readonly Line[]; dir: Direction }) {
  return lines.length > NUMBERED_LINES ? (
    <>{blocksOf(lines, dir)}</>
  ) : (
    <>
      {lines.map((line, index) => (
        <OneLine key={index} line={line} dir={dir} />
      ))}
    </>
  );
}

function OneLine({ line, dir }: { line: Line; dir: Direction }) {
  if (line.kind === "blank_lines") return <span class="l">{blankLines(line.count)}</span>;
  return (
    <span class="l" data-line={line.number}>
      <Runs runs={line.runs} dir={dir} />
    </span>
  );
}

function blankLines(count: number): ComponentChildren {
  return <span class="esc">⟨{count} blank lines⟩</span>;
}

function blocksOf(lines: readonly Line[], dir: Direction): ComponentChildren[] {
  const blocks: ComponentChildren[] = [];
  for (let start = 0; start < lines.length; start += BLOCK_LINES) {
    const rows = lines.slice(start, start + BLOCK_LINES);
    blocks.push(
      <span class="l" key={start}>
        {rows.map((line, index) => [
          line.kind === "line" ? <Runs runs={line.runs} dir={dir} /> : blankLines(line.count),
          index < rows.length - 1 && "\n",
        ])}
      </span>,
    );
  }
  return blocks;
}
