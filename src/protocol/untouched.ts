import { findJsonIssue, type JsonBounds } from "./json.ts";
import { z } from "./z.ts";

const checkedBy = new WeakMap<z.ZodType, z.ZodType>();

/**
 * Checks a value with `schema` but hands on the very value: what an agent sent keeps its order, its unknown fields and names
 * such as `__proto__`, which a rebuilt copy loses. All of it, those names included, must be JSON within `bounds`.
 */
export function untouched<T>(schema: z.ZodType<T>, bounds: JsonBounds): z.ZodType<T, T> {
  const same = z.custom<T>().superRefine((value, context) => {
    const result = schema.safeParse(value);
    const unkept = result.success ? findJsonIssue(value, bounds) : undefined;
    const issues = result.error?.issues ?? (unkept === undefined ? [] : [unkept]);
    for (const { message, path } of issues) {
      // Not to be continued: what checks the value further on relies on its type.
      context.addIssue({ code: "custom", message, path, continue: false });
    }
  });
  checkedBy.set(same, schema);
  return same;
}

/** The schema that an `untouched` one checks with: what documents its shape. */
export function schemaBehind(schema: z.ZodType): z.ZodType | undefined {
  return checkedBy.get(schema);
}
