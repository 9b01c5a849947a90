import { isRecord } from "./json-record.ts";

/** An ACP diff block. `oldText` undefined: there was no file. */
export interface DiffBlock {
  /** The block itself, with whatever else the agent put there. */
  block: Record<string, unknown>;
  path: string;
  oldText: string | undefined;
  newText: string;
}

/** Reads one item of a tool call's `content`; anything but a well-formed diff is undefined. */
export function readDiffBlock(block: unknown): DiffBlock | undefined {
  if (!isRecord(block) || block["type"] !== "diff") return undefined;
  const { path, oldText, newText } = block;
  if (typeof path !== "string" || typeof newText !== "string") return undefined;
  if (oldText === null || oldText === undefined) {
    return { block, path, oldText: undefined, newText };
  }
  return typeof oldText === "string" ? { block, path, oldText, newText } : undefined;
}

/** The lines of a text with their ends, so that a missing last newline is a difference. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
