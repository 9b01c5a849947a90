import { redactorOf, type Secret } from "./secrets.ts";
import { terminalText } from "./terminal-text.ts";

const CHARACTERS = 80;

/** An absolute path, a file's address, or one that starts at somebody's home. */
const PATH = /(?:^|[\s"'`(<[{=,;])(?:file:\/*|~[\w.-]*|[A-Za-z]:)?[\\/]+[\w.]/;
const ACCOUNT = /[\w.+-]@[A-Za-z]/;

export const WITHHELD = "(not shown: it may hold a path or an account)";

/**
 * Shows an id or a name that an agent gave: on one line, of bounded length, with nothing in it that acts on a terminal. One that
 * may hold a path or an account is not shown; `secrets` are shown by their names.
 */
export function shortTextOf(secrets: readonly Secret[]): (text: string) => string {
  const redact = redactorOf(secrets);
  return (text) => {
    if (PATH.test(text) || ACCOUNT.test(text)) return WITHHELD;
    const characters = [...redact(text)];
    const cut = characters.slice(0, CHARACTERS).join("");
    const line = terminalText(cut).replace(/\n/g, "\\n").replace(/\t/g, "\\t");
    return characters.length > CHARACTERS ? `${line}…` : line;
  };
}
