import {
  checkNarrows,
  chooseAllow,
  chooseDeny,
  EMPTY_POLICY,
  judge,
  parsePolicy,
  type Policy,
  type Preference,
  type ReadPolicy,
  stricter,
  type Verdict,
} from "../policy/index.ts";
import type { PermissionOption } from "../protocol/index.ts";
import { readSmallFile } from "./small-file.ts";
import type { PolicyAnswer, PolicyPort } from "./policy-port.ts";

/** A resident exists to ask: what no policy names is asked. */
const FALLBACK: Verdict = "ask";

export interface PolicyFilesOptions {
  /** The operator's policy for this agent. */
  agent?: string | undefined;
  /** A narrower one for this launch. */
  launch?: string | undefined;
  prefer: Preference;
  /** A sentence for the operator, each once for as long as it holds. */
  onNotice(text: string): void;
}

/** Every request goes to people. */
export const ASK_ALWAYS: PolicyPort = () => ({ kind: "ask" });

/** An operator's policy files, read again for every request. */
export class PolicyFiles {
  readonly #agent: PolicyFile;
  readonly #launch: PolicyFile;
  readonly #prefer: Preference;

  /** @throws where a file cannot be read, or the launch policy would loosen the agent's */
  constructor({ agent, launch, prefer, onNotice }: PolicyFilesOptions) {
    this.#agent = new PolicyFile(agent, onNotice);
    this.#launch = new PolicyFile(launch, onNotice);
    this.#prefer = prefer;
    const narrowing = checkNarrows(this.#agent.policy, this.#launch.policy, FALLBACK);
    if (narrowing.narrows) return;
    const { key, from, to } = narrowing;
    throw new Error(
      `The launch policy may only narrow, but its key ${JSON.stringify(key)} says ${to} where the agent's policy says ${from}`,
    );
  }

  /** Whether it has any verdict but `auto_allow`: one that an agent which never asks would not be held by. */
  get restricts(): boolean {
    const verdicts = [...this.#agent.policy.values(), ...this.#launch.policy.values()];
    return verdicts.some((verdict) => verdict !== "auto_allow");
  }

  /** Answers one request by what the files say now. */
  readonly answer: PolicyPort = (toolCall, options) => {
    this.#agent.readAgain();
    this.#launch.readAgain();
    const policies = { agent: this.#agent.policy, launch: this.#launch.policy };
    const { title, kind } = toolCall;
    const judged = judge(policies, { title, kind }, FALLBACK);
    const isBroken = this.#agent.isBroken || this.#launch.isBroken;
    const verdict = isBroken ? stricter(judged.verdict, "ask") : judged.verdict;
    return this.#answerWith(verdict, { policy: judged.policy, key: judged.key }, options);
  };

  #answerWith(
    verdict: Verdict,
    by: { policy: "agent" | "launch"; key: string | undefined },
    options: readonly PermissionOption[],
  ): PolicyAnswer {
    switch (verdict) {
      case "ask":
        return { kind: "ask" };
      case "auto_allow": {
        const optionId = chooseAllow(options, this.#prefer);
        return optionId === undefined ? { kind: "ask" } : { kind: "allow", optionId, by };
      }
      case "auto_deny": {
        const optionId = chooseDeny(options);
        return { kind: "deny", by, ...(optionId === undefined ? {} : { optionId }) };
      }
    }
  }
}

/** One file: its newest policy that could be read, and whether it still can be. */
class PolicyFile {
  policy: Policy = EMPTY_POLICY;
  isBroken = false;
  readonly #file: string | undefined;
  readonly #onNotice: (text: string) => void;
  #noticed = "";

  constructor(file: string | undefined, onNotice: (text: string) => void) {
    this.#file = file;
    this.#onNotice = onNotice;
    if (file === undefined) return;
    const read = readPolicyFile(file);
    if (!read.ok) throw new Error(`${file}: ${read.problem}`);
    this.#take(read);
  }

  /** Where it cannot be read, what it said last goes on to hold, and nothing is allowed by it. */
  readAgain(): void {
    if (this.#file === undefined) return;
    const read = readPolicyFile(this.#file);
    this.isBroken = !read.ok;
    if (read.ok) return this.#take(read);
    this.#notice(
      `${this.#file}: ${read.problem} Until it can be read again nothing is allowed by it.`,
    );
  }

  #take({ policy, warnings }: Extract<ReadPolicy, { ok: true }>): void {
    this.policy = policy;
    this.#notice(warnings.map((warning) => `${this.#file}: ${warning}`).join("\n"));
  }

  #notice(text: string): void {
    if (text !== "" && text !== this.#noticed) this.#onNotice(text);
    this.#noticed = text;
  }
}

function readPolicyFile(file: string): ReturnType<typeof parsePolicy> {
  try {
    return parsePolicy(readSmallFile(file));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    return { ok: false, problem: `The policy file cannot be read (${code}).` };
  }
}
