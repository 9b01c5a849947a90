import { type Finding, foundNowhere } from "./inspection-settings.ts";
import type { Measured } from "./measured.ts";
import type { Choice } from "./session-settings.ts";

/** Whether an agent asks before anything at all: `no` means that it acts without asking; `yes` does not say before what. */
export type AskingReport = Finding<"yes" | "no"> & { note: string };

const MODES_SHOWN = 20;

/** `asked`: whether a permission request was seen. */
export function reportAsking(
  measured: Measured,
  mode: string | undefined,
  asked: boolean,
): AskingReport {
  const seenIn = measured.source(mode);
  switch (measured.asking(mode)) {
    case "never":
      return {
        value: "no",
        seenIn,
        note: measured.neverAsks
          ? "This agent acts without asking."
          : "In this mode the agent acts without asking.",
      };
    case "asks":
      return {
        value: "yes",
        seenIn,
        note: "In this mode it asked before everything that was tried; what was not tried is not known.",
      };
    case "partly":
      return {
        value: "yes",
        seenIn,
        note: "In this mode it asks before some things only; what else it does without asking is not known.",
      };
    case "unknown":
      if (asked) {
        return {
          value: "yes",
          seenIn: "a permission request that came now, and was answered cancelled",
          note: "What else it does without asking is not known.",
        };
      }
      return {
        ...foundNowhere(seenIn),
        note: "No permission request was seen; this agent may act without asking.",
      };
  }
}

/** Modes in which the agent was seen to ask its client, where a Room answers, and not at a terminal of its own. */
export function reportUsableUnattended(
  measured: Measured,
  modes: readonly Choice[],
  show: (text: string) => string,
): Finding<string[]> {
  const asking = modes.filter(({ id }) => measured.asking(id) === "asks");
  const [first] = asking;
  if (first === undefined) return foundNowhere("no mode that it offers is known to ask over ACP");
  return {
    value: asking.slice(0, MODES_SHOWN).map(({ id }) => show(id)),
    seenIn: measured.source(first.id),
    note: "There it asks over ACP, so that a Room can answer.",
  };
}
