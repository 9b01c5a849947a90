import { addInviteOptions, type InviteOptions } from "./common-options.ts";
import type { Register } from "./program.ts";
import { KEYS } from "./watch/keys.ts";

export interface WatchOptions extends InviteOptions {
  name?: string;
  json?: boolean;
}

/** `handraise watch` */
export const registerWatch: Register = (program, surroundings, end) => {
  addInviteOptions(
    program
      .command("watch")
      .description(
        "the Room in a terminal: read what agents ask, and answer; takes the human link",
      ),
  )
    .option("--name <name>", "what you are called in the Room (default: your account's name)")
    .option("--json", "print every frame as one line of JSON; answers nothing")
    .addHelpText(
      "after",
      `
Then type, each with Enter:
${KEYS.map((line) => `  ${line}`).join("\n")}

What was typed before a card was shown is never used for it.`,
    )
    .action(async (options: WatchOptions) => {
      const { watchRoom } = await import("./watch/watch-room.ts");
      end(await watchRoom(options, surroundings));
    });
};
