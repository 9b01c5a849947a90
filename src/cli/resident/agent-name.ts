import { basename } from "node:path";

/** Programs that run another: what they run says more. */
const RUNNERS = /^(?:node|nodejs|npx|npm|exec|bun|bunx|deno|run|python\d*|uvx?|sh|bash|env)$/;

const NAME_CHARACTERS = 80;

/** What an agent is called in the Room: what was chosen, else the program of its command. */
export function agentNameOf(chosen: string | undefined, command: readonly string[]): string {
  if (chosen !== undefined) return chosen;
  const names = command
    .filter((word) => !word.startsWith("-"))
    .map((word) =>
      basename(word)
        .replace(/\.(?:[cm]?[jt]s|exe|cmd)$/i, "")
        .trim(),
    )
    .filter((name) => name !== "");
  const name = names.find((name) => !RUNNERS.test(name)) ?? names[0] ?? "Agent";
  return [...name].slice(0, NAME_CHARACTERS).join("");
}
