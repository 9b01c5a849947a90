import { type Evidence, limits, utf8Bytes } from "../protocol/index.ts";

/** The few fields that a card by reference shows, and the names of what was left out. */
export interface ToolCallSummary {
  readonly toolCall: Readonly<Record<string, unknown>>;
  readonly cut: readonly string[];
  /** How many more were left out than `cut` names. */
  readonly cutMore?: number;
}

/** A stored tool call. Size and hash (SHA-256, lower-case hex) are of the Worker's one serialisation. */
export interface StoredToolCall {
  readonly bytes: number;
  readonly sha256: string;
  /** The serialisation, where it is small enough to be shown inline. */
  readonly text?: string | undefined;
  /** Made when it was stored, where it is not. */
  readonly summary?: ToolCallSummary | undefined;
  /** The serialisation was dropped for the Room's budget. */
  readonly isDropped: boolean;
}

/** What a card shows of its tool call: JSON text of `toolCall`, and how whole it is. */
export interface ShownToolCall {
  readonly json: string;
  readonly evidence: Evidence;
}

/** Shows a tool call whole where it has at most `inlineLimit` bytes, else by reference. */
export function showToolCall(stored: StoredToolCall, inlineLimit: number): ShownToolCall {
  const { text, bytes, sha256 } = stored;
  if (text !== undefined && bytes <= inlineLimit) {
    return { json: text, evidence: { inline: true, bytes } };
  }
  if (stored.summary === undefined && text === undefined) throw new Error("no text, no summary");
  const { toolCall, cut, cutMore } =
    stored.summary ?? summarise(JSON.parse(text ?? "") as Record<string, unknown>);
  return {
    json: JSON.stringify(toolCall),
    evidence: {
      inline: false,
      bytes,
      sha256,
      cut: [...cut],
      ...(cutMore === undefined ? {} : { cutMore }),
      ...(stored.isDropped ? { available: false as const } : {}),
    },
  };
}

export function summarise(whole: Readonly<Record<string, unknown>>): ToolCallSummary {
  const toolCall: Record<string, unknown> = { toolCallId: whole["toolCallId"] };
  const cut: string[] = [];
  for (const field of Object.keys(whole)) {
    if (field === "toolCallId") continue;
    const kept = keptOf(field, whole[field]);
    if (kept !== undefined) toolCall[field] = kept;
    if (kept !== whole[field]) cut.push(field);
  }
  // An agent can send thousands of fields with names of any length: a card must stay small whatever it says.
  const named = cut.filter((name) => utf8Bytes(name) <= limits.REFERENCE_CUT_NAME_BYTES);
  const shown = named.slice(0, limits.REFERENCE_CUT_NAMES);
  const cutMore = cut.length - shown.length;
  return { toolCall, cut: shown, ...(cutMore === 0 ? {} : { cutMore }) };
}

function keptOf(field: string, value: unknown): unknown {
  switch (field) {
    case "title":
      return fits(value, limits.REFERENCE_TITLE_BYTES) ? value : undefined;
    case "kind":
      return fits(value, limits.REFERENCE_KIND_BYTES) ? value : undefined;
    case "locations": {
      if (!Array.isArray(value)) return undefined;
      const kept = value
        .slice(0, limits.REFERENCE_LOCATIONS)
        .filter(
          (location) => utf8Bytes(JSON.stringify(location)) <= limits.REFERENCE_LOCATION_BYTES,
        );
      return kept.length === value.length ? value : kept;
    }
    default:
      return undefined;
  }
}

function fits(value: unknown, bytes: number): boolean {
  return typeof value === "string" && utf8Bytes(value) <= bytes;
}
