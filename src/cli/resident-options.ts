import { type Command, InvalidArgumentError, Option } from "commander";
import {
  addAskingOptions,
  addInviteOptions,
  type AskingOptions,
  type InviteOptions,
} from "./common-options.ts";

/** What `run` and `proxy` take. */
export interface ResidentOptions extends InviteOptions, AskingOptions {
  name?: string;
  mode?: string;
  config?: ReadonlyMap<string, string>;
  policy?: string;
  launchPolicy?: string;
  prefer: "once" | "always";
  onExpiry: "cancel" | "reject";
  log?: string;
  redact: boolean;
  quiet?: boolean;
  json?: boolean;
}

export function addResidentOptions(command: Command): Command {
  return addAskingOptions(addChoiceOptions(addInviteOptions(command)))
    .option("--name <name>", "what the agent is called in the Room (default: its command's)")
    .option(
      "--policy <file>",
      'a policy for this agent: {"read": "auto_allow", "default": "ask"}; nothing is answered by itself without one',
    )
    .option("--launch-policy <file>", "a policy for this launch; it can only narrow the other")
    .addOption(
      new Option(
        "--prefer <which>",
        "what an auto_allow selects: the only allow_once, or as the original did allow_always first, after which many agents stop asking",
      )
        .choices(["once", "always"])
        .default("once"),
    )
    .addOption(
      new Option(
        "--on-expiry <what>",
        "what an expired request answers; reject: the only reject_once",
      )
        .choices(["cancel", "reject"])
        .default("cancel"),
    )
    .option("--log <file>", "append a line of JSON for every decision")
    .option(
      "--no-redact",
      "show the Room the values of secret-looking environment variables; without it they stand there by name. Common words, paths and bare server addresses count as no secret, and an option's name is never changed",
    )
    .option("-q, --quiet", "say only what went wrong, and the agent's answer")
    .option("--json", "print what happens as lines of JSON on stdout");
}

/** A choice for the agent's session: what nobody chose is never set. */
export function addChoiceOptions(command: Command): Command {
  return command
    .option("--mode <id>", "set this mode of the agent's, and check that it is set")
    .option(
      "--config <id=value>",
      "set this config option of the agent's, and check it; again for each",
      collectConfig,
    );
}

function collectConfig(
  text: string,
  earlier: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("It is written ID=VALUE.");
  return new Map([...earlier, [text.slice(0, at), text.slice(at + 1)]]);
}
