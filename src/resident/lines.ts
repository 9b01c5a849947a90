import { LineSplitter } from "./line-splitter.ts";

/** Bytes in, whole lines out, each with its end. A line that is too long fails the stream. */
export function splitLines(): TransformStream<Uint8Array, Uint8Array> {
  const splitter = new LineSplitter();
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      for (const line of splitter.push(bytes)) controller.enqueue(line);
    },
    flush(controller) {
      const last = splitter.end();
      if (last !== undefined) controller.enqueue(last);
    },
  });
}
