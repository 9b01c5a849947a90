import { findJsonIssue, limits, utf8Bytes } from "../protocol/index.ts";
import { type DiffBlock, readDiffBlock } from "./diff-block.ts";
import { cutIntoHunks, type HunkBounds } from "./hunks.ts";
import { isRecord } from "./json-record.ts";
import { mapStrings } from "./json-strings.ts";
import { withoutRepeats } from "./repeats.ts";
import { markerOf, redactorOf, type Secret } from "./secrets.ts";

/** Hunks of one diff, and of all diffs of a call where they are many: each is drawn as a change of its own. */
const HUNKS = 64;
const HUNKS_OF_CALL = 256;
/** For all diffs of one call together: the agent is not listened to meanwhile. */
const DIFF_MS = 500;

type Fields = Record<string, unknown>;

/**
 * A tool call as people shall see it; the one given is never changed. Secrets are shown as `‹NAME›`, everywhere but in
 * `toolCallId`. A call that is too large to go whole in a frame is made smaller without losing a change: what `rawInput` repeats
 * of a diff is replaced by words that say so; then a diff of a file becomes one ACP diff block for each hunk, with
 * `_meta.handraise.hunk` `{number, of, oldStart, newStart}`: which of how many, and the lines, from 1, at which its texts begin in
 * the texts that the agent sent (as redacted). What is no object, or beyond the protocol's nesting and nodes, comes back as it
 * is: it is not asked.
 */
export function shapeEvidence(toolCall: unknown, secrets: readonly Secret[]): unknown {
  if (!isRecord(toolCall) || !isWithinBounds(toolCall)) return toolCall;
  // Before cutting: the lines of a secret that a hunk holds only in part would not be recognised.
  const redacted = redactCall(toolCall, secrets);
  if (!isLarge(redacted)) return redacted;
  const once = dropRepeats(redacted);
  if (!isLarge(once)) return once;
  const cut = cutDiffs(once);
  return isWithinBounds(cut) ? cut : once;
}

function isWithinBounds(toolCall: Fields): boolean {
  const bounds = { depth: limits.TOOL_CALL_DEPTH, nodes: limits.TOOL_CALL_NODES };
  return findJsonIssue(toolCall, bounds) === undefined;
}

function isLarge(toolCall: Fields): boolean {
  return bytesOf(toolCall) > limits.INLINE_TOOL_CALL_BYTES;
}

function bytesOf(value: unknown): number {
  return utf8Bytes(JSON.stringify(value));
}

function redactCall(toolCall: Fields, secrets: readonly Secret[]): Fields {
  if (secrets.length === 0) return toolCall;
  const json = JSON.stringify(toolCall);
  const redact = redactorOf(secrets.map((secret) => tellApart(secret, json)));
  return Object.fromEntries(
    Object.entries(toolCall).map(([name, value]) =>
      name === "toolCallId" ? [name, value] : [redact(name), mapStrings(value, redact, redact)],
    ),
  );
}

/** Where the agent itself wrote `‹NAME›`, the secret gets another name: a change from one to the other would go unseen. */
function tellApart({ name, value }: Secret, json: string): Secret {
  let shown = name;
  while (json.includes(JSON.stringify(markerOf(shown)).slice(1, -1))) shown += ", hidden";
  return { name: shown, value };
}

function dropRepeats(toolCall: Fields): Fields {
  const { content, rawInput } = toolCall;
  if (!Array.isArray(content) || rawInput === undefined) return toolCall;
  const changes = content.map(readDiffBlock).filter((change) => change !== undefined);
  return { ...toolCall, rawInput: withoutRepeats(rawInput, changes) };
}

function cutDiffs(toolCall: Fields): Fields {
  const { content } = toolCall;
  if (!Array.isArray(content)) return toolCall;
  const count = content.filter((block) => readDiffBlock(block) !== undefined).length;
  const bounds = {
    hunks: Math.min(HUNKS, Math.max(1, Math.floor(HUNKS_OF_CALL / count))),
    milliseconds: Math.floor(DIFF_MS / count),
  };
  const cut = content.flatMap((block: unknown) => {
    const change = readDiffBlock(block);
    return change === undefined ? [block] : cutDiff(change, bounds);
  });
  return { ...toolCall, content: cut };
}

/** The hunks of a diff, or the block as it is where they would not be smaller. New, emptied and binary files stay whole. */
function cutDiff({ block, oldText, newText }: DiffBlock, bounds: HunkBounds): Fields[] {
  const isEdit = oldText !== undefined && oldText !== "" && newText !== "" && oldText !== newText;
  if (!isEdit || oldText.includes("\0") || newText.includes("\0")) return [block];
  const hunks = cutIntoHunks(oldText, newText, bounds) ?? [];
  if (hunks.length === 0) return [block];
  const blocks = hunks.map((hunk, index) => {
    const { oldStart, newStart } = hunk;
    const place = { number: index + 1, of: hunks.length, oldStart, newStart };
    const meta = isRecord(block["_meta"]) ? block["_meta"] : {};
    const handraise = { hunk: place };
    return {
      ...block,
      oldText: hunk.oldText,
      newText: hunk.newText,
      _meta: { ...meta, handraise },
    };
  });
  return bytesOf(blocks) < bytesOf([block]) ? blocks : [block];
}
