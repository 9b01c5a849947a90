import { z } from "./z.ts";

const checkedBy = new WeakMap<z.ZodType, z.ZodType>();

/**
 * Checks a value with `schema` but hands on the very value: what an agent sent keeps its order, its unknown fields and names
 * such as `__proto__`, which a rebuilt copy could lose.
 */
export function untouched<T>(schema: z.ZodType<T>): z.ZodType<T, T> {
  const same = z.custom<T>().superRefine((value, context) => {
    const result = schema.safeParse(value);
    if (result.success) return;
    for (const issue of result.error.issues) {
      context.addIssue({ code: "custom", message: issue.message, path: issue.path });
    }
  });
  checkedBy.set(same, schema);
  return same;
}

/** The schema that an `untouched` one checks with: what documents its shape. */
export function schemaBehind(schema: z.ZodType): z.ZodType | undefined {
  return checkedBy.get(schema);
}
