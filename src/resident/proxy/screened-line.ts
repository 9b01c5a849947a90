import { isRecord } from "../json-record.ts";
import { listElements } from "./json-parts.ts";
import { type Message, readMessage } from "./message.ts";

const LF = 0x0a;
const COMMA = Buffer.from(",");

/** One line of either side, looked into. */
export interface ReadLine {
  bytes: Buffer;
  text: string;
  /** One part for a plain line, one for each element of a batch; none where it is no JSON. */
  parts: { bytes: Buffer; message: Message | undefined }[];
  isBatch: boolean;
  /** Whether another reader may find other messages in it: it is no JSON to us, or breaks into lines elsewhere too. */
  isUnsure: boolean;
}

/** Whether a message goes on to the other side, and what happens as soon as it did. */
export interface Verdict {
  pass: boolean;
  after?: () => void;
}

export interface Screened {
  /** What goes on: the very bytes that came, unless a part of a batch stays behind. */
  bytes: Buffer | undefined;
  after: (() => void)[];
  /** Whether it stays behind for what another reader may find in it. */
  isSuspect: boolean;
}

export function readLine(bytes: Buffer): ReadLine {
  // Common clients take off white space that JSON does not know, and a byte order mark.
  const text = bytes.toString().trim();
  const line: ReadLine = { bytes, text, parts: [], isBatch: false, isUnsure: false };
  if (text === "") return line;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ...line, isUnsure: true };
  }
  const isUnsure = text.includes("\r");
  if (Array.isArray(value)) {
    const parts = listElements(bytes).map((part, at) => readPart(part, value[at]));
    return { ...line, parts, isBatch: true, isUnsure };
  }
  return { ...line, parts: [readPart(bytes, value)], isUnsure };
}

/** Asks `judge` about every message of a line. A line that only another reader understands stays behind if it names `word`. */
export function screenLine(
  line: ReadLine,
  word: string,
  judge: (message: Message, isBatch: boolean) => Verdict,
): Screened {
  const after: (() => void)[] = [];
  const kept = line.parts.filter(({ message }) => {
    if (message === undefined) return true;
    const verdict = judge(message, line.isBatch);
    if (verdict.after !== undefined) after.push(verdict.after);
    return verdict.pass;
  });
  const isSuspect = line.isUnsure && names(line.text, word);
  if (isSuspect) return { bytes: undefined, after, isSuspect };
  if (kept.length === line.parts.length) return { bytes: line.bytes, after, isSuspect };
  return { bytes: kept.length === 0 ? undefined : joinBatch(kept, line), after, isSuspect };
}

function joinBatch(kept: ReadLine["parts"], { bytes }: ReadLine): Buffer {
  const elements = kept.flatMap((part, at) => (at === 0 ? [part.bytes] : [COMMA, part.bytes]));
  const isFinished = bytes.at(-1) === LF;
  return Buffer.concat([Buffer.from("["), ...elements, Buffer.from(isFinished ? "]\n" : "]")]);
}

function readPart(bytes: Buffer, value: unknown): ReadLine["parts"][number] {
  return { bytes, message: isRecord(value) ? readMessage(bytes, value) : undefined };
}

/** Whether a text holds a word, plainly or with JSON's escapes. */
function names(text: string, word: string): boolean {
  const plain = text.replace(/\\u([0-9a-f]{4})|\\(.)/gi, (_, code?: string, character?: string) =>
    code === undefined ? (character ?? "") : String.fromCharCode(Number.parseInt(code, 16)),
  );
  return text.includes(word) || plain.includes(word);
}
