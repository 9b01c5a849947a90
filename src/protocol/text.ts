import { z } from "./z.ts";

const encoder = new TextEncoder();

/** Length of a text in UTF-8 bytes. */
export function utf8Bytes(text: string): number {
  return encoder.encode(text).length;
}

function fitsBytes(text: string, min: number, max: number): boolean {
  // A UTF-16 unit takes one to three bytes: most texts need no encoding to be judged.
  if (text.length > max) return false;
  if (text.length >= min && text.length * 3 <= max) return true;
  const bytes = utf8Bytes(text);
  return bytes >= min && bytes <= max;
}

const boundsOf = new WeakMap<z.ZodType, { min: number; max: number }>();

/** A well-formed text of `min` to `max` UTF-8 bytes, kept exactly as sent. */
export function exactText(min: number, max: number) {
  const text = z
    .string()
    .refine((text) => text.isWellFormed(), { error: "ill-formed Unicode", abort: true })
    .refine((text) => fitsBytes(text, min, max), { error: `must be ${min} to ${max} bytes` });
  boundsOf.set(text, { min, max });
  return text;
}

/** The bounds of an `exactText`, in UTF-8 bytes: what documents it, as JSON Schema counts characters only. */
export function textBounds(schema: z.ZodType): { min: number; max: number } | undefined {
  return boundsOf.get(schema);
}
