import {
  BODY_DEPTH,
  OPTION_ID_BYTES,
  OPTION_KIND_BYTES,
  OPTION_NAME_BYTES,
  OPTIONS,
} from "./limits.ts";
import { exactText } from "./text.ts";
import { untouched } from "./untouched.ts";
import { z } from "./z.ts";

export const optionId = exactText(1, OPTION_ID_BYTES);

/** The kinds that ACP names. Any other text passes through and counts as allowing for every safeguard. */
export const OPTION_KINDS = ["allow_once", "allow_always", "reject_once", "reject_always"] as const;
export type OptionKind = (typeof OPTION_KINDS)[number];

/** One option as the agent offered it: extra fields stay. */
export const permissionOption = untouched(
  z.looseObject({
    optionId,
    name: exactText(0, OPTION_NAME_BYTES),
    kind: exactText(0, OPTION_KIND_BYTES).optional(),
  }),
  { depth: BODY_DEPTH },
);
export type PermissionOption = z.infer<typeof permissionOption>;

/** The options of one request, in the agent's order. */
export const permissionOptions = z
  .array(permissionOption)
  .min(1)
  .max(OPTIONS)
  .superRefine((options, context) => {
    const seen = new Set<string>();
    for (const [index, option] of options.entries()) {
      if (seen.has(option.optionId)) {
        context.addIssue({
          code: "custom",
          path: [index, "optionId"],
          message: "offered twice in one request",
        });
      }
      seen.add(option.optionId);
    }
  });
