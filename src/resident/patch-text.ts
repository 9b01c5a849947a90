import { type DiffBlock, linesOf } from "./diff-block.ts";

const HUNK_START = /^@@ -/m;
const HUNK_HEAD = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@$/;
const FILE_HEAD = /^(?:Index:|---|\+\+\+) (.+)$/;
const UNDERLINE = /^={3,}$/;
const NO_NEWLINE = String.raw`\ No newline at end of file`;

/** Whether a text has the mark of a unified diff. */
export function looksLikePatch(text: string): boolean {
  return HUNK_START.test(text);
}

/**
 * Whether a unified diff says exactly what a diff block says, and nothing besides: no line of it may be one that nobody would see
 * elsewhere. Reads each line once.
 */
export function isPatchOf(text: string, { path, oldText, newText }: DiffBlock): boolean {
  const start = text.search(HUNK_START);
  if (start < 0) return false;
  const head = text.slice(0, start).split("\n").slice(0, -1);
  if (!head.every((line) => isHead(line, path))) return false;
  const lines = text.slice(start).split("\n");
  if (lines.at(-1) === "") lines.pop();
  const walk = new PatchWalk(linesOf(oldText ?? ""), linesOf(newText));
  for (let at = 0; at < lines.length;) {
    const taken = walk.takeHunk(lines, at);
    if (taken === undefined) return false;
    at += taken;
  }
  return walk.isOver();
}

function isHead(line: string, path: string): boolean {
  if (UNDERLINE.test(line)) return true;
  const name = FILE_HEAD.exec(line)?.[1];
  if (name === undefined) return false;
  const inside = name.replace(/^[ab]\//, "");
  return name === "/dev/null" || name === path || path === inside || path.endsWith(`/${inside}`);
}

/** Goes through both texts along a patch of them. */
class PatchWalk {
  readonly #oldLines: readonly string[];
  readonly #newLines: readonly string[];
  #oldAt = 0;
  #newAt = 0;

  constructor(oldLines: readonly string[], newLines: readonly string[]) {
    this.#oldLines = oldLines;
    this.#newLines = newLines;
  }

  /** The number of lines that the hunk at `at` takes in the patch; undefined where it does not fit the texts. */
  takeHunk(lines: readonly string[], at: number): number | undefined {
    const head = HUNK_HEAD.exec(lines[at] ?? "");
    if (head === null) return undefined;
    const [oldStart, newStart] = [Number(head[1]), Number(head[3])];
    let [oldLeft, newLeft] = [Number(head[2] ?? 1), Number(head[4] ?? 1)];
    // A side without lines is named by the line before it.
    if (!this.#skipTo(oldLeft === 0 ? oldStart : oldStart - 1)) return undefined;
    if (this.#newAt !== (newLeft === 0 ? newStart : newStart - 1)) return undefined;
    let next = at + 1;
    while (oldLeft > 0 || newLeft > 0) {
      const line = lines[next++] ?? "";
      const endsOpen = lines[next] === NO_NEWLINE;
      if (endsOpen) next += 1;
      const text = endsOpen ? line.slice(1) : `${line.slice(1)}\n`;
      const sign = line[0];
      if (sign !== " " && sign !== "-" && sign !== "+") return undefined;
      if (sign !== "+") {
        oldLeft -= 1;
        if (this.#oldLines[this.#oldAt++] !== text) return undefined;
      }
      if (sign !== "-") {
        newLeft -= 1;
        if (this.#newLines[this.#newAt++] !== text) return undefined;
      }
    }
    return oldLeft === 0 && newLeft === 0 ? next - at : undefined;
  }

  /** Whether what the patch did not name is equal to the end. */
  isOver(): boolean {
    return this.#skipTo(this.#oldLines.length) && this.#newAt === this.#newLines.length;
  }

  #skipTo(oldLine: number): boolean {
    if (oldLine < this.#oldAt || oldLine > this.#oldLines.length) return false;
    while (this.#oldAt < oldLine) {
      if (this.#oldLines[this.#oldAt++] !== this.#newLines[this.#newAt++]) return false;
    }
    return true;
  }
}
