import { fstatSync, type Stats } from "node:fs";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { limits } from "../../protocol/index.ts";
import { CommandFailure } from "../exit.ts";
import { inLine } from "../safe-text.ts";

/** Reads what people are to read before they answer: a file, or `-` for stdin. @throws CommandFailure where it is no such text */
export async function readDetails(path: string, stdin: Readable): Promise<string> {
  const bytes = path === "-" ? await readStdin(stdin) : await readFile(path);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CommandFailure("--details: this is not text in UTF-8. Nothing was asked.");
  }
}

async function readStdin(stdin: Readable): Promise<Buffer> {
  if (stdin === process.stdin && !isReadable(fstatSync(0))) {
    throw new CommandFailure(
      "--details -: stdin is no file and no pipe. Nothing was asked. Name a file, as in --details FILE.",
    );
  }
  return readBounded(stdin);
}

/** What else stdin may be, such as a folder, Node takes for empty without a word. */
function isReadable(stat: Stats): boolean {
  return stat.isFile() || stat.isFIFO() || stat.isSocket() || stat.isCharacterDevice();
}

async function readFile(path: string): Promise<Buffer> {
  try {
    const file = await open(path, "r");
    return await readBounded(file.createReadStream());
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const why = (error as NodeJS.ErrnoException).code ?? "unknown error";
    throw new CommandFailure(
      `--details: ${inLine(path)} cannot be read (${why}). Nothing was asked. Check the path.`,
    );
  }
}

async function readBounded(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk as Buffer | string);
    chunks.push(bytes);
    length += bytes.length;
    if (length > limits.TOOL_CALL_BYTES) {
      throw new CommandFailure(
        `--details: more than ${limits.TOOL_CALL_BYTES / 1024} KiB, which is more than the Room takes. Nothing was asked. Give people less to read.`,
      );
    }
  }
  return Buffer.concat(chunks);
}
