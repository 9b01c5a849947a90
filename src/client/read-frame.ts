import { anyFrame, roomFrame, type RoomFrame } from "../protocol/index.ts";

/** What came in one message: a frame, one of a type unknown to this client, or one that is broken. */
export type ReadFrame =
  | { read: "frame"; frame: RoomFrame }
  | { read: "unknown" }
  | { read: "broken"; type: string | undefined };

const KNOWN_TYPES: ReadonlySet<string> = new Set(
  roomFrame.options.map((option) => option.shape.type.value),
);

/** Reads one message. Never throws, and never hands on what does not have the shape that its type promises. */
export function readFrame(data: unknown): ReadFrame {
  const json = typeof data === "string" ? parseJson(data) : undefined;
  const message = anyFrame.safeParse(json);
  if (!message.success) return { read: "broken", type: undefined };
  const { type } = message.data;
  if (!KNOWN_TYPES.has(type)) return { read: "unknown" };
  const frame = roomFrame.safeParse(json);
  return frame.success ? { read: "frame", frame: frame.data } : { read: "broken", type };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
