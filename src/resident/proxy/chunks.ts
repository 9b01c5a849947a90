import type { Readable } from "node:stream";

/** What a client sends, until it ends. */
export async function* readChunks(input: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of input as AsyncIterable<Buffer | string>) yield toBuffer(chunk);
  } catch {
    // A client that fails has ended.
  }
}

/** The same bytes, not a copy of them. */
export function toBuffer(chunk: Uint8Array | string): Buffer {
  if (typeof chunk === "string") return Buffer.from(chunk);
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}
