// `handraise`: see program.ts for its commands.
import { makeConsoleSafe } from "../resident/safe-console.ts";
import { EXIT } from "./exit.ts";
import { runCommand } from "./run-command.ts";
import { safeText } from "./safe-text.ts";
import { readSurroundings } from "./surroundings.ts";

makeConsoleSafe();
// Only a bug comes here. Its words are enough for people; the agent's group ends with this process.
process.on("uncaughtException", (error) => {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${safeText(`Handraise failed and ends: ${message}`)}\n`);
  process.exit(EXIT.failed);
});
// Whoever reads has gone (`| head`): what is left to say is lost, what has been decided stays.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

const exitCode = await runCommand(process.argv.slice(2), readSurroundings());
for (const stream of [process.stdout, process.stderr]) await flush(stream);
process.exit(exitCode);

function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || !stream.writable) resolve();
    else stream.write("", () => resolve());
  });
}
