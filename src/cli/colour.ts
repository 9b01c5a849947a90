const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

/** Puts a look around a text that is safe already; with `isOn` false it stays as it is. */
export type Paint = (look: keyof typeof CODES, text: string) => string;

export function makePaint(isOn: boolean): Paint {
  return (look, text) => (isOn ? `\u001B[${CODES[look]}m${text}\u001B[0m` : text);
}
