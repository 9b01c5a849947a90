import { utf8Bytes } from "../../src/protocol/index.ts";
import { shapeEvidence } from "../../src/resident/evidence.ts";

export const PATH = "/w/a.txt";

/** The parts of a tool call that are shaped. */
export interface Shaped {
  content: Record<string, unknown>[];
  rawInput: Record<string, unknown>;
}

export function shape(fields: object): Shaped {
  return shapeEvidence({ toolCallId: "t1", ...fields }, []) as Shaped;
}

/** An ACP diff block. */
export function edit(oldText: string | null, newText: string, path = PATH) {
  return { type: "diff", path, oldText, newText };
}

export function bytesOf(value: unknown): number {
  return utf8Bytes(JSON.stringify(value));
}
