import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** Far above what is kept in the files that are read so: policies, tokens, locks. */
const FILE_BYTES = 1024 * 1024;

/**
 * Reads a small regular file, at once and without ever waiting: what was a file may have become a pipe that nobody writes to, or
 * something without end. @throws an error with a `code`
 */
export function readSmallFile(file: string): string {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw fileError("not a regular file");
    if (stat.size > FILE_BYTES) throw fileError("larger than 1 MiB");
    const bytes = Buffer.alloc(FILE_BYTES + 1);
    let length = 0;
    for (;;) {
      const read = readSync(descriptor, bytes, length, bytes.length - length, null);
      length += read;
      if (length > FILE_BYTES) throw fileError("larger than 1 MiB");
      if (read === 0) return bytes.toString("utf8", 0, length);
    }
  } finally {
    closeSync(descriptor);
  }
}

function fileError(code: string): Error {
  return Object.assign(new Error(`The file is ${code}`), { code });
}
