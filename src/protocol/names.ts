import { NAME_BYTES, NAME_CODE_POINTS } from "./limits.ts";
import { exactText } from "./text.ts";
import { z } from "./z.ts";

/**
 * Drops control, format, bidi and other invisible characters, then trims and collapses white space (the blank Braille pattern
 * too), in NFC.
 */
export function cleanName(name: string): string {
  return name
    .replace(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replace(/[\s\u2800]+/gu, " ")
    .trim()
    .normalize("NFC");
}

/** What two names must not share to be told apart: compatibility forms and letter case are folded. */
export function nameKey(name: string): string {
  // Lower case first: "ẞ" becomes "SS" only by way of "ß". Normalised again, because a change of case can take letters apart.
  const folded = name.normalize("NFKC").toLowerCase().toUpperCase().toLowerCase();
  return folded.normalize("NFKC");
}

/** The name itself where free, else the first of "name (2)", "name (3)" … that is. */
export function distinctName(name: string, isTaken: (key: string) => boolean): string {
  let candidate = name;
  for (let n = 2; isTaken(nameKey(candidate)); n += 1) {
    const suffix = ` (${n})`;
    candidate =
      [...name]
        .slice(0, NAME_CODE_POINTS - suffix.length)
        .join("")
        .trimEnd() + suffix;
  }
  return candidate;
}

/** A participant's or Room's name as sent; comes out clean. */
export const name = exactText(0, NAME_BYTES)
  .transform(cleanName)
  .refine((text) => text !== "" && [...text].length <= NAME_CODE_POINTS, {
    error: `must have 1 to ${NAME_CODE_POINTS} visible characters`,
  });

/** A name as the Room gives it out. */
export const shownName = z.string();
