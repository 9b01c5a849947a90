/** What a person typed, before anything is known of the card. */
export type Typed =
  | { type: "nothing" }
  | { type: "number"; number: number }
  | { type: "yes" }
  | { type: "refuse" }
  | { type: "more_time" }
  | { type: "next" }
  | { type: "previous" }
  | { type: "show" }
  | { type: "help" }
  | { type: "quit" }
  | { type: "say"; text: string }
  /** Talk for one participant. `text` may be empty. */
  | { type: "to"; name: string; text: string }
  | { type: "unknown" };

const WORDS: Readonly<Record<string, Typed["type"]>> = {
  "": "nothing",
  y: "yes",
  r: "refuse",
  m: "more_time",
  n: "next",
  p: "previous",
  s: "show",
  "?": "help",
  h: "help",
  help: "help",
  q: "quit",
};

/** A name of one word, or in quotes. */
const TO = /^to\s+@?(?:"([^"]+)"|“([^”]+)”|'([^']+)'|([^\s"“']\S*))(?:\s+(.*))?$/su;

/** Reads one typed line. */
export function readTyped(line: string): Typed {
  const text = line.trim();
  const said = /^say\s+(\S.*)$/su.exec(text);
  if (said?.[1] !== undefined) return { type: "say", text: said[1] };
  const to = TO.exec(text);
  const name = to?.slice(1, 5).find((one) => one !== undefined);
  if (name !== undefined) return { type: "to", name, text: to?.[5]?.trim() ?? "" };
  if (/^[1-9]\d?$/.test(text)) return { type: "number", number: Number(text) };
  const word = Object.hasOwn(WORDS, text) ? WORDS[text] : undefined;
  return word === undefined ? { type: "unknown" } : ({ type: word } as Typed);
}
