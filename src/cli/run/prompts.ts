import { createInterface } from "node:readline";
import { CommandFailure } from "../exit.ts";
import type { Input } from "../surroundings.ts";

/** Far above what a person types or a script pipes. */
const PROMPT_BYTES = 1024 * 1024;

/** The prompt of `--prompt`: itself, or with `-` all of stdin. */
export async function readPrompt(given: string, stdin: Input): Promise<string> {
  if (given !== "-") return requireText(given);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    chunks.push(Buffer.from(chunk as Buffer | string));
    bytes += chunks.at(-1)?.length ?? 0;
    if (bytes > PROMPT_BYTES) {
      throw new CommandFailure("--prompt -: more than 1 MiB came on stdin. Nothing was started.");
    }
  }
  return requireText(Buffer.concat(chunks).toString("utf8"));
}

function requireText(text: string): string {
  if (text.trim() !== "") return text;
  throw new CommandFailure("The prompt is empty. Nothing was started.");
}

/** Calls `take` with every line that is not blank, until stdin ends or `signal` aborts. */
export async function eachLine(
  stdin: Input,
  take: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const lines = createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY });
  const close = (): void => lines.close();
  signal.addEventListener("abort", close, { once: true });
  for await (const line of lines) {
    if (line.trim() !== "") take(line);
  }
  signal.removeEventListener("abort", close);
}
