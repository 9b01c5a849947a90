import { type Command, Option } from "commander";
import { readTimeToAnswer } from "./duration.ts";
import { CommandFailure } from "./exit.ts";

/** Where to and by what right: what every command but `room` takes. */
export interface InviteOptions {
  invite?: string;
  server?: string;
}

export function addServerOption(command: Command): Command {
  return command.option(
    "--server <url>",
    "the server, such as https://example.com (or HANDRAISE_SERVER; a link names it already)",
  );
}

export function addInviteOptions(command: Command): Command {
  return addServerOption(
    command.option(
      "--invite <value>",
      "an invite, or a link that ends with one; - reads it from stdin, @FILE from a file that only you can read (better than here: HANDRAISE_INVITE, which no list of processes shows)",
      takeOnce,
    ),
  );
}

/** Which of two Rooms was meant would be a guess. Neither value is quoted: it may be a secret. */
function takeOnce(value: string, earlier: string | undefined): string {
  if (earlier === undefined) return value;
  throw new CommandFailure(
    "--invite stands there twice, so neither was used and no Room was joined. Give it once.",
  );
}

/** How long people have, and whether to ask at all where nobody is there. */
export interface AskingOptions {
  /** milliseconds */
  expiresIn?: number;
  /** milliseconds */
  maxExpiresIn?: number;
  ifNoHuman?: "wait" | "withdraw";
}

const TIME_FORMS = "90s, 5m, 2h; a bare number is seconds";

export function addAskingOptions(command: Command): Command {
  return command
    .option(
      "--expires-in <time>",
      `how long people have to answer: ${TIME_FORMS} (default: 5m)`,
      readTimeToAnswer,
    )
    .option(
      "--max-expires-in <time>",
      `how far people may extend that, from the start: ${TIME_FORMS}`,
      readTimeToAnswer,
    )
    .addOption(
      new Option("--if-no-human <what>", "where nobody is in the Room (default: wait)").choices([
        "wait",
        "withdraw",
      ]),
    );
}
