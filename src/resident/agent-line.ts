/** One line of an agent's output, read. */
export interface AgentLine {
  message: unknown;
  /** What stands in the line that would not come out of it as it went in; found only when it is asked for. */
  findFlaw(): string | undefined;
}

/** Reads one line; undefined where it holds no JSON. */
export function readAgentLine(bytes: Uint8Array): AgentLine | undefined {
  const text = new TextDecoder().decode(bytes);
  try {
    return { message: JSON.parse(text) as unknown, findFlaw: () => findFlaw(bytes, text) };
  } catch {
    return undefined;
  }
}

function findFlaw(bytes: Uint8Array, text: string): string | undefined {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return "it is not UTF-8";
  }
  return findLostNumber(text);
}

type ReviverContext = { source?: string };

/** Says that a number in a JSON text cannot be kept by JavaScript; undefined where all can. */
export function findLostNumber(text: string): string | undefined {
  let lost = false;
  const look = (_name: string, value: unknown, context?: ReviverContext): undefined => {
    if (typeof value !== "number" || context?.source === undefined) return;
    lost ||= decimalOf(context.source) !== decimalOf(String(value));
  };
  try {
    JSON.parse(text, look as (name: string, value: unknown) => unknown);
  } catch {
    return "it is nested too deep";
  }
  return lost ? "it holds a number that cannot be kept exactly" : undefined;
}

/** A decimal number in one way of writing: its digits without zeros at either end, and the power of ten of the last. */
function decimalOf(text: string): string {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text);
  if (parts === null) return text;
  const [, sign, whole = "", fraction = "", power = "0"] = parts;
  const digits = (whole + fraction).replace(/^0+/, "");
  const kept = digits.replace(/0+$/, "");
  if (kept === "") return "0";
  return `${sign}${kept}e${Number(power) - fraction.length + digits.length - kept.length}`;
}
