import { isRecord } from "./json-record.ts";

/**
 * A copy of a parsed JSON value with every string changed by `mapText` and every name of an object by `mapName`. Recursive: for
 * values whose depth has been checked.
 */
export function mapStrings(
  value: unknown,
  mapText: (text: string) => string,
  mapName: (name: string) => string = (name) => name,
): unknown {
  if (typeof value === "string") return mapText(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, mapText, mapName));
  if (!isRecord(value)) return value;
  // An agent may use any name: as data `__proto__` is one like the others.
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      mapName(name),
      mapStrings(item, mapText, mapName),
    ]),
  );
}
