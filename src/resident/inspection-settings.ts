import type { Asking } from "./known-agents.ts";
import type { Measured } from "./measured.ts";
import type { Choice, ConfigOption } from "./session-settings.ts";

/** One line of a report. */
export interface Finding<T> {
  value: T | "unknown";
  /** Where it was seen; for `unknown`, why nowhere. */
  seenIn: string;
  note?: string;
}

/** A mode that an agent offers. Id and name are its own words. */
export interface ModeShown {
  id: string;
  name: string;
  asking: Asking;
}

/** A config option. Its values are shown where it is a mode or a switch: others may name accounts, providers or paths. */
export interface OptionShown {
  id: string;
  category: string | undefined;
  current?: string | boolean;
  values?: (string | boolean)[];
  valueCount: number;
}

const MODES_SHOWN = 20;
const OPTIONS_SHOWN = 20;
const VALUES_SHOWN = 20;

type Show = (text: string) => string;

export function foundNowhere(why: string, note?: string): Finding<never> {
  return { value: "unknown", seenIn: `nowhere: ${why}`, ...(note === undefined ? {} : { note }) };
}

export function reportModes(
  modes: readonly Choice[],
  measured: Measured,
  show: Show,
  seenIn: string,
): Finding<ModeShown[]> {
  if (modes.length === 0) return foundNowhere("the agent reports no modes");
  const value = modes
    .slice(0, MODES_SHOWN)
    .map(({ id, name }) => ({ id: show(id), name: show(name), asking: measured.asking(id) }));
  const judged = modes.find(({ id }) => measured.asking(id) !== "unknown");
  const source =
    judged === undefined ? "" : `; whether it asks there: ${measured.source(judged.id)}`;
  return { value, seenIn: `${seenIn}${source}`, ...noteMore(modes.length - value.length) };
}

export function reportOptions(
  options: readonly ConfigOption[],
  show: Show,
  seenIn: string,
): Finding<OptionShown[]> {
  if (options.length === 0) return foundNowhere("the agent reports no config options");
  const value = options.slice(0, OPTIONS_SHOWN).map((option) => showOption(option, show));
  return { value, seenIn, ...noteMore(options.length - value.length) };
}

function showOption({ id, category, current, choices }: ConfigOption, show: Show): OptionShown {
  const shown = { id: show(id), category: category === undefined ? undefined : show(category) };
  if (typeof current === "boolean") {
    return { ...shown, current, values: [true, false], valueCount: 2 };
  }
  const valueCount = choices.length;
  if (category !== "mode") return { ...shown, valueCount };
  const values = choices.slice(0, VALUES_SHOWN).map((choice) => show(choice.id));
  return { ...shown, current: show(current), values, valueCount };
}

function noteMore(count: number): { note?: string } {
  return count > 0 ? { note: `${count} more are not shown.` } : {};
}
