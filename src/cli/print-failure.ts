import { makePaint } from "./colour.ts";
import { CommandFailure } from "./exit.ts";
import { safeText } from "./safe-text.ts";
import type { Surroundings } from "./surroundings.ts";

/** Tells on stderr why a command does not do what it was asked to. */
export function printFailure(
  error: unknown,
  { stderr, hasColour }: Pick<Surroundings, "stderr" | "hasColour">,
): void {
  const message = error instanceof Error ? error.message : String(error);
  const said = error instanceof CommandFailure ? message : `Handraise failed: ${message}`;
  stderr.write(`${makePaint(hasColour(stderr))("red", safeText(said))}\n`);
}
