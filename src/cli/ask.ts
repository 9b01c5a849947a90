import type { Command } from "commander";
import {
  addAskingOptions,
  addInviteOptions,
  type AskingOptions,
  type InviteOptions,
} from "./common-options.ts";
import { CommandFailure } from "./exit.ts";
import type { Register } from "./program.ts";

export interface AskOptions extends InviteOptions, AskingOptions {
  option?: string[];
  details?: string;
  name: string;
  json?: boolean;
  quiet?: boolean;
}

/** `handraise ask` */
export const registerAsk: Register = (program, surroundings, end) => {
  const command = program
    .command("ask <question>")
    .description("ask people from a script; exit code 0 only where a person allowed it")
    .option(
      "--option <id=name:kind>",
      "one answer to offer, in place of “Allow once” and “Deny”; again for each. Kinds: allow_once, allow_always, reject_once, reject_always",
      (value: string, earlier: string[] | undefined) => [...(earlier ?? []), value],
    )
    .option("--details <file>", "a text to read before answering; - is stdin")
    .option("--name <name>", "who asks", "A script")
    .option("--json", "print how it ended as one line of JSON")
    .option("-q, --quiet", "say nothing while it waits");
  addAskingOptions(addInviteOptions(command))
    .addHelpText(
      "after",
      `
Exit codes:
  0  a person allowed it: an option of an allowing kind
  1  a person refused it, or dismissed the question
  2  nobody answered: expired, withdrawn (Ctrl-C does that), or nobody was in the Room
  3  anything else: not asked, not understood, usage
Under npx or npm the exit code of a Ctrl-C is npm's own, 130.

Example:
  handraise ask "Deploy 4.2 to production?" --details changes.txt && ./deploy`,
    )
    .allowExcessArguments()
    .action(async (question: string, options: AskOptions, { args }: Command) => {
      if (args.length > 1) {
        throw new CommandFailure(
          `Put the question in quotes, such as handraise ask "Deploy 4.2?". Nothing was asked.`,
        );
      }
      const { askPeople } = await import("./ask/ask-people.ts");
      end(await askPeople(question, options, surroundings));
    });
};
