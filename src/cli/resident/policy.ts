import { ASK_ALWAYS, PolicyFiles } from "../../resident/policy-files.ts";
import type { PolicyPort } from "../../resident/policy-port.ts";
import { CommandFailure } from "../exit.ts";
import type { ResidentOptions } from "../resident-options.ts";

export interface OperatorPolicy {
  answer: PolicyPort;
  /** Whether it has a verdict that an agent which never asks would not be held by. */
  restricts: boolean;
}

/** The operator's policy as the options name it. @throws CommandFailure where it cannot be used */
export function readOperatorPolicy(
  { policy, launchPolicy, prefer }: Pick<ResidentOptions, "policy" | "launchPolicy" | "prefer">,
  say: (line: string) => void,
): OperatorPolicy {
  if (policy === undefined && launchPolicy === undefined) {
    return { answer: ASK_ALWAYS, restricts: false };
  }
  try {
    const files = new PolicyFiles({ agent: policy, launch: launchPolicy, prefer, onNotice: say });
    return files;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(`${message.replace(/\.$/, "")}. Nothing was started.`);
  }
}
