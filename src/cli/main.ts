// `handraise`: see program.ts for its commands.
import { makeConsoleSafe } from "../resident/safe-console.ts";
import { runCommand } from "./run-command.ts";
import { readSurroundings } from "./surroundings.ts";

makeConsoleSafe();
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
