import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));
export const BIN = `${ROOT}node_modules/.bin`;

/** The project's own Node comes first: the machine's may be too old for the tools. */
export function projectEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${BIN}${delimiter}${process.env["PATH"] ?? ""}` };
}
