/** What a key asks for inside a focused card. */
export type CardKey =
  | { act: "next" }
  | { act: "previous" }
  | { act: "option"; index: number }
  | { act: "leave" }
  | { act: "keys" };

interface Key {
  key: string;
  repeat: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** Arrows move only where they have nothing to scroll. Repeats move, and never choose. */
export function readCardKey(event: Key, mayArrow: boolean): CardKey | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const { key } = event;
  if (key === "j" || (key === "ArrowDown" && mayArrow)) return { act: "next" };
  if (key === "k" || (key === "ArrowUp" && mayArrow)) return { act: "previous" };
  if (event.repeat) return undefined;
  if (/^[1-9]$/.test(key)) return { act: "option", index: Number(key) - 1 };
  if (key === "Escape") return { act: "leave" };
  return key === "?" ? { act: "keys" } : undefined;
}
