import type { Input } from "./surroundings.ts";

/** Far above any link. */
const LINE_BYTES = 16 * 1024;

/** Takes the first line of a stream and leaves the rest in it; undefined where it ends before one, or the line is too long. */
export async function takeFirstLine(input: Input): Promise<string | undefined> {
  const taken: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const chunk = (input.read() ?? undefined) as Buffer | string | undefined;
    if (chunk === undefined) {
      if (input.readableEnded || input.destroyed || !(await hasMore(input))) break;
      continue;
    }
    const data = Buffer.from(chunk);
    const end = data.indexOf("\n");
    taken.push(end < 0 ? data : data.subarray(0, end));
    bytes += data.length;
    if (end >= 0) {
      const rest = data.subarray(end + 1);
      if (rest.length > 0) input.unshift(rest);
      return Buffer.concat(taken).toString();
    }
    if (bytes > LINE_BYTES) return undefined;
  }
  return bytes === 0 ? undefined : Buffer.concat(taken).toString();
}

function hasMore(input: Input): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (more: boolean) => (): void => {
      input.off("readable", onReadable).off("end", onEnd).off("close", onEnd).off("error", onEnd);
      resolve(more);
    };
    const onReadable = settle(true);
    const onEnd = settle(false);
    input.on("readable", onReadable).on("end", onEnd).on("close", onEnd).on("error", onEnd);
  });
}
