import { addInviteOptions, type InviteOptions } from "./common-options.ts";
import type { Register } from "./program.ts";

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
  2         press option 2 of the card that is shown
  r         refuse the card: none of its options is chosen
  m         ask for more time
  n, p      the next or the previous card
  s         show the card again
  say TEXT  write to the Room; never an answer to a card
  q         leave

What was typed before a card was shown is never used for it.`,
    )
    .action(async (options: WatchOptions) => {
      const { watchRoom } = await import("./watch/watch-room.ts");
      end(await watchRoom(options, surroundings));
    });
};
