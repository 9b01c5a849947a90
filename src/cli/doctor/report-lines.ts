import type { InspectionReport } from "../../resident/inspection.ts";
import type { Finding, ModeShown, OptionShown } from "../../resident/inspection-settings.ts";
import type { Paint } from "../colour.ts";
import { safeText } from "../safe-text.ts";

/** In these words the setup contract (`/agent.md`) speaks of them. */
export const LABELS = {
  agent: "Agent",
  protocol: "Protocol",
  effectiveMode: "Effective mode",
  modes: "Modes",
  configOptions: "Config options",
  mayStillAsk: "Whether it may still ask",
  sandbox: "Sandbox",
  scope: "Scope of the choice",
  usableUnattended: "A mode usable unattended",
  node: "Node",
  room: "Server",
} as const satisfies Record<keyof InspectionReport, string>;

const ASKING = {
  asks: "asks",
  partly: "asks before some things only",
  never: "acts without asking",
  unknown: "unknown",
} as const;

/** A report for people: each value, then what is to be said of it and where it was seen. */
export function reportLines(report: InspectionReport, paint: Paint): string[] {
  const write = (key: keyof InspectionReport, values: string[]): string[] => {
    const { note, seenIn }: Finding<unknown> = report[key];
    const [only = ""] = values;
    const label = paint("bold", `${LABELS[key]}:`);
    return [
      ...(values.length === 1 ? [`${label} ${safeText(only)}`] : [label]),
      ...(values.length === 1 ? [] : values.map((value) => `  - ${safeText(value)}`)),
      ...(note === undefined ? [] : [`  ${safeText(note)}`]),
      paint("dim", `  Seen in: ${safeText(seenIn)}`),
    ];
  };
  return [
    ...write("agent", [report.agent.value]),
    ...write("protocol", [report.protocol.value]),
    ...write("effectiveMode", [report.effectiveMode.value]),
    ...write("modes", valuesOf(report.modes, describeMode)),
    ...write("configOptions", valuesOf(report.configOptions, describeOption)),
    ...write("mayStillAsk", [report.mayStillAsk.value]),
    ...write("sandbox", [report.sandbox.value]),
    ...write("scope", [report.scope.value]),
    ...write(
      "usableUnattended",
      valuesOf(report.usableUnattended, (id) => id),
    ),
    ...write("node", [report.node.value]),
    ...write("room", [report.room.value]),
  ];
}

function valuesOf<T>({ value }: Finding<T[]>, describe: (item: T) => string): string[] {
  return value === "unknown" ? [value] : value.map(describe);
}

function describeMode({ id, name, asking }: ModeShown): string {
  return `${id}${name === id ? "" : ` (“${name}”)`}: ${ASKING[asking]}`;
}

function describeOption({ id, category, current, values, valueCount }: OptionShown): string {
  const named = category === undefined ? id : `${id} (category ${category})`;
  if (current === undefined || values === undefined) {
    return `${named}: values not shown here (${valueCount})`;
  }
  const more = valueCount - values.length;
  const listed = values.map(String).join(", ");
  return `${named}: ${current}, of ${listed}${more > 0 ? ` and ${more} more` : ""}`;
}
