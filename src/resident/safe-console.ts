import { format } from "node:util";
import { terminalText } from "./terminal-text.ts";

/**
 * The ACP library tells of broken messages on the console, and quotes them: text of the agent's, which could write to the
 * operator's terminal as it likes. From here on nothing on stderr can.
 */
export function makeConsoleSafe(target: Pick<Console, "error" | "warn"> = console): void {
  const write = target.error.bind(target);
  const writeSafely = (...values: unknown[]): void => write("%s", terminalText(format(...values)));
  target.error = writeSafely;
  target.warn = writeSafely;
}
