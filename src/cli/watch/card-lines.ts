import type { Paint } from "../colour.ts";
import { describeTimeLeft } from "../duration.ts";
import type { WaitingCard } from "./desk.ts";
import { equallyNamed, kindWords, optionName, refuses } from "./option-words.ts";
import { clockTime, residentName } from "./settled-words.ts";
import { askingWords, readParts } from "./tool-call-parts.ts";
import { visibleInLine, visibleLines } from "./visible-lines.ts";

interface Look {
  /** of the terminal; Infinity for none */
  columns: number;
  paint: Paint;
  /** epoch milliseconds by the Room's clock */
  now: number;
}

/** A card as a whole: who asks, what, until when, and the options as they were offered. Nothing is cut. */
export function cardLines(entry: WaitingCard, waiting: number, look: Look): string[] {
  const { card, whole } = entry;
  const { paint } = look;
  const more = waiting > 1 ? ` (${waiting} cards wait: n next, p previous)` : "";
  const toolCall = whole.state === "here" ? whole.toolCall : card.toolCall;
  return [
    "",
    paint("bold", `── ${residentName(card)} ${askingWords(toolCall)}${more}`),
    ...deadlineLines(entry, look),
    ...readParts(toolCall).flatMap(({ heading, text }) => [
      `${heading}:`,
      ...visibleLines(text, look.columns),
    ]),
    ...evidenceLines(entry, look),
    ...saysNothing(entry),
    "Options, as they were offered:",
    ...optionLines(entry, look),
  ];
}

function deadlineLines({ card }: WaitingCard, { now }: Look): string[] {
  const left = describeTimeLeft(card.expiresAt - Math.max(now, card.openedAt));
  const more =
    card.maxExpiresAt !== undefined && card.expiresAt < card.maxExpiresAt ? "; m: more time" : "";
  return [
    `Asked ${clockTime(card.openedAt)}, until ${clockTime(card.expiresAt)} (${left} left${more})`,
  ];
}

function evidenceLines({ card, whole }: WaitingCard, { paint }: Look): string[] {
  const { evidence } = card;
  if (evidence.inline || whole.state === "here") return [];
  const cut = evidence.cut.map(visibleInLine).join(", ");
  const more = evidence.cutMore === undefined ? "" : ` and ${evidence.cutMore} more`;
  const size = `${Math.ceil(evidence.bytes / 1024)} KiB`;
  const said =
    whole.state === "loading"
      ? `This is a summary. Loading the whole request, ${size} …`
      : `This is a summary: ${whole.why}. Allowing stays locked.${whole.mayPass ? " s loads it again." : ""}`;
  return [paint("yellow", `${said} Not in it: ${cut}${more}.`)];
}

function saysNothing({ card, whole }: WaitingCard): string[] {
  const { content, rawInput, locations } = whole.state === "here" ? whole.toolCall : card.toolCall;
  const isSilent = [content, rawInput, locations].every(
    (field) => field === undefined || (Array.isArray(field) && field.length === 0),
  );
  return isSilent && whole.state === "here"
    ? ["The agent did not say what it will do: no command, no path and no change came."]
    : [];
}

function optionLines({ card }: WaitingCard, { columns, paint }: Look): string[] {
  const { options } = card;
  const equal = equallyNamed(options);
  const lines = options.flatMap((option, index) => {
    const id = equal.has(option.optionId) ? `, id ${visibleInLine(option.optionId)}` : "";
    const look = refuses(option) ? "red" : option.kind === "allow_once" ? "green" : "yellow";
    const [first = "", ...rest] = visibleLines(optionName(option), columns, "      ");
    const named = [`  ${String(index + 1).padStart(2)}  ${paint("bold", first.slice(6))}`, ...rest];
    return [...named, `      ${paint(look, kindWords(option))}${id}`];
  });
  return options.some(refuses)
    ? lines
    : [...lines, "   r  dismisses: it cancels the request, and is none of the agent's options"];
}
